const DAY_MS = 86_400_000;

/** The UTC day of an ISO-8601 instant. */
export const dayOf = (at: string): string => at.slice(0, 10);

/** The day `by` days later (earlier where negative); days are `yyyy-mm-dd`. */
export const dayAfter = (day: string, by: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * DAY_MS).toISOString().slice(0, 10);

/** The last `count` days up to `today`, oldest first. */
export const daysUpTo = (today: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => dayAfter(today, index - count + 1));

/** The days from `first` to `last`, oldest first. */
export const daysBetween = (first: string, last: string): string[] =>
  daysUpTo(last, Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1);
