/**
 * Calls of a source: of all sequences and times, or of those that are named. Sequences are inclusive; times are ISO-8601 UTC with
 * milliseconds, and a call at `until` is not among them.
 */
export type CallRange = Readonly<{
  sourceId: string;
  firstSequence: number | null;
  lastSequence: number | null;
  from: string | null;
  until: string | null;
}>;

/** A range of calls as numbers: ms since 1970. */
type Bounds = Readonly<{ first: number; last: number; from: number; until: number }>;

/** The bounds of a range. */
export const boundsOf = ({ firstSequence, lastSequence, from, until }: Omit<CallRange, 'sourceId'>): Bounds => ({
  first: firstSequence ?? 0,
  last: lastSequence ?? Number.POSITIVE_INFINITY,
  from: from === null ? Number.NEGATIVE_INFINITY : Date.parse(from),
  until: until === null ? Number.POSITIVE_INFINITY : Date.parse(until),
});

/** Calls that do not count: those of the range that events before the position recorded. */
export type Void = Readonly<{ sourceId: string; position: bigint; bounds: Bounds }>;

/** Whether a call of a source that an event at a position recorded was voided. `ms` is when it was made, since 1970. */
export const isVoided = (
  { sourceId, position, bounds }: Void,
  call: Readonly<{ sourceId: string; position: bigint; sequence: number; ms: number }>,
): boolean => call.position < position && call.sourceId === sourceId && isInBounds(bounds, call.sequence, call.ms);

/** Whether the bounds contain a call of their source. `ms` is when it was made, since 1970. */
export const isInBounds = ({ first, last, from, until }: Bounds, sequence: number, ms: number): boolean =>
  sequence >= first && sequence <= last && ms >= from && ms < until;
