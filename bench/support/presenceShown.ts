import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from './people.ts';

const PAGE = 500;
const LOOK_EVERY_MS = 100;
const GIVE_UP_MS = 120_000;

/** What the console's lists show: connections added up over all customers, and users who are connected. */
export type Shown = { connections: number; users: number };

/** Reads every page of a list. */
const all = async (admin: Caller, path: string, name: string): Promise<Record<string, unknown>[]> => {
  const rows: Record<string, unknown>[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await admin('GET', `${path}?limit=${PAGE}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    rows.push(...page[name]);
    cursor = page.nextCursor;
  }
  return rows;
};

const shownConnections = async (admin: Caller): Promise<number> =>
  (await all(admin, '/api/admin/customers', 'customers')).reduce(
    (sum, { activeConnections }) => sum + Number(activeConnections),
    0,
  );

export const shownPresence = async (admin: Caller): Promise<Shown> => ({
  connections: await shownConnections(admin),
  users: (await all(admin, '/api/admin/users', 'users')).filter(({ currentlyConnected }) => currentlyConnected).length,
});

/** Seconds until the customers' list shows exactly so many connections. */
export const untilShown = async (admin: Caller, connections: number): Promise<number> => {
  const begun = performance.now();
  for (;;) {
    const shown = await shownConnections(admin);
    const took = performance.now() - begun;
    if (shown === connections) return took / 1000;
    if (took > GIVE_UP_MS) throw new Error(`${shown} connections are shown instead of ${connections}`);
    await delay(LOOK_EVERY_MS);
  }
};
