import { UNLIMITED_SEATS } from '../limits.ts';

/** The daily peaks of so many days, up to today, are looked at. */
export const FORECAST_DAYS = 60;
/** Fewer days show no trend. */
const MIN_DAYS = 14;
/** What the trend says about a later time is a guess. */
const HORIZON_DAYS = 730;
/** 90 % of a standard normal distribution are within so many deviations. */
const Z_90 = 1.645;

/**
 * When the seats of a kind will be used up at the present rate. Days are counted from today: `earliest` and `latest` bound 90 % of
 * what the peaks allow, null is later than two years or never. `perWeek` is in seats.
 */
export type SeatForecast =
  | Readonly<{ outlook: 'unlimited' | 'atLimit' | 'notEnoughData' | 'noGrowth' }>
  /** The seats grow, but do not reach the limit within two years. */
  | Readonly<{ outlook: 'distant'; perWeek: number }>
  | Readonly<{ outlook: 'reaching'; perWeek: number; days: number; earliest: number; latest: number | null }>;

const byValue = (one: number, other: number): number => one - other;

const medianOf = (sorted: readonly number[]): number => {
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
};

/** The slopes between every two days, in seats a day, ascending. */
const slopesOf = (peaks: readonly number[]): number[] =>
  peaks.flatMap((peak, day) => peaks.slice(day + 1).map((later, index) => (later - peak) / (index + 1))).sort(byValue);

const daysUntil = (limit: number, level: number, slope: number): number | null => {
  if (slope <= 0) return null;
  const days = Math.max(1, Math.ceil((limit - level) / slope));
  return days > HORIZON_DAYS ? null : days;
};

/**
 * Forecasts by the daily peaks of consecutive days, oldest first, of which the last is today's. The trend is the Theil–Sen estimator, the
 * median of the slopes between every two days, which a few unusual days do not change; its interval is that of Sen (1968).
 */
export const forecastSeats = (
  peaks: readonly number[],
  { held, limit }: Readonly<{ held: number; limit: number }>,
): SeatForecast => {
  if (limit === UNLIMITED_SEATS) return { outlook: 'unlimited' };
  if (held >= limit) return { outlook: 'atLimit' };
  const days = peaks.slice(-FORECAST_DAYS);
  const n = days.length;
  if (n < MIN_DAYS) return { outlook: 'notEnoughData' };
  const slopes = slopesOf(days);
  const slope = medianOf(slopes);
  if (slope <= 0) return { outlook: 'noGrowth' };
  const perWeek = slope * 7;
  // The trend line's value today; not less than what is held now.
  const level = Math.max(held, medianOf(days.map((peak, day) => peak + slope * (n - 1 - day)).sort(byValue)));
  const reached = daysUntil(limit, level, slope);
  if (reached === null) return { outlook: 'distant', perWeek };
  const spread = Z_90 * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const slowest = slopes[Math.max(0, Math.floor((slopes.length - spread) / 2))] ?? slope;
  const fastest = slopes[Math.min(slopes.length - 1, Math.ceil((slopes.length + spread) / 2))] ?? slope;
  return {
    outlook: 'reaching',
    perWeek,
    days: reached,
    earliest: daysUntil(limit, level, fastest) ?? reached,
    latest: daysUntil(limit, level, slowest),
  };
};
