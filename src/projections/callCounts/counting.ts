import { type CallSlice, failureFrom } from '../../domain/apiCalls/columns.ts';
import type { RecordedCall } from '../../domain/apiCalls/events.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';
import { MINUTE_MS, QUARTER_MS } from '../../domain/time.ts';
import { bucketOf, emptyHistogram, type Histogram } from './histogram.ts';

const SECOND_MS = 1_000;

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
  /** The entry in which to count the calls of the second from `at` (ms since 1970). Called when calls of another second follow. */
  secondOf: (at: number, index: number) => { calls: number; errors: number };
  /** Called once in each event for each of its groups, after `secondOf`. */
  addGroup: (group: CallGroup) => void;
}>;

/** Counts a run of calls, from the first to the last index, in their groups and in `arrived`. None of them was rejected. */
type Counter = (
  slice: CallSlice,
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

type Like = Omit<RecordedCall, 'at' | 'durationMs'>;

const isLike = (group: CallGroup, call: Like): boolean =>
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
      const groupOf = (call: Like, { start, groups: within }: Quarter): CallGroup => {
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

      return ({ columns, from }, { first, last }, arrived, watcher) => {
        const { instances, operations, instance, operation, status, durationMs, start, after, failed } = columns;
        let failure = failureFrom(columns, from + first);
        let second = Number.NaN;
        let entry: { calls: number; errors: number } | undefined;
        let quarter: Quarter | undefined;
        /** The last group of each instance and operation in the quarter: comparing is cheaper than a look-up by texts. */
        let latest = new Map<number, CallGroup>();
        const groupAt = (index: number, of: number, ok: boolean, within: Quarter): CallGroup => {
          const key = (operation[index] ?? 0) * instances.length + of;
          const code = status[index] || null;
          const before = latest.get(key);
          if (before && before.ok === ok && before.status === code) return before;
          const [service, instanceUrl] = instances[of] ?? [];
          const text = operations[operation[index] ?? 0];
          if (service === undefined || instanceUrl === undefined || text === undefined) throw new Error('Inconsistent columns');
          const group = groupOf({ service, instanceUrl, operation: text, status: code, ok }, within);
          latest.set(key, group);
          return group;
        };
        for (let index = from + first; index <= from + last; index++) {
          const of = instance[index] ?? null;
          if (of === null) continue;
          const ok = failed[failure] !== index;
          if (!ok) failure += 1;
          const ms = start + (after[index] ?? 0);
          if (!quarter || ms < second || ms >= second + SECOND_MS) {
            second = Math.floor(ms / SECOND_MS) * SECOND_MS;
            entry = watcher?.secondOf(second, index - from);
            if (quarter?.start !== Math.floor(ms / QUARTER_MS) * QUARTER_MS) {
              quarter = quarterOf(ms);
              latest = new Map();
            }
          }
          const group = groupAt(index, of, ok, quarter);
          if (watcher && group.event !== watcher) {
            group.event = watcher;
            watcher.addGroup(group);
          }
          const duration = Math.max(0, Math.round(durationMs[index] ?? 0));
          const bucket = bucketOf(duration);
          group.buckets.push(bucket);
          group.totalMs += duration;
          if (ms > group.lastAt) group.lastAt = ms;
          arrived.calls += 1;
          arrived.totalMs += duration;
          arrived.histogram[bucket] = (arrived.histogram[bucket] ?? 0) + 1;
          if (entry) entry.calls += 1;
          if (ok) continue;
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
