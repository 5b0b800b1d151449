import type { UsageFilter } from '../../contracts/usage.ts';
import type { Database } from '../../database/database.ts';
import type { Service } from '../../domain/enumerations.ts';
import { QUARTER_MS } from '../../domain/time.ts';
import { type ConcurrencyLimit, limitConcurrency } from '../../flow/concurrency.ts';
import { histogramOf } from '../breakdown/counting.ts';
import { bucketOf } from '../callCounts/histogram.ts';
import type { CountedCall } from '../calls/events.ts';
import { type CallFilter, findCalls, type SearchLimits, searchOf } from '../calls/finding.ts';
import type { QueryDeps } from '../queryDeps.ts';
import { instanceKeyOf } from './instances.ts';
import { addPart, type Dimension, type Part, type Parts, textBytes, uuidBytes } from './parts.ts';
import type { Callers, Interval, UsageReader } from './reading.ts';

/** What is read of the events for one period. Calls before are not counted. */
const LIMITS: SearchLimits = { chunks: 20_000, events: 4_000, calls: 400_000, ms: 1_500 };
/** A count reads many events, so that few of them run on a node at a time. */
const CONCURRENT = 2;
const MAX_WAITING = 32;
const TIMEOUT_MS = 8_000;

/** Too many filtered counts are running. */
export class UsageBusy extends Error {}

/** Limits the counts of a node. */
export const limitCallCounts = (): ConcurrencyLimit =>
  limitConcurrency({
    concurrent: CONCURRENT,
    maxWaiting: MAX_WAITING,
    busy: () => new UsageBusy('Too many filtered counts of usage'),
  });

/** The calls that a filter leaves, and the first instant from which all of them are counted, in ms since 1970. */
export type FilteredUsage = Readonly<{
  parts: Parts;
  /** Instances by the key of their part. */
  instances: ReadonlyMap<string, { service: Service; url: string }>;
  /** Calls to services that the license did not include when they were made. */
  notIncluded: ReadonlyMap<Service, number>;
  countedFrom: number;
}>;

/** Counts the calls of an interval, which may end at any millisecond, to which the filter applies. */
export type CountFiltered = (
  callers: Callers,
  filter: UsageFilter,
  interval: Interval,
  reader: UsageReader,
) => Promise<FilteredUsage>;

type Quarter = {
  at: number;
  calls: number;
  errors: number;
  totalMs: number;
  buckets: number[];
  parts: Parts;
  notIncluded: Service[];
};

const filterOf = ({ userId }: Callers, filter: UsageFilter, { start, end }: Interval): CallFilter => {
  const { service, operation, instanceUrl, reason } = filter;
  return {
    counting: 'counted',
    ...(userId && { userId }),
    ...(service && { service }),
    ...(operation && { operation }),
    ...(instanceUrl && { instanceUrl }),
    ...(reason !== undefined && { status: reason, outcome: 'failed' }),
    from: new Date(start).toISOString(),
    to: new Date(end - 1).toISOString(),
  };
};

/** Adds up calls by quarter of an hour. They are taken newest first, so only the last quarter can be incomplete. */
const createTally = () => {
  const quarters: Quarter[] = [];
  const instances = new Map<string, { service: Service; url: string }>();

  const quarterAt = (ms: number): Quarter => {
    const at = Math.floor(ms / QUARTER_MS) * QUARTER_MS;
    const last = quarters.at(-1);
    if (last?.at === at) return last;
    const added = { at, calls: 0, errors: 0, totalMs: 0, buckets: [], parts: new Map(), notIncluded: [] };
    quarters.push(added);
    return added;
  };
  const addTo = (parts: Parts, dimension: Dimension, value: string, part: Part): void => {
    const known = parts.get(dimension + value);
    if (known) addPart(known, part);
    else parts.set(dimension + value, { ...part });
  };

  return {
    quarters,
    instances,
    take: ({ call, flush, ms }: CountedCall, isIncluded: boolean): void => {
      const quarter = quarterAt(ms);
      const durationMs = Math.max(0, Math.round(call.durationMs));
      const part: Part = { calls: 1, errors: call.ok ? 0 : 1, totalMs: durationMs, lastAt: ms };
      const key = instanceKeyOf(call.service, call.instanceUrl);
      instances.set(key, { service: call.service, url: call.instanceUrl });
      addTo(quarter.parts, 'u', uuidBytes(flush.userId), part);
      addTo(quarter.parts, 'i', uuidBytes(key), part);
      addTo(quarter.parts, 'o', textBytes(call.operation), part);
      addTo(quarter.parts, 's', textBytes(call.service), part);
      if (!call.ok) addTo(quarter.parts, 'r', String(call.status ?? ''), part);
      quarter.calls += 1;
      quarter.errors += part.errors;
      quarter.totalMs += durationMs;
      quarter.buckets.push(bucketOf(durationMs));
      if (!isIncluded) quarter.notIncluded.push(call.service);
    },
  };
};

/** Counts single calls, which the index of calls finds: stored counts have no combinations of values. */
export const filteredUsage = (
  db: Database,
  deps: Pick<QueryDeps, 'readCalls' | 'callCounts' | 'now'>,
  limits: SearchLimits = LIMITS,
): CountFiltered => {
  const count: CountFiltered = async (callers, filter, interval, reader) => {
    const calls = filterOf(callers, filter, interval);
    const search = { ...searchOf({ customerId: callers.customerId }, calls, new Date(interval.end)), after: null };
    const tally = createTally();
    const effort = { count: Number.POSITIVE_INFINITY, limits };
    const next = await findCalls(db, deps, search, calls, effort, ({ counted, isIncluded }) => tally.take(counted, isIncluded));
    const reached = next === null ? interval.start : Math.ceil(((next.second + 1) * 1000) / QUARTER_MS) * QUARTER_MS;
    const countedFrom = Math.min(interval.end, Math.max(interval.start, reached));
    const parts: Parts = new Map();
    const notIncluded = new Map<Service, number>();
    for (const { at, buckets, parts: added, notIncluded: services, ...calls } of tally.quarters.reverse()) {
      if (at < countedFrom) continue;
      const stored = histogramOf([buckets]);
      reader.quarter(at, { ...calls, stored, start: 0, end: stored.length });
      for (const [key, part] of added) {
        const known = parts.get(key);
        if (known) addPart(known, part);
        else parts.set(key, part);
      }
      for (const service of services) notIncluded.set(service, (notIncluded.get(service) ?? 0) + 1);
    }
    return { parts, instances: tally.instances, notIncluded, countedFrom };
  };

  return (callers, filter, interval, reader) =>
    deps.callCounts.run(() => count(callers, filter, interval, reader), { key: callers.customerId, timeoutMs: TIMEOUT_MS });
};
