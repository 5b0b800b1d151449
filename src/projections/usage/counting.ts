import type { CallFlush, RecordedCall } from '../../domain/apiCalls/events.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';
import { instantOf } from '../engine/recordedEvent.ts';
import { bucketOf, emptyHistogram, type Histogram } from './histogram.ts';

/** The unit of time zones: clocks of all zones differ from UTC by whole quarters of an hour. */
export const QUARTER_MS = 15 * 60_000;
const MINUTE_MS = 60_000;

/** Counted calls: number, failed ones, total duration in ms, and the histogram of durations. */
export type Count = { calls: number; errors: number; totalMs: number; histogram: Histogram };

/** A count without calls. */
export const emptyCount = (): Count => ({ calls: 0, errors: 0, totalMs: 0, histogram: emptyHistogram() });

/**
 * Equal calls of a batch: of one user, made in one quarter of an hour and arrived in one minute. `quarter` and `minute` are when these
 * begin, in ms since 1970; `order` is that of the first calls of all groups. `buckets` has those of the durations, one for each call.
 * `lastAt` is when the last one was made, in ms since 1970, and `event` the last event with such calls.
 */
export type CallGroup = Pick<RecordedCall, 'service' | 'instanceUrl' | 'operation' | 'status' | 'ok'> & {
  readonly customerId: CustomerId;
  readonly userId: UserId;
  readonly minute: number;
  readonly quarter: number;
  readonly order: number;
  lastAt: number;
  totalMs: number;
  buckets: number[];
  event: CallWatcher | null;
};

/** The failed calls of a group. */
export const errorsOf = ({ ok, buckets }: CallGroup): number => (ok ? 0 : buckets.length);

/** Is notified of the calls of one event while they are counted. `index` is a call's index in its flush. */
export type CallWatcher = Readonly<{
  /** The entry in which to count the calls of the second; `at` has milliseconds and a Z. Called when calls of another second follow. */
  secondOf: (at: string, index: number) => { calls: number; errors: number };
  /** Called once in each event for each of its groups, after `secondOf`. */
  addGroup: (group: CallGroup) => void;
}>;

/** Counts a run of calls, from the first to the last index, in their groups and in `arrived`. None of them was rejected. */
type Counter = (
  calls: CallFlush['calls'],
  run: Readonly<{ first: number; last: number }>,
  arrived: Count,
  watcher: CallWatcher | null,
) => void;

/** The calls of one batch in groups, from which all rollups are counted. Built for hundreds of thousands of calls a second. */
export type CallGroups = Readonly<{
  /** The counter of a user's calls that arrived at the instant. */
  counterOf: (customerId: CustomerId, userId: UserId, at: string) => Counter;
  /** Drops the calls of a customer, and returns what was dropped. */
  forget: (customerId: CustomerId) => CallGroup[];
  /** In the order of their first calls. */
  all: () => CallGroup[];
}>;

/** The groups of calls from one instant until before another, by operation. */
type Quarter = { start: number; groups: Map<string, CallGroup[]> };

const LENGTH = '2026-01-31T12:00:00.000Z'.length;
const SECOND_LENGTH = '2026-01-31T12:00:00'.length;
const ZERO = '0'.charCodeAt(0);
const Z = 'Z'.charCodeAt(0);
/** No instant begins with it. */
const NO_SECOND = ' ';

/** The milliseconds of an instant that begins with the second; NaN if it does not. */
const msAfter = (second: string, at: string): number =>
  at.startsWith(second) && at.length === LENGTH && at.charCodeAt(LENGTH - 1) === Z
    ? (at.charCodeAt(20) - ZERO) * 100 + (at.charCodeAt(21) - ZERO) * 10 + at.charCodeAt(22) - ZERO
    : Number.NaN;

const isLike = (group: CallGroup, call: RecordedCall): boolean =>
  group.status === call.status && group.ok === call.ok && group.service === call.service && group.instanceUrl === call.instanceUrl;

export const createCallGroups = (): CallGroups => {
  const customers = new Map<CustomerId, { groups: CallGroup[]; quarters: Map<string, Map<number, Quarter>> }>();
  let order = 0;

  const ofCustomer = (customerId: CustomerId) => {
    const known = customers.get(customerId) ?? { groups: [], quarters: new Map<string, Map<number, Quarter>>() };
    customers.set(customerId, known);
    return known;
  };

  return {
    counterOf: (customerId, userId, arrivedAt) => {
      const { groups, quarters } = ofCustomer(customerId);
      const minute = Math.floor(Date.parse(arrivedAt) / MINUTE_MS) * MINUTE_MS;
      const id = `${minute} ${userId}`;
      const known = quarters.get(id) ?? new Map<number, Quarter>();
      quarters.set(id, known);

      const quarterOf = (ms: number): Quarter => {
        const start = Math.floor(ms / QUARTER_MS) * QUARTER_MS;
        const quarter = known.get(start) ?? { start, groups: new Map<string, CallGroup[]>() };
        known.set(start, quarter);
        return quarter;
      };
      const groupOf = (call: RecordedCall, { start, groups: within }: Quarter): CallGroup => {
        const same = within.get(call.operation);
        if (same) for (const group of same) if (isLike(group, call)) return group;
        const { service, instanceUrl, operation, status, ok } = call;
        const added: CallGroup = {
          customerId,
          userId,
          minute,
          quarter: start,
          order: order++,
          service,
          instanceUrl,
          operation,
          status,
          ok,
          lastAt: Number.NEGATIVE_INFINITY,
          totalMs: 0,
          buckets: [],
          event: null,
        };
        groups.push(added);
        if (same) same.push(added);
        else within.set(operation, [added]);
        return added;
      };

      return (calls, { first, last }, arrived, watcher) => {
        let second = NO_SECOND;
        let secondMs = 0;
        let entry: { calls: number; errors: number } | undefined;
        let quarter: Quarter | undefined;
        let group: CallGroup | undefined;
        for (let index = first; index <= last; index++) {
          const call = calls[index];
          if (!call) continue;
          let ms = secondMs + msAfter(second, call.at);
          if (!quarter || Number.isNaN(ms)) {
            const at = instantOf(call.at);
            ms = Date.parse(at);
            second = at.slice(0, SECOND_LENGTH);
            secondMs = Math.floor(ms / 1_000) * 1_000;
            entry = watcher?.secondOf(at, index);
            if (quarter?.start !== Math.floor(ms / QUARTER_MS) * QUARTER_MS) {
              quarter = quarterOf(ms);
              group = undefined;
            }
          }
          // Calls are mostly like the one before, and comparing is cheaper than a look-up.
          if (!group || group.operation !== call.operation || !isLike(group, call)) group = groupOf(call, quarter);
          if (watcher && group.event !== watcher) {
            group.event = watcher;
            watcher.addGroup(group);
          }
          const durationMs = Math.max(0, Math.round(call.durationMs));
          const bucket = bucketOf(durationMs);
          group.buckets.push(bucket);
          group.totalMs += durationMs;
          if (ms > group.lastAt) group.lastAt = ms;
          arrived.calls += 1;
          arrived.totalMs += durationMs;
          arrived.histogram[bucket] = (arrived.histogram[bucket] ?? 0) + 1;
          if (entry) entry.calls += 1;
          if (call.ok) continue;
          arrived.errors += 1;
          if (entry) entry.errors += 1;
        }
      };
    },
    forget: (customerId) => {
      const dropped = customers.get(customerId)?.groups ?? [];
      customers.delete(customerId);
      return dropped;
    },
    all: () => [...customers.values()].flatMap(({ groups }) => groups).sort((one, other) => one.order - other.order),
  };
};
