import { sql } from 'kysely';
import type { CallVoid, VoidPreview } from '../../contracts/voids.ts';
import type { Database } from '../../database/database.ts';
import type { CallFlush } from '../../domain/apiCalls/events.ts';
import { boundsOf, type CallRange, isInBounds } from '../../domain/apiCalls/voids.ts';
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
/** How long events are read that the read model does not have yet. */
const UNCOUNTED_TIMEOUT_MS = 3_000;

type StoredVoid = Omit<CallRange, 'sourceId'>;

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
export const voidQueries = (db: Database, deps: Pick<QueryDeps, 'readCalls' | 'hasCallsAfter' | 'callCounts' | 'now'>) => {
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

  /**
   * Whether the read model counts a call of the sequences of a range, and the position up to which it has calls. Voids are those that voided
   * any call of the source.
   */
  const known = async (customerId: CustomerId, { sourceId, firstSequence, lastSequence }: CallRange) => {
    const { rows } = await sql<{ position: string | null; isCounted: boolean | null; voids: StoredVoid[] }>`
      select (select position::text from usage.checkpoint) as position,
        (select seen && int8multirange(int8range(${firstSequence}::int8, ${lastSequence}::int8, '[]'))
          from usage.source where customer_id = ${customerId} and source_id = ${sourceId}) as "isCounted",
        (select coalesce(json_agg(v), '[]') from (
          select first_sequence as "firstSequence", last_sequence as "lastSequence", made_from as "from", made_until as "until"
          from usage.void where customer_id = ${customerId} and source_id = ${sourceId} and calls > 0
        ) as v) as voids`.execute(db);
    const { position = null, isCounted = null, voids = [] } = rows[0] ?? {};
    return { position: position === null ? null : BigInt(position), isCounted: isCounted ?? false, voids };
  };

  /** Whether the index has a call of the range. True if finding out takes too long. */
  const isIndexed = async (customerId: CustomerId, range: CallRange): Promise<boolean> => {
    const { counting: _, ...filter } = filterOf(range);
    const search = { ...searchOf({ customerId }, filter, deps.now()), after: null };
    let isFound = false;
    const next = await findCalls(db, deps, search, filter, { count: 1, limits: LIMITS }, () => {
      isFound = true;
    });
    return isFound || next !== null;
  };

  return {
    /**
     * Whether calls of a range were recorded, also if they were voided since or the read model does not have them yet. True if finding
     * out takes too long. Tenants may not read how far the read models are, so the system asks, for an authorized customer. Throws
     * `UsageBusy`.
     */
    isRecorded: async (customerId: CustomerId, range: CallRange): Promise<boolean> => {
      const { first, last, from, until } = boundsOf(range);
      const { position, isCounted, voids } = await known(customerId, range);
      if (isCounted && range.from === null && range.until === null) return true;
      const wasVoided = voids.some((stored) => {
        const bounds = boundsOf(stored);
        return bounds.first <= last && first <= bounds.last && bounds.from < until && from < bounds.until;
      });
      if (isCounted || wasVoided) {
        const search = () => isIndexed(customerId, range);
        if (await deps.callCounts.run(search, { key: customerId, timeoutMs: TIMEOUT_MS })) return true;
      }
      const isOfRange = ({ sourceId, firstSequence, calls }: CallFlush): boolean =>
        sourceId === range.sourceId &&
        calls.some(
          (call, index) => call !== null && isInBounds({ first, last, from, until }, firstSequence + index, Date.parse(call.at)),
        );
      const isAfter = await deps.hasCallsAfter(
        position,
        (recorded) => recorded.customerId === customerId && recorded.flushes.some(isOfRange),
        UNCOUNTED_TIMEOUT_MS,
      );
      return isAfter !== false;
    },

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
