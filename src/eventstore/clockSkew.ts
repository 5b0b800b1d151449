import type { StreamName } from './port.ts';

const MEASURE_EVERY_MS = 60_000;

/** When an append was sent and acknowledged, in ms since 1970 by the clock of this process. */
export type Appended = Readonly<{ stream: StreamName; revision: bigint; sentAt: number; repliedAt: number }>;

/**
 * Measures how far the store's clock is ahead of this process's, by reading an event of its own once a minute: the store created it
 * between the request and the reply. Failed reads are ignored.
 */
export const createClockSkew = (createdOf: (stream: StreamName, revision: bigint) => Promise<Date | undefined>) => {
  let skewMs: number | null = null;
  let measuredAt = Number.NEGATIVE_INFINITY;

  const measure = async ({ stream, revision, sentAt, repliedAt }: Appended): Promise<void> => {
    const created = (await createdOf(stream, revision))?.getTime();
    if (created === undefined || Number.isNaN(created)) return;
    skewMs = created < sentAt ? created - sentAt : Math.max(0, created - repliedAt);
  };

  return {
    /** Measures in the background if the last measurement is old. */
    observe: (appended: Appended): void => {
      if (performance.now() - measuredAt < MEASURE_EVERY_MS) return;
      measuredAt = performance.now();
      measure(appended).catch(() => undefined);
    },
    /** In ms; null if it was not measured. */
    skewMs: () => skewMs,
  };
};
