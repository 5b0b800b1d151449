import type { CallsQuery, RecordedCallEntry } from '../../contracts/calls.ts';
import type { Database } from '../../database/database.ts';
import { isOfClass } from '../../domain/apiCalls/outcome.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';
import { MAX_CALL_AHEAD_MS } from '../../domain/limits.ts';
import { cursorOf, pageEndOf } from '../lists/cursor.ts';
import type { QueryDeps } from '../queryDeps.ts';
import { type CallEvents, type CountedCall, openCallEvents } from './events.ts';
import { ANY_SERVICE, digestOf, serviceBit } from './records.ts';
import { type CallKey, type CallScope, type FoundSecond, type Search, searchSeconds } from './search.ts';

/** What the listed calls have in common. */
export type CallFilter = Omit<CallsQuery, 'limit' | 'cursor' | 'customerId' | 'serviceIntegratorId'>;

export type CallsPage = { calls: RecordedCallEntry[]; nextCursor: string | null; searchedTo: string | null };

const SORT = '-calls';
/** After so many chunks, events, calls or milliseconds a page is returned as it is. */
const MAX_CHUNKS = 4_000;
const MAX_EVENTS = 400;
const MAX_CALLS = 50_000;
const MAX_MS = 100;
/** A slow machine does at least this before the time ends a search, so that a short list is never cut. */
const FEWEST_EVENTS = 16;
const FEWEST_CHUNKS = 500;
/** Events and calls that are read together. */
const EVENTS_TOGETHER = 64;
const CALLS_TOGETHER = 5_000;
const EXPORT_PAGE = 500;

const cursorFrom = ({ second, received, revision, customerId, place }: CallKey): string =>
  cursorOf(SORT, { value: [second, received, revision, place].join('/'), id: customerId });

const keyFrom = (cursor: string): CallKey => {
  const { value, id } = pageEndOf(cursor, SORT, (text) => /^\d{1,11}\/(-1|\d{1,6})\/\d{1,15}\/\d{1,9}$/.test(String(text)));
  const [second = 0, received = 0, revision = 0, place = 0] = String(value).split('/').map(Number);
  return { second, received, revision, customerId: id, place };
};

const secondOf = (instant: string): number => Math.floor(Date.parse(instant) / 1000);
const instantOf = (second: number): string => new Date(second * 1000).toISOString();

/** The index has single statuses: a class is compared when the events are read. */
const statusDigests = (status: CallFilter['status']): number[] => {
  if (status === undefined) return [];
  if (status === 'none') return [digestOf('status', 'null')];
  return typeof status === 'number' ? [digestOf('status', String(status))] : [];
};

const hasStatus = (status: number | null, wanted: NonNullable<CallFilter['status']>): boolean => {
  if (wanted === 'none') return status === null;
  return typeof wanted === 'number' ? status === wanted : isOfClass(status, wanted);
};

/** What the index can find of a filter. */
const searchOf = (scope: CallScope, filter: CallFilter, now: Date): Omit<Search, 'after'> => ({
  scope,
  wanted: {
    digests: [
      ...(filter.userId ? [digestOf('user', filter.userId)] : []),
      ...(filter.instanceUrl ? [digestOf('instance', filter.instanceUrl)] : []),
      ...(filter.operation ? [digestOf('operation', filter.operation)] : []),
      ...statusDigests(filter.status),
    ],
    services: filter.service ? serviceBit(filter.service) : ANY_SERVICE,
    isFailed: filter.outcome === 'failed',
  },
  from: filter.from ? secondOf(filter.from) : 0,
  to: Math.min(filter.to ? secondOf(filter.to) : Number.POSITIVE_INFINITY, Math.ceil((now.getTime() + MAX_CALL_AHEAD_MS) / 1000)),
});

