import { sql } from 'kysely';
import type { InstanceUsage } from '../../contracts/usage.ts';
import type { Database } from '../../database/database.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';
import { addEncoded, emptyHistogram, encodeHistogram } from './histogram.ts';

/** The most instances that a reply lists. */
export const SHOWN_INSTANCES = 500;

/** A user of a customer whose calls are read. */
export type CallingUser = Readonly<{ customerId: CustomerId; userId: UserId }>;

/** The calls of one UTC day, yyyy-mm-dd. */
export type Day = { day: string; calls: number; errors: number; total_ms: number; histogram: Buffer };

/** The average duration of calls, ms. */
export const average = (totalMs: number, calls: number): number => (calls === 0 ? 0 : totalMs / calls);

type InstanceRow = Pick<InstanceUsage, 'service' | 'errors'> & {
  instance_url: string;
  calls: number;
  total_ms: number;
  last_at: Date;
};

/** An instance as replies contain it. */
export const instanceOf = (row: InstanceRow): InstanceUsage => ({
  instanceUrl: row.instance_url,
  service: row.service,
  apiCalls: row.calls,
  errors: row.errors,
  avgResponseTime: average(row.total_ms, row.calls),
  lastActive: row.last_at.toISOString(),
});

const rowsOfUser = (db: Database, { customerId, userId }: CallingUser) =>
  db.selectFrom('usage.user_instance_day as u').where('u.customer_id', '=', customerId).where('u.user_id', '=', userId);

/** A user's days with calls, oldest first. */
export const userDaysOf = async (db: Database, user: CallingUser, from: string, to: string): Promise<Day[]> => {
  const rows = await rowsOfUser(db, user)
    .select([sql<string>`u.day::text`.as('day'), 'u.calls', 'u.errors', 'u.total_ms', 'u.histogram'])
    .where('u.day', '>=', from)
    .where('u.day', '<=', to)
    .orderBy('u.day')
    .execute();
  const days = new Map<string, Day>();
  for (const row of rows) {
    const known = days.get(row.day);
    if (!known) {
      days.set(row.day, row);
      continue;
    }
    const histogram = emptyHistogram();
    addEncoded(histogram, known.histogram);
    addEncoded(histogram, row.histogram);
    days.set(row.day, {
      day: row.day,
      calls: known.calls + row.calls,
      errors: known.errors + row.errors,
      total_ms: known.total_ms + row.total_ms,
      histogram: encodeHistogram(histogram),
    });
  }
  return [...days.values()];
};

/** The instances that a user called, by calls. */
export const userInstances = async (db: Database, user: CallingUser, from: string, to: string): Promise<InstanceUsage[]> => {
  const rows = await rowsOfUser(db, user)
    .innerJoin('usage.instance as i', (on) =>
      on.onRef('i.customer_id', '=', 'u.customer_id').onRef('i.instance_key', '=', 'u.instance_key'),
    )
    .select(['i.instance_url', 'i.service'])
    .select(sql<number>`sum(u.calls)::int8`.as('calls'))
    .select(sql<number>`sum(u.errors)::int8`.as('errors'))
    .select(sql<number>`sum(u.total_ms)::int8`.as('total_ms'))
    .select(sql<Date>`max(u.last_at)`.as('last_at'))
    .where('u.day', '>=', from)
    .where('u.day', '<=', to)
    .groupBy(['i.instance_key', 'i.instance_url', 'i.service'])
    .orderBy('calls', 'desc')
    .orderBy('i.instance_url')
    .orderBy('i.service')
    .limit(SHOWN_INSTANCES)
    .execute();
  return rows.map(instanceOf);
};
