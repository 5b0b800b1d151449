/** A moment of the address, ISO-8601 UTC; null where there is none, or what is there is none. */
export const momentIn = (typed: string | null): string | null => {
  const at = typed === null ? Number.NaN : Date.parse(typed);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
};

/** A time in ms as a field of the kind `datetime-local` has it: in the browser's zone, to the second. */
export const localInputOf = (ms: number): string => {
  const zone = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - zone).toISOString().slice(0, 19);
};

/** The other way round; null while the field is incomplete. */
export const momentOfInput = (typed: string): string | null => {
  const at = new Date(typed).getTime();
  return Number.isNaN(at) ? null : new Date(at).toISOString();
};
