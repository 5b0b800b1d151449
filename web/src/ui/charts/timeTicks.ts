const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Distances between labels that are read at a glance. */
const DISTANCES = [
  5_000,
  10_000,
  15_000,
  30_000,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
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
  const distance = DISTANCES.find((one) => (to - from) / one < MOST_LABELS) ?? 31 * DAY;
  const days = Math.max(1, Math.round(distance / DAY));
  const ticks: number[] = [];
  for (let count = 0; midnightOf(from, count) < to; count += days) {
    const start = midnightOf(from, count);
    const end = Math.min(midnightOf(from, count + 1), to);
    if (distance >= DAY) ticks.push(start);
    else for (let at = start; at < end; at += distance) ticks.push(at);
  }
  return ticks.filter((at) => at >= from);
};
