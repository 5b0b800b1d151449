/** Version 00 of W3C Trace Context: trace, span, flags. Neither id is zero. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The value of a `traceparent` header; undefined if it is not a valid one. */
export const traceparentOf = (value: unknown): string | undefined =>
  typeof value === 'string' && TRACEPARENT.test(value) ? value : undefined;
