/** Part of a buffer. */
export type Bytes = Readonly<{ buffer: Buffer; start: number; end: number }>;

/** Whether bytes equal those of another buffer from `start` to `end`. */
export const areEqual = (one: Bytes, other: Buffer, start: number, end: number): boolean => {
  const length = end - start;
  if (one.end - one.start !== length) return false;
  for (let at = 0; at < length; at++) if (one.buffer[one.start + at] !== other[start + at]) return false;
  return true;
};
