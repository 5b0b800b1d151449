import { MINUTE_MS } from '../../../../../src/domain/time.ts';

/** The moment in the address, ISO-8601 UTC; null if it is missing or invalid. */
export const momentIn = (typed: string | null): string | null => {
  const at = typed === null ? Number.NaN : Date.parse(typed);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
};

/** A time in ms as the value of a `datetime-local` field: in the browser's time zone, to the second. */
export const localInputOf = (ms: number): string => {
  const zone = new Date(ms).getTimezoneOffset() * MINUTE_MS;
  return new Date(ms - zone).toISOString().slice(0, 19);
};

/** The reverse; null while the field is incomplete. */
export const momentOfInput = (typed: string): string | null => {
  const at = new Date(typed).getTime();
  return Number.isNaN(at) ? null : new Date(at).toISOString();
};
