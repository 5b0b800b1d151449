import type { CallsQuery } from '../../contracts/calls.ts';
import type { Database } from '../../database/database.ts';
import { isOfClass } from '../../domain/apiCalls/outcome.ts';
import type { CallVoidId } from '../../domain/ids.ts';
import { MAX_CALL_AHEAD_MS } from '../../domain/limits.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { QueryDeps } from '../queryDeps.ts';
import { type CallEvents, type CountedCall, openCallEvents } from './events.ts';
import { ANY_SERVICE, digestOf, serviceBit } from './records.ts';
import { type CallKey, type CallScope, type FoundSecond, type Search, searchSeconds } from './search.ts';
import { openVoids, type Voids } from './voids.ts';

/** What the listed calls have in common. Sequences are inclusive. */
export type CallFilter = Omit<CallsQuery, 'limit' | 'cursor' | 'customerId' | 'serviceIntegratorId' | 'range'> &
  Readonly<{ firstSequence?: number; lastSequence?: number }>;

/** A search ends after so many chunks, events, calls or milliseconds, with what it found. */
export type SearchLimits = Readonly<{ chunks: number; events: number; calls: number; ms: number }>;

/** A slow machine does at least this before the time ends a search, so that a short list is never cut. */
const FEWEST_EVENTS = 16;
const FEWEST_CHUNKS = 500;
/** Events and calls that are read together. */
const EVENTS_TOGETHER = 64;
const CALLS_TOGETHER = 5_000;

const secondOf = (instant: string): number => Math.floor(Date.parse(instant) / 1000);
/** Counted from 1970. */
const dayIndexOf = (instant: string): number => Math.floor(Date.parse(instant) / DAY_MS);

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
export const searchOf = (scope: CallScope, filter: CallFilter, now: Date): Omit<Search, 'after'> => ({
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
  to: Math.min(
    filter.to ? secondOf(filter.to) : Number.POSITIVE_INFINITY,
    Math.ceil(((filter.receivedTo ? Date.parse(filter.receivedTo) : now.getTime()) + MAX_CALL_AHEAD_MS) / 1000),
  ),
  receivedDays: {
    first: filter.receivedFrom ? dayIndexOf(filter.receivedFrom) - 1 : Number.NEGATIVE_INFINITY,
    last: filter.receivedTo ? dayIndexOf(filter.receivedTo) + 1 : Number.POSITIVE_INFINITY,
  },
});

/** Whether a call is one of those that the filter names. */
const matcherOf = (filter: CallFilter): ((counted: CountedCall) => boolean) => {
  const { userId, service, operation, instanceUrl, outcome, status, sourceId, minDurationMs = 0 } = filter;
  const { maxDurationMs = Number.POSITIVE_INFINITY, firstSequence = 0, lastSequence = Number.POSITIVE_INFINITY } = filter;
  const from = filter.from ? Date.parse(filter.from) : Number.NEGATIVE_INFINITY;
  const to = filter.to ? Date.parse(filter.to) : Number.POSITIVE_INFINITY;
  const receivedFrom = filter.receivedFrom ? Date.parse(filter.receivedFrom) : Number.NEGATIVE_INFINITY;
  const receivedTo = filter.receivedTo ? Date.parse(filter.receivedTo) : Number.POSITIVE_INFINITY;
  const isReceivedIn = (at: string): boolean => {
    const received = Date.parse(at);
    return received >= receivedFrom && received <= receivedTo;
  };
  const isReceived = filter.receivedFrom || filter.receivedTo ? isReceivedIn : () => true;
  return ({ call, flush, ms, sequence, event }) =>
    (userId === undefined || flush.userId === userId) &&
    (sourceId === undefined || flush.sourceId === sourceId) &&
    sequence >= firstSequence &&
    sequence <= lastSequence &&
    (service === undefined || call.service === service) &&
    (operation === undefined || call.operation === operation) &&
    (instanceUrl === undefined || call.instanceUrl === instanceUrl) &&
    (outcome === undefined || call.ok === (outcome === 'successful')) &&
    (status === undefined || hasStatus(call.status, status)) &&
    call.durationMs >= minDurationMs &&
    call.durationMs <= maxDurationMs &&
    ms >= from &&
    ms <= to &&
    isReceived(event.meta.at);
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

/** A matching call, its position in the list, what voided it (null if it counts), and whether the license included its service. */
export type FoundCall = Readonly<{ key: CallKey; counted: CountedCall; voidId: CallVoidId | null; isIncluded: boolean }>;

/** The calls of a second that match, the last one of the event first. */
const matchesIn = (
  events: CallEvents,
  voids: Voids,
  second: FoundSecond,
  after: CallKey | null,
  fits: (call: CountedCall) => boolean,
  { counting, entitlement }: CallFilter,
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
    .filter((counted) => (!isLast || counted.index < after.index) && fits(counted))
    .map((counted) => {
      const key = { second: at, received, revision, customerId, index: counted.index };
      return { key, counted, voidId: voids.of(customerId, counted), isIncluded: voids.isIncluded(customerId, counted) };
    })
    .filter(
      ({ voidId, isIncluded }) =>
        (counting === undefined || (counting === 'voided') === (voidId !== null)) &&
        (entitlement === undefined || (entitlement === 'included') === isIncluded),
    )
    .reverse();
};

/** How long a search goes on: until so many calls are found, or the limits are reached. */
export type Effort = Readonly<{ count: number; limits: SearchLimits }>;

/**
 * Calls back with matching calls, newest first, at least `count` of them unless the search ends before. Returns where it continues, null
 * at the end.
 */
export const findCalls = async (
  db: Database,
  { readCalls, now }: Pick<QueryDeps, 'readCalls' | 'now'>,
  search: Search,
  filter: CallFilter,
  { count, limits }: Effort,
  take: (call: FoundCall) => void,
): Promise<CallKey | null> => {
  const events = openCallEvents(readCalls);
  const voids = openVoids(db);
  const fits = matcherOf(filter);
  const until = now().getTime() + limits.ms;
  let [found, chunks] = [0, 0];
  const isOver = (): boolean => {
    const read = events.read();
    if (read.events >= limits.events || read.calls >= limits.calls || chunks >= limits.chunks) return true;
    return (read.events >= FEWEST_EVENTS || chunks >= FEWEST_CHUNKS) && now().getTime() >= until;
  };
  let effort = 1;
  for await (const { seconds, reached } of searchSeconds(db, search, (more) => {
    chunks += more;
  })) {
    for (let start = 0; start < seconds.length; ) {
      const group = nextGroup(seconds, start, (count - found) * effort);
      await Promise.all([events.load(group), voids.load(group.map(({ customerId }) => customerId))]);
      for (const second of group) {
        for (const call of matchesIn(events, voids, second, search.after, fits, filter)) {
          found += 1;
          take(call);
        }
      }
      start += group.length;
      const last = group.at(-1);
      if (!last) break;
      const next = { ...last, index: 0 };
      if (found >= count || isOver()) return next;
      effort *= 2;
    }
    if (isOver()) return reached;
  }
  return null;
};
