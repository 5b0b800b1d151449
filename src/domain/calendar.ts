import { DAY_MS } from './time.ts';

/** An instant plus days of 24 hours, as an ISO-8601 UTC string. */
export const addDays = (at: string, days: number): string => new Date(Date.parse(at) + days * DAY_MS).toISOString();

const lastDayOfMonth = (date: Date): number => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();

/** An instant plus months, at the same time (UTC) of a day of the month, by default its own; the last day of a month without such a day. */
export const addMonths = (at: string, months: number, day = new Date(at).getUTCDate()): string => {
  const date = new Date(at);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  date.setUTCDate(Math.min(day, lastDayOfMonth(date)));
  return date.toISOString();
};

/**
 * When a term that continues for so many months expires. One that began on the 31st and expires on 28 February expires on 31 March after
 * a further month, so that a short month costs no days for good.
 */
export const continuedBy = ({ startsAt, expiresAt }: Readonly<{ startsAt: string; expiresAt: string }>, months: number): string => {
  const expiry = new Date(expiresAt);
  const [day, firstDay] = [expiry.getUTCDate(), new Date(startsAt).getUTCDate()];
  return addMonths(expiresAt, months, day === lastDayOfMonth(expiry) ? Math.max(day, firstDay) : day);
};