/** Whether a call is one of those that the filter names. */
const matcherOf = (filter: CallFilter): ((counted: CountedCall) => boolean) => {
  const { userId, service, operation, instanceUrl, outcome, status, sourceId, minDurationMs = 0 } = filter;
  const { maxDurationMs = Number.POSITIVE_INFINITY } = filter;
  const from = filter.from ? Date.parse(filter.from) : Number.NEGATIVE_INFINITY;
  const to = filter.to ? Date.parse(filter.to) : Number.POSITIVE_INFINITY;
  return ({ call, flush, ms }) =>
    (userId === undefined || flush.userId === userId) &&
    (sourceId === undefined || flush.sourceId === sourceId) &&
    (service === undefined || call.service === service) &&
    (operation === undefined || call.operation === operation) &&
    (instanceUrl === undefined || call.instanceUrl === instanceUrl) &&
    (outcome === undefined || call.ok === (outcome === 'successful')) &&
    (status === undefined || hasStatus(call.status, status)) &&
    call.durationMs >= minDurationMs &&
    call.durationMs <= maxDurationMs &&
    ms >= from &&
    ms <= to;
};

/** The next seconds to read together: as many as should have the wanted number of calls. */
const nextGroup = (seconds: readonly FoundSecond[], start: number, wanted: number): readonly FoundSecond[] => {
  const events = new Set<string>();
  let [calls, read] = [0, 0];
  let end = start;
  for (; end < seconds.length && calls < wanted && events.size < EVENTS_TOGETHER && read < CALLS_TOGETHER; end++) {
    const second = seconds[end];
    if (!second) break;
    const event = `${second.customerId} ${second.received} ${second.revision}`;
    if (!events.has(event)) read += second.record.calls;
    events.add(event);
    calls += second.calls;
  }
  return seconds.slice(start, end);
};

type FoundCall = Readonly<{ key: CallKey; counted: CountedCall }>;

/** The calls of a second that match, the last one of the event first. */
const matchesIn = (
  events: CallEvents,
  second: FoundSecond,
  after: CallKey | null,
  fits: (call: CountedCall) => boolean,
): FoundCall[] => {
  const { second: at, received, revision, customerId } = second;
  const isLast =
    after !== null &&
    after.second === at &&
    after.received === received &&
    after.revision === revision &&
    after.customerId === customerId;
  return events
    .callsOf(second)
    .filter((counted) => (!isLast || counted.place < after.place) && fits(counted))
    .map((counted) => ({ key: { second: at, received, revision, customerId, place: counted.place }, counted }))
    .reverse();
};

/** Finds at least `count` calls, unless the search ends before; `next` is where it continues, null at the end. */
const find = async (
  db: Database,
  { readCalls, now }: Pick<QueryDeps, 'readCalls' | 'now'>,
  search: Search,
  filter: CallFilter,
  count: number,
): Promise<{ found: FoundCall[]; next: CallKey | null }> => {
  const events = openCallEvents(readCalls);
  const fits = matcherOf(filter);
  const found: FoundCall[] = [];
  const until = now().getTime() + MAX_MS;
  let chunks = 0;
  const isOver = (): boolean => {
    const read = events.read();
    if (read.events >= MAX_EVENTS || read.calls >= MAX_CALLS || chunks >= MAX_CHUNKS) return true;
    return (read.events >= FEWEST_EVENTS || chunks >= FEWEST_CHUNKS) && now().getTime() >= until;
  };
  let effort = 1;
  for await (const { seconds, reached } of searchSeconds(db, search, (more) => {
    chunks += more;
  })) {
    for (let start = 0; start < seconds.length; ) {
      const group = nextGroup(seconds, start, (count - found.length) * effort);
      await events.load(group);
      for (const second of group) found.push(...matchesIn(events, second, search.after, fits));
      start += group.length;
      const last = group.at(-1);
      if (!last) break;
      const next = { ...last, place: 0 };
      if (found.length >= count || isOver()) return { found, next };
      effort *= 2;
    }
    if (isOver()) return { found, next: reached };
  }
  return { found, next: null };
};

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

const shown = ({ key, counted }: FoundCall, { customers, users }: Names): RecordedCallEntry => {
  const { call, flush, place, event } = counted;
  return {
    id: `${event.id}.${place}`,
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
    const { found, next } = await find(db, deps, search, filter, limit + 1);
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
