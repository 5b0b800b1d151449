import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/time.ts';

const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const oneDecimal = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const { timeZone: zone } = dateTime.resolvedOptions();
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
const hourOnly = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const shortDate = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
/** Days are in UTC, whatever the browser's time zone is. */
const dayOnly = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

const utcDate = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

const SECOND_MS = 1000;

/** Time since an instant, in the largest whole unit. */
const ago = (ms: number): string => {
  if (ms < 5 * SECOND_MS) return 'just now';
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)}s ago`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}m ago`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)}h ago`;
  return `${Math.floor(ms / DAY_MS)}d ago`;
};

/** Numbers and times in the browser's locale. */
export const format = {
  whole: (value: number): string => whole.format(value),
  /** A number of what was counted, as 10,000+ where counting ended. */
  counted: (value: number, countedUpTo?: number): string => whole.format(value) + (countedUpTo === undefined ? '' : '+'),
  short: (value: number): string => short.format(value),
  /** A fraction as a percentage with `digits` decimals. */
  percent: (fraction: number, digits = 0): string => `${(fraction * 100).toFixed(digits)}%`,
  /** Of milliseconds. */
  duration: (ms: number): string =>
    ms >= 10_000
      ? `${oneDecimal.format(ms / 1000)} s`
      : ms >= 100
        ? `${whole.format(Math.round(ms))} ms`
        : `${oneDecimal.format(ms)} ms`,
  /** A rate per second; below 10 with a decimal, below 1 with two digits. */
  rate: (value: number): string => {
    if (value > 0 && value < 1) return String(Number(value.toPrecision(2)));
    return value > 0 && value < 10 ? value.toFixed(1) : whole.format(Math.round(value));
  },
  date: (instant: string | null): string => (instant ? date.format(new Date(instant)) : 'N/A'),
  /** The day in UTC, whatever the browser's time zone is. */
  utcDate: (instant: string | null): string => (instant ? utcDate.format(new Date(instant)) : 'N/A'),
  dateTime: (instant: string | null): string => (instant ? dateTime.format(new Date(instant)) : 'Never'),
  /** To the second. */
  exact: (instant: string): string => exact.format(new Date(instant)),
  /** The time of day, to the second. */
  time: (instant: string): string => clock.format(new Date(instant)),
  /** To the millisecond, with the time zone that it is shown in. */
  exactZoned: (instant: string): string =>
    `${exact.format(new Date(instant))}, ${new Date(instant).getMilliseconds()} ms (${zone})`,
  /** With the time zone that it is shown in. */
  zoned: (instant: string): string => `${dateTime.format(new Date(instant))} (${zone})`,
  /** The browser's time zone, as Europe/Berlin. */
  zone,
  /** With the time zone that it is shown in. */
  clock: (instant: string | number): string => `${clock.format(new Date(instant))} (${zone})`,
  /** The time of day, in hours and minutes. */
  hour: (instant: number): string => hourOnly.format(new Date(instant)),
  /** The day and the month. */
  shortDate: (instant: number): string => shortDate.format(new Date(instant)),
  /** A UTC day like 2026-01-31. */
  day: (day: string): string => dayOnly.format(new Date(`${day}T00:00:00Z`)),
  ago: (instant: string | null, now = Date.now()): string => (instant ? ago(Math.max(0, now - Date.parse(instant))) : 'Never'),
  /** Of seconds: hours with one decimal when over 3600, else minutes. */
  uptime: (seconds: number): string => {
    if (seconds > 3600) return `${(seconds / 3600).toFixed(1)} hours`;
    const minutes = Math.floor(seconds / 60);
    return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  },
} as const;
