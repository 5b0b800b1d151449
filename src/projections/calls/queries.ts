import type { CallsQuery, RecordedCallEntry } from '../../contracts/calls.ts';
import type { Database } from '../../database/database.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';
import { cursorOf, pageEndOf } from '../lists/cursor.ts';
import type { QueryDeps } from '../queryDeps.ts';
import { type CallFilter, type FoundCall, findCalls, type SearchLimits, searchOf } from './finding.ts';
import type { CallKey, CallScope } from './search.ts';

export type CallsPage = { calls: RecordedCallEntry[]; nextCursor: string | null; searchedTo: string | null };

const SORT = '-calls';
/** The bounds of the search for one page; `ms` is its longest time. */
const PAGE_LIMITS: SearchLimits = { chunks: 4_000, events: 400, calls: 50_000, ms: 100 };
const EXPORT_PAGE = 500;

const cursorFrom = ({ second, received, revision, customerId, index }: CallKey): string =>
  cursorOf(SORT, { value: [second, received, revision, index].join('/'), id: customerId });

const keyFrom = (cursor: string): CallKey => {
  const { value, id } = pageEndOf(cursor, SORT, (text) => /^\d{1,11}\/(-1|\d{1,6})\/\d{1,15}\/\d{1,9}$/.test(String(text)));
  const [second = 0, received = 0, revision = 0, index = 0] = String(value).split('/').map(Number);
  return { second, received, revision, customerId: id, index };
};

const instantOf = (second: number): string => new Date(second * 1000).toISOString();

type Names = Readonly<{ customers: ReadonlyMap<string, string>; users: ReadonlyMap<string, string> }>;

const namesOf = async (db: Database, calls: readonly FoundCall[]): Promise<Names> => {
  if (calls.length === 0) return { customers: new Map(), users: new Map() };
  const customerIds = [...new Set(calls.map(({ key }) => key.customerId as CustomerId))];
  const userIds = [...new Set(calls.map(({ counted }) => counted.flush.userId as UserId))];
  const [customers, users] = await Promise.all([
    db.selectFrom('read.customer').select(['customer_id', 'name']).where('customer_id', 'in', customerIds).execute(),
    db.selectFrom('read.portal_user').select(['user_id', 'username']).where('user_id', 'in', userIds).execute(),
  ]);
  return {
    customers: new Map(customers.map(({ customer_id: id, name }) => [id, name])),
    users: new Map(users.map(({ user_id: id, username }) => [id, username])),
  };
};

const shown = ({ key, counted, voidId, isIncluded }: FoundCall, { customers, users }: Names): RecordedCallEntry => {
  const { call, flush, index, event } = counted;
  return {
    id: `${event.id}.${index}`,
    at: call.at,
    receivedAt: event.meta.at,
    customer: { customerId: key.customerId, name: customers.get(key.customerId) ?? null },
    user: { userId: flush.userId, username: users.get(flush.userId) ?? null },
    service: call.service,
    instanceUrl: call.instanceUrl,
    operation: call.operation,
    isSuccessful: call.ok,
    status: call.status,
    durationMs: call.durationMs,
    sourceId: flush.sourceId,
    sequence: counted.sequence,
    eventId: event.id,
    ...(voidId !== null && { voidId }),
    ...(!isIncluded && { isNotIncluded: true as const }),
  };
};

/** Queries on single recorded calls: they are read from the events, which the index of calls finds. */
export const callQueries = (db: Database, deps: Pick<QueryDeps, 'readCalls' | 'now'>) => {
  const page = async (
    scope: CallScope,
    { limit, cursor, ...filter }: CallFilter & Pick<CallsQuery, 'limit' | 'cursor'>,
  ): Promise<CallsPage> => {
    const after = cursor === undefined ? null : keyFrom(cursor);
    const search = { ...searchOf(scope, filter, deps.now()), after };
    const found: FoundCall[] = [];
    const next = await findCalls(db, deps, search, filter, { count: limit + 1, limits: PAGE_LIMITS }, (call) => found.push(call));
    const calls = found.slice(0, limit);
    const last = calls.at(-1);
    const end = found.length > limit && last ? last.key : next;
    const names = await namesOf(db, calls);
    return {
      calls: calls.map((call) => shown(call, names)),
      nextCursor: end && cursorFrom(end),
      searchedTo: found.length <= limit && next ? instantOf(next.second) : null,
    };
  };

  return {
    /** A page, newest first. Throws `InvalidCursor`. */
    page,

    /** All matching calls, newest first, read a page at a time as they are taken. */
    export: async function* (scope: CallScope, filter: CallFilter): AsyncGenerator<RecordedCallEntry> {
      let cursor: string | undefined;
      do {
        const { calls, nextCursor }: CallsPage = await page(scope, { ...filter, limit: EXPORT_PAGE, ...(cursor && { cursor }) });
        yield* calls;
        cursor = nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
  };
};
