import { usageHourTable, usageMinuteTable, usageSecondTable } from '../../database/tables/usage.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/time.ts';

const SECOND_MS = 1_000;

/**
 * The buckets that calls are counted in by arrival, finest first. They are kept for `keptMs`, counted from the newest bucket and not
 * from now, so that a rebuild comes to the same. It exceeds the longest range of that resolution by a step of its chart; hours are
 * kept for two ranges of 30 days. `aliveFor`: a running server leaves a sample of its lag at least every so many buckets.
 */
export const RESOLUTIONS = [
  {
    shape: usageSecondTable,
    lag: 'ops.projection_lag',
    unit: 'second',
    sizeMs: SECOND_MS,
    keptMs: 15 * MINUTE_MS + 15 * SECOND_MS,
    aliveFor: 15,
  },
  {
    shape: usageMinuteTable,
    lag: 'ops.projection_lag_minute',
    unit: 'minute',
    sizeMs: MINUTE_MS,
    keptMs: DAY_MS + 30 * MINUTE_MS,
    aliveFor: 1,
  },
  { shape: usageHourTable, lag: 'ops.projection_lag_hour', unit: 'hour', sizeMs: HOUR_MS, keptMs: 62 * DAY_MS, aliveFor: 1 },
] as const;

/** A size of buckets, and the tables that hold them. */
export type Resolution = (typeof RESOLUTIONS)[number];

/** A time span, in ms since 1970; `to` is exclusive. */
export type Period = Readonly<{ from: number; to: number }>;

/** Seconds between the points of a chart. Each divides the next larger bucket, or a day. */
const STEPS = [1, 5, 10, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400] as const;
/** The most points of a chart: about one for each three pixels of a wide screen's half. */
const MAX_POINTS = 180;

/** Minutes of more customers than a few, over a longer period, would be too many rows. */
const LONGEST_BY_MINUTE = 6 * HOUR_MS;

/** The resolution of a breakdown. */
export const breakdownResolutionOf = ({ from, to }: Period, now: number): Resolution =>
  to - from <= LONGEST_BY_MINUTE && from >= now - RESOLUTIONS[1].keptMs ? RESOLUTIONS[1] : RESOLUTIONS[2];

/** The finest resolution that is kept for the whole period. */
export const resolutionOf = ({ from }: Period, now: number): Resolution =>
  RESOLUTIONS.find(({ keptMs }) => from >= now - keptMs) ?? RESOLUTIONS[2];

/** The time between two points of a chart of the period, in ms. */
export const stepOf = ({ from, to }: Period, { sizeMs }: Resolution): number => {
  const least = Math.max(sizeMs, (to - from) / MAX_POINTS);
  return (STEPS.find((seconds) => seconds * SECOND_MS >= least) ?? 86_400) * SECOND_MS;
};

/** The period from the start of its first step to the end of its last. */
export const aligned = ({ from, to }: Period, stepMs: number): Period => ({
  from: Math.floor(from / stepMs) * stepMs,
  to: Math.ceil(to / stepMs) * stepMs,
});
