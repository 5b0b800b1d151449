import type { RecordedCall } from '../../domain/apiCalls/events.ts';
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
 */
export type CallGroup = Pick<RecordedCall, 'service' | 'instanceUrl' | 'operation' | 'status' | 'ok'> & {
  readonly customerId: CustomerId;
  readonly userId: UserId;
  readonly minute: number;
  readonly quarter: number;
  readonly order: number;
  lastAt: string;
  totalMs: number;
  buckets: number[];
};

/** The failed calls of a group. */
export const errorsOf = ({ ok, buckets }: CallGroup): number => (ok ? 0 : buckets.length);

/** The calls of one batch in groups, from which all rollups are counted. Built for hundreds of thousands of calls a second. */
export type CallGroups = Readonly<{
  /** Counts a call of the user that arrived at the instant, in its group and in `arrived`. */
  counterOf: (customerId: CustomerId, userId: UserId, at: string) => (call: RecordedCall, arrived: Count) => void;
  /** Drops the calls of a customer, and returns what was dropped. */
  forget: (customerId: CustomerId) => CallGroup[];
  /** In the order of their first calls. */
  all: () => CallGroup[];
}>;

/** The groups of calls from one instant until before another, by operation. */
type Quarter = { from: string; to: string; start: number; groups: Map<string, CallGroup[]> };

const countIn = (count: Count, bucket: number, durationMs: number, ok: boolean): void => {
  count.calls += 1;
  if (!ok) count.errors += 1;
  count.totalMs += durationMs;
  count.histogram[bucket] = (count.histogram[bucket] ?? 0) + 1;
};

const quarterOf = (at: string): Quarter => {
  const start = Math.floor(Date.parse(at) / QUARTER_MS) * QUARTER_MS;
  return { from: new Date(start).toISOString(), to: new Date(start + QUARTER_MS).toISOString(), start, groups: new Map() };
};

const isLike = (group: CallGroup, call: RecordedCall): boolean =>
  group.status === call.status && group.ok === call.ok && group.service === call.service && group.instanceUrl === call.instanceUrl;

export const createCallGroups = (): CallGroups => {
  const customers = new Map<CustomerId, { groups: CallGroup[]; quarters: Map<string, Quarter[]> }>();
  let order = 0;

  const ofCustomer = (customerId: CustomerId) => {
    const known = customers.get(customerId) ?? { groups: [], quarters: new Map<string, Quarter[]>() };
    customers.set(customerId, known);
    return known;
  };

  return {
    counterOf: (customerId, userId, arrivedAt) => {
      const { groups, quarters } = ofCustomer(customerId);
      const minute = Math.floor(Date.parse(arrivedAt) / MINUTE_MS) * MINUTE_MS;
      const id = `${minute} ${userId}`;
      const known = quarters.get(id) ?? [];
      quarters.set(id, known);
      let quarter: Quarter | undefined;
      let last: CallGroup | undefined;

      const turnTo = (at: string): Quarter => {
        const found = known.find(({ from, to }) => at >= from && at < to);
        if (found) return found;
        const added = quarterOf(at);
        known.push(added);
        return added;
      };
      const groupOf = (call: RecordedCall, at: string, within: Quarter): CallGroup => {
        const same = within.groups.get(call.operation);
        if (same) for (const group of same) if (isLike(group, call)) return group;
        const { service, instanceUrl, operation, status, ok } = call;
        const added: CallGroup = {
          customerId,
          userId,
          minute,
          quarter: within.start,
          order: order++,
          service,
          instanceUrl,
          operation,
          status,
          ok,
          lastAt: at,
          totalMs: 0,
          buckets: [],
        };
        groups.push(added);
        if (same) same.push(added);
        else within.groups.set(operation, [added]);
        return added;
      };

      return (call, arrived) => {
        const at = instantOf(call.at);
        if (!quarter || at < quarter.from || at >= quarter.to) {
          quarter = turnTo(at);
          last = undefined;
        }
        // Calls are mostly like the one before, and comparing is cheaper than a look-up.
        if (!last || last.operation !== call.operation || !isLike(last, call)) last = groupOf(call, at, quarter);
        const durationMs = Math.max(0, Math.round(call.durationMs));
        const bucket = bucketOf(durationMs);
        countIn(arrived, bucket, durationMs, call.ok);
        last.buckets.push(bucket);
        last.totalMs += durationMs;
        if (at > last.lastAt) last.lastAt = at;
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
