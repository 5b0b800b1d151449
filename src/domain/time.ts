/** A minute, in ms. */
export const MINUTE_MS = 60_000;
/** The unit of time zones: clocks of all zones differ from UTC by whole quarters of an hour, and change at them. */
export const QUARTER_MS = 15 * MINUTE_MS;
/** An hour, in ms. */
export const HOUR_MS = 60 * MINUTE_MS;
/** A day of 24 hours, in ms. */
export const DAY_MS = 24 * HOUR_MS;

/** The UTC day (`yyyy-mm-dd`) of an instant: ISO-8601 text with the offset `Z`, or ms since 1970. */
export const dayOf = (at: string | number): string => (typeof at === 'number' ? new Date(at).toISOString() : at).slice(0, 10);

/** Started days until an ISO-8601 instant; 0 on its day in UTC, and after it. */
export const daysUntil = (instant: string, nowMs: number): number =>
  dayOf(instant) <= dayOf(nowMs) ? 0 : Math.ceil((Date.parse(instant) - nowMs) / DAY_MS);

/** Whether a text has the form `yyyy-mm-dd`; no such day need exist. */
export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** The day `by` days later (earlier where negative). */
export const dayAfter = (day: string, by: number): string => dayOf(Date.parse(day) + by * DAY_MS);

/** The last `count` days up to `today`, oldest first. */
export const daysUpTo = (today: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => dayAfter(today, index - count + 1));

/** The days from `first` to `last`, both included, oldest first. */
export const daysBetween = (first: string, last: string): string[] =>
  daysUpTo(last, Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1);

/** A duration in its largest unit of which there are two or more, rounded up: "350 ms", "3 s", "2 min", "3 h". */
export const durationText = (ms: number): string => {
  if (ms > 0 && ms < 1_000) return `${Math.ceil(ms)} ms`;
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
};
