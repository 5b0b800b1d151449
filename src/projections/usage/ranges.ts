/** Sequences of a source that were counted: inclusive, ascending, with at least one number between two of them. */
export type Range = readonly [first: number, last: number];

/**
 * The most ranges of a source. Beyond them the lowest ones are merged, and the sequences between them count as counted. Only a source
 * with ten thousand gaps reaches this limit.
 */
export const MAX_RANGES = 10_000;

/** PostgreSQL's text of an `int8multirange`, as `{[1,501),[600,601)}`. */
export const parseRanges = (multirange: string): Range[] =>
  [...multirange.matchAll(/\[(\d+),(\d+)\)/g)].map(([, first, end]) => [Number(first), Number(end) - 1]);

export const formatRanges = (ranges: readonly Range[]): string =>
  `{${ranges.map(([first, last]) => `[${first},${last + 1})`).join(',')}}`;

/** Index of the first range that ends at `sequence` or later. */
const indexFrom = (ranges: readonly Range[], sequence: number): number => {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.[1] ?? 0) < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Whether a sequence was counted. */
export const isWithin = (ranges: readonly Range[], sequence: number): boolean => {
  const range = ranges[indexFrom(ranges, sequence)];
  return range !== undefined && range[0] <= sequence;
};

/** Whether a range has one of first..last. */
export const overlaps = (ranges: readonly Range[], [first, last]: Range): boolean => {
  const range = ranges[indexFrom(ranges, first)];
  return range !== undefined && range[0] <= last;
};

/** Removes first..last, in place. */
export const removeRange = (ranges: Range[], [first, last]: Range): void => {
  const from = indexFrom(ranges, first);
  let to = from;
  const kept: Range[] = [];
  for (let range = ranges[to]; range && range[0] <= last; range = ranges[++to]) {
    if (range[0] < first) kept.push([range[0], first - 1]);
    if (range[1] > last) kept.push([last + 1, range[1]]);
  }
  ranges.splice(from, to - from, ...kept);
  while (ranges.length > MAX_RANGES) joinLowest(ranges);
};

/** The parts of first..last that no range holds. */
export const missingFrom = (ranges: readonly Range[], [first, last]: Range): Range[] => {
  const missing: Range[] = [];
  let next = first;
  for (let index = indexFrom(ranges, first); index < ranges.length && next <= last; index++) {
    const [from, to] = ranges[index] ?? [last + 1, last + 1];
    if (from > last) break;
    if (from > next) missing.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= last) missing.push([next, last]);
  return missing;
};

/** Adds first..last, in place, growing together with what touches it. */
export const addRange = (ranges: Range[], [first, last]: Range): void => {
  const from = indexFrom(ranges, first - 1);
  let to = from;
  let lowest = first;
  let highest = last;
  for (let range = ranges[to]; range && range[0] <= last + 1; range = ranges[++to]) {
    lowest = Math.min(lowest, range[0]);
    highest = Math.max(highest, range[1]);
  }
  ranges.splice(from, to - from, [lowest, highest]);
  while (ranges.length > MAX_RANGES) joinLowest(ranges);
};

const joinLowest = (ranges: Range[]): void => {
  const [lowest, next] = ranges;
  if (lowest && next) ranges.splice(0, 2, [lowest[0], next[1]]);
};
