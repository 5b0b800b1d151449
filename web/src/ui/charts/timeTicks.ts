import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/domain/time.ts';

/** Distances between labels that are read at a glance. */
const DISTANCES = [
  5_000,
  10_000,
  15_000,
  30_000,
  MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  2 * DAY_MS,
  7 * DAY_MS,
  14 * DAY_MS,
];
const MOST_LABELS = 5;

const midnightOf = (at: number, daysLater = 0): number => {
  const day = new Date(at);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + daysLater).getTime();
};

/** Whether an instant is the start of a day in the browser's time zone. */
export const isMidnight = (at: number): boolean => midnightOf(at) === at;

/**
 * Instants for the labels of a time axis: at most five, at round times of the browser's time zone. Each day is counted from its own
 * midnight, so that labels stay round when the clock changes.
 */
export const timeTicks = (from: number, to: number): number[] => {
  const distance = DISTANCES.find((one) => (to - from) / one < MOST_LABELS) ?? 31 * DAY_MS;
  const days = Math.max(1, Math.round(distance / DAY_MS));
  const ticks: number[] = [];
  for (let count = 0; midnightOf(from, count) < to; count += days) {
    const start = midnightOf(from, count);
    const end = Math.min(midnightOf(from, count + 1), to);
    if (distance >= DAY_MS) ticks.push(start);
    else for (let at = start; at < end; at += distance) ticks.push(at);
  }
  return ticks.filter((at) => at >= from);
};
