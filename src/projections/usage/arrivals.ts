import type { BucketRow } from '../../database/tables/usage.ts';
import { RESOLUTIONS } from '../breakdown/resolutions.ts';
import { type Count, emptyCount } from '../callCounts/counting.ts';
import { addEncoded, addHistogram, emptyHistogram } from '../callCounts/histogram.ts';
import { openRowBuffer } from '../engine/rowBuffer.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { mergedHistogram } from './writing.ts';

/** What arrived in a second, minute or hour of events' own time. */
type Bucket = Count & { connected: number };

const SECOND_MS = 1_000;

/** Calls to remove, with the stored histogram of their durations. */
type Removed = Readonly<{ calls: number; errors: number; histogram: Uint8Array }>;

/** The points of the live charts that a batch changes. */
export type Arrivals = Readonly<{
  /** The bucket of an instant. */
  at: (instant: string) => Bucket;
  /** Takes calls that are not counted after all out of the minute that begins at `at` (ms since 1970), and its hour. */
  remove: (at: number, calls: Removed) => void;
  flush: () => Promise<void>;
}>;

const emptyBucket = (): Bucket => ({ ...emptyCount(), connected: 0 });

const addTo = (bucket: Bucket, more: Bucket): void => {
  bucket.calls += more.calls;
  bucket.errors += more.errors;
  bucket.connected += more.connected;
  addHistogram(bucket.histogram, more.histogram);
};

/** Opens the points of the live charts for one batch. */
export const openArrivals = (session: DatabaseSession, schema: string): Arrivals => {
  const seconds = new Map<number, Bucket>();
  const removed = new Map<number, Bucket>();

  const bucketsOf = (sizeMs: number, keptMs: number): Map<number, Bucket> => {
    const newest = Math.max(...seconds.keys());
    const buckets = new Map<number, Bucket>();
    for (const [at, second] of sizeMs > SECOND_MS ? [...seconds, ...removed] : seconds) {
      if (at < newest - keptMs - sizeMs) continue;
      const start = Math.floor(at / sizeMs) * sizeMs;
      const bucket = buckets.get(start) ?? emptyBucket();
      buckets.set(start, bucket);
      addTo(bucket, second);
    }
    return buckets;
  };

  const write = async ({ shape, sizeMs, keptMs }: (typeof RESOLUTIONS)[number]): Promise<void> => {
    const buckets = bucketsOf(sizeMs, keptMs);
    const buffer = openRowBuffer<BucketRow>(shape, session, schema);
    for (const start of buckets.keys()) buffer.preload(new Date(start).toISOString());
    await buffer.load();
    for (const [start, { calls, errors, connected, histogram }] of buckets) {
      const at = new Date(start).toISOString();
      const known = buffer.get(at);
      buffer.put({
        at,
        calls: (known?.calls ?? 0) + calls,
        errors: (known?.errors ?? 0) + errors,
        connected: (known?.connected ?? 0) + connected,
        histogram: mergedHistogram(known?.histogram, histogram),
      });
    }
    await buffer.flush();
    await session.query(
      `delete from ${schema}.${shape.table} where at < (select max(at) from ${schema}.${shape.table}) - make_interval(secs => $1)`,
      [keptMs / 1000],
    );
  };

  return {
    at: (instant) => {
      const second = Math.floor(Date.parse(instant) / SECOND_MS) * SECOND_MS;
      const bucket = seconds.get(second) ?? emptyBucket();
      seconds.set(second, bucket);
      return bucket;
    },
    remove: (at, { calls, errors, histogram }) => {
      const bucket = removed.get(at) ?? emptyBucket();
      removed.set(at, bucket);
      bucket.calls -= calls;
      bucket.errors -= errors;
      const counts = emptyHistogram();
      addEncoded(counts, histogram);
      for (const [index, count] of counts.entries()) bucket.histogram[index] = (bucket.histogram[index] ?? 0) - count;
    },
    flush: async () => {
      if (seconds.size > 0) await Promise.all(RESOLUTIONS.map(write));
    },
  };
};
