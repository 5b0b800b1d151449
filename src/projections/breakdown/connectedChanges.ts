import { type ConnectedRow, usageConnectedHourTable, usageConnectedMinuteTable } from '../../database/tables/usage.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { openAdder } from '../engine/adder.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { RESOLUTIONS, type Resolution } from './resolutions.ts';

const [, MINUTES, HOURS] = RESOLUTIONS;

/** The stored changes of each customer, as long as those of all customers are kept. */
const SPANS = [
  { shape: usageConnectedMinuteTable, sizeMs: MINUTES.sizeMs, keptMs: MINUTES.keptMs },
  { shape: usageConnectedHourTable, sizeMs: HOURS.sizeMs, keptMs: HOURS.keptMs },
] as const;

/** The table with the changes of a resolution of breakdowns. */
export const connectedTableOf = ({ sizeMs }: Resolution): (typeof SPANS)[number]['shape'] =>
  sizeMs === MINUTES.sizeMs ? usageConnectedMinuteTable : usageConnectedHourTable;

/** The changes of connected users that a batch adds. */
export type ConnectedChanges = Readonly<{
  add: (at: string, customerId: CustomerId, change: 1 | -1) => void;
  /** Drops the changes of the customer, in this batch and before. */
  forget: (customerId: CustomerId) => void;
  flush: () => Promise<void>;
}>;

type Change = { readonly at: number; readonly customerId: CustomerId; readonly change: 1 | -1 };

/** Opens the changes of connected users for one batch. They are added without being read. */
export const openConnectedChanges = (session: DatabaseSession, schema: string): ConnectedChanges => {
  let changes: Change[] = [];
  const forgotten = new Set<CustomerId>();

  const write = async ({ shape, sizeMs, keptMs }: (typeof SPANS)[number]): Promise<void> => {
    const table = `${schema}.${shape.table}`;
    if (forgotten.size > 0) await session.query(`delete from ${table} where customer_id = any($1::uuid[])`, [[...forgotten]]);
    if (changes.length === 0) return;
    const rows = openAdder<ConnectedRow>(shape, { connected: 'sum' }, session, schema);
    for (const { at, customerId, change } of changes) {
      const start = new Date(Math.floor(at / sizeMs) * sizeMs).toISOString();
      rows.add({ at: start, customer_id: customerId, connected: change });
    }
    await rows.flush();
    await session.query(`delete from ${table} where at < (select max(at) from ${table}) - make_interval(secs => $1)`, [
      keptMs / 1000,
    ]);
  };

  return {
    add: (at, customerId, change) => void changes.push({ at: Date.parse(at), customerId, change }),
    forget: (customerId) => {
      forgotten.add(customerId);
      changes = changes.filter((change) => change.customerId !== customerId);
    },
    flush: async () => {
      await Promise.all(SPANS.map(write));
    },
  };
};
