import type { RecordedCall } from '../../domain/apiCalls/events.ts';
import type { Service } from '../../domain/credential/events.ts';
import type { UserId } from '../../domain/ids.ts';
import { dayOf } from '../days.ts';
import { instantOf } from '../engine/recordedEvent.ts';
import { bucketOf, emptyHistogram, type Histogram } from './histogram.ts';

/** Counted calls: number, failed ones, total duration in ms, and the histogram of durations. */
export type Count = { calls: number; errors: number; totalMs: number; histogram: Histogram };

/** A count without calls. */
export const emptyCount = (): Count => ({ calls: 0, errors: 0, totalMs: 0, histogram: emptyHistogram() });

/** Calls of a user to one instance on one day. */
export type Slot = Count & { userId: UserId; day: string; service: Service; instanceUrl: string; lastAt: string };

/** A customer's calls of one batch, by user, instance, service and day. Built for hundreds of thousands of calls a second. */
export type CustomerCalls = Readonly<{
  /** Counts a call of the user for its day and instance, and at its arrival. Returns the bucket of its duration. */
  counterOf: (userId: UserId) => (call: RecordedCall, arrived: Count) => number;
  /** In the order of their first calls. */
  slots: () => readonly Slot[];
}>;

const countIn = (count: Count, bucket: number, durationMs: number, ok: boolean): void => {
  count.calls += 1;
  if (!ok) count.errors += 1;
  count.totalMs += durationMs;
  count.histogram[bucket] = (count.histogram[bucket] ?? 0) + 1;
};

export const createCustomerCalls = (): CustomerCalls => {
  const slotsOf = new Map<UserId, Map<string, Slot[]>>();
  const all: Slot[] = [];

  return {
    counterOf: (userId) => {
      const byInstance = slotsOf.get(userId) ?? new Map<string, Slot[]>();
      slotsOf.set(userId, byInstance);
      let last: Slot | undefined;
      // Calls are mostly like the one before, their addresses are the same strings again, and comparing is cheaper than making a key.
      const slotOf = ({ service, instanceUrl }: RecordedCall, at: string): Slot => {
        const fits = (slot: Slot): boolean => slot.service === service && at.startsWith(slot.day);
        if (last && last.instanceUrl === instanceUrl && fits(last)) return last;
        const known = byInstance.get(instanceUrl) ?? [];
        let slot = known.find(fits);
        if (!slot) {
          slot = { ...emptyCount(), userId, day: dayOf(at), service, instanceUrl, lastAt: at };
          known.push(slot);
          all.push(slot);
          byInstance.set(instanceUrl, known);
        }
        last = slot;
        return slot;
      };
      return (call, arrived) => {
        const at = instantOf(call.at);
        const slot = slotOf(call, at);
        const durationMs = Math.max(0, Math.round(call.durationMs));
        const bucket = bucketOf(durationMs);
        countIn(slot, bucket, durationMs, call.ok);
        countIn(arrived, bucket, durationMs, call.ok);
        if (at > slot.lastAt) slot.lastAt = at;
        return bucket;
      };
    },
    slots: () => all,
  };
};
