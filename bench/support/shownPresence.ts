import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from './apiClients.ts';

const PAGE = 500;
const POLL_MS = 100;
const TIMEOUT_MS = 120_000;

/** The sum of the connections in the list of customers, and the number of connected users in the list of users. */
export type Shown = { connections: number; users: number };

/** Reads every page of a list. */
const readAll = async (admin: Caller, path: string, name: string): Promise<Record<string, unknown>[]> => {
  const rows: Record<string, unknown>[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await admin('GET', `${path}?limit=${PAGE}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    rows.push(...page[name]);
    cursor = page.nextCursor;
  }
  return rows;
};

const shownConnections = async (admin: Caller): Promise<number> =>
  (await readAll(admin, '/api/admin/customers', 'customers')).reduce(
    (sum, { activeConnections }) => sum + Number(activeConnections),
    0,
  );

export const shownPresence = async (admin: Caller): Promise<Shown> => ({
  connections: await shownConnections(admin),
  users: (await readAll(admin, '/api/admin/users', 'users')).filter(({ currentlyConnected }) => currentlyConnected).length,
});

/** Seconds until the list of customers shows exactly `connections` connections. */
export const untilShown = async (admin: Caller, connections: number): Promise<number> => {
  const begun = performance.now();
  for (;;) {
    const shown = await shownConnections(admin);
    const took = performance.now() - begun;
    if (shown === connections) return took / 1000;
    if (took > TIMEOUT_MS) throw new Error(`${shown} connections are shown instead of ${connections}`);
    await delay(POLL_MS);
  }
};
