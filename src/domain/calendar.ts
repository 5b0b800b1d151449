import { DAY_MS } from './time.ts';

/** An instant plus days of 24 hours, as an ISO-8601 UTC string. */
export const addDays = (at: string, days: number): string => new Date(Date.parse(at) + days * DAY_MS).toISOString();

/** An instant plus months, at the same day and time (UTC); the last day of that month if it has no such day. */
export const addMonths = (at: string, months: number): string => {
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.toISOString();
};
