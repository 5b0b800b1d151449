import { sql } from 'kysely';
import type { CallVoid, VoidPreview } from '../../contracts/voids.ts';
import type { Database } from '../../database/database.ts';
import { boundsOf, type CallRange } from '../../domain/apiCalls/voids.ts';
import type { Service } from '../../domain/enumerations.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';
import { MAX_VOIDS } from '../../domain/limits.ts';
import { dayOf } from '../../domain/time.ts';
import { type HistoryReader, nameOf, namesOf } from '../history/showing.ts';
import type { QueryDeps } from '../queryDeps.ts';
import { type CallFilter, findCalls, type SearchLimits, searchOf } from './finding.ts';

/** What a preview reads. Earlier calls are not counted. */
const LIMITS: SearchLimits = { chunks: 20_000, events: 8_000, calls: 800_000, ms: 3_000 };
const TIMEOUT_MS = 8_000;

const filterOf = (range: CallRange): CallFilter => {
  const { first, last, until } = boundsOf(range);
  return {
    counting: 'counted',
    sourceId: range.sourceId,
    firstSequence: first,
    lastSequence: last,
    ...(range.from !== null && { from: range.from }),
    ...(range.until !== null && { to: new Date(until - 1).toISOString() }),
  };
};

const byCalls = <Key>(counts: ReadonlyMap<Key, number>): [Key, number][] => [...counts].sort(([, one], [, other]) => other - one);

/** Queries on voided calls. */
export const voidQueries = (db: Database, deps: Pick<QueryDeps, 'readCalls' | 'callCounts' | 'now'>) => {
  const count = async (customerId: CustomerId, range: CallRange): Promise<VoidPreview> => {
    const filter = filterOf(range);
    const search = { ...searchOf({ customerId }, filter, deps.now()), after: null };
    const [days, services, users] = [new Map<string, number>(), new Map<Service, number>(), new Map<UserId, number>()];
    let [calls, errors, first, last] = [0, 0, Number.POSITIVE_INFINITY, 0];
    const more = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);
    const next = await findCalls(
      db,
      deps,
      search,
      filter,
      { count: Number.POSITIVE_INFINITY, limits: LIMITS },
      ({ counted: { call, flush, sequence, ms } }) => {
        calls += 1;
        if (!call.ok) errors += 1;
        first = Math.min(first, sequence);
        last = Math.max(last, sequence);
        more(days, dayOf(ms));
        more(services, call.service);
        more(users, flush.userId);
      },
    );
    const names = await db
      .selectFrom('read.portal_user')
      .select(['user_id', 'username'])
      .where('customer_id', '=', customerId)
      .where(sql<boolean>`user_id = any(${[...users.keys()]}::uuid[])`)
      .execute();
    const nameOfUser = new Map(names.map(({ user_id: id, username }) => [id, username]));
    return {
      calls,
      errors,
      firstSequence: calls === 0 ? null : first,
      lastSequence: calls === 0 ? null : last,
      days: [...days].map(([day, counted]) => ({ day, calls: counted })).sort((one, other) => (one.day < other.day ? -1 : 1)),
      services: byCalls(services).map(([service, counted]) => ({ service, calls: counted })),
      users: byCalls(users).map(([userId, counted]) => ({ userId, username: nameOfUser.get(userId) ?? null, calls: counted })),
      countedFrom: next && new Date((next.second + 1) * 1_000).toISOString(),
    };
  };

  return {
    /** The counted calls of a range. Throws `UsageBusy`. */
    preview: (customerId: CustomerId, range: CallRange): Promise<VoidPreview> =>
      deps.callCounts.run(() => count(customerId, range), { key: customerId, timeoutMs: TIMEOUT_MS }),

    /** All voids of a customer, newest first, with the names of who voided that the reader may see. */
    of: async (customerId: CustomerId, reader: HistoryReader): Promise<CallVoid[]> => {
      const rows = await db
        .selectFrom('usage.void')
        .selectAll()
        .where('customer_id', '=', customerId)
        .orderBy('position', 'desc')
        .limit(MAX_VOIDS)
        .execute();
      const names = await namesOf(db, reader, rows);
      return rows.map((row) => ({
        voidId: row.void_id,
        at: row.at.toISOString(),
        by: nameOf(names, reader, row),
        reason: row.reason,
        sourceId: row.source_id,
        firstSequence: row.first_sequence,
        lastSequence: row.last_sequence,
        from: row.made_from?.toISOString() ?? null,
        until: row.made_until?.toISOString() ?? null,
        calls: row.calls,
        errors: row.errors,
        users: row.users,
        firstAt: row.first_at?.toISOString() ?? null,
        lastAt: row.last_at?.toISOString() ?? null,
      }));
    },
  };
};
