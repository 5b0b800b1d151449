/**
 * Latencies in whole milliseconds by size: below 32 each has a bucket of its own, above there are 16 buckets to each doubling,
 * so that a percentile is off by 3 % at most. Integer arithmetic only: the same everywhere, and sums in any order are equal.
 */
const LINEAR = 32;
const PER_DOUBLING = 16;
const FIRST_EXPONENT = 5;
/** Enough for a call of a day. */
export const BUCKETS = LINEAR + (27 - FIRST_EXPONENT) * PER_DOUBLING;

/** Counts by bucket. */
export type Histogram = Float64Array;

/** A histogram without durations. */
export const emptyHistogram = (): Histogram => new Float64Array(BUCKETS);

/** Histograms without durations. They share their memory, which costs less than memory for each. */
export const emptyHistograms = (count: number): Histogram[] => {
  const all = new Float64Array(count * BUCKETS);
  return Array.from({ length: count }, (_, index) => all.subarray(index * BUCKETS, (index + 1) * BUCKETS));
};

export const bucketOf = (durationMs: number): number => {
  if (durationMs < LINEAR) return durationMs;
  const exponent = 31 - Math.clz32(durationMs);
  const bucket = LINEAR + (exponent - FIRST_EXPONENT) * PER_DOUBLING + ((durationMs >>> (exponent - 4)) & (PER_DOUBLING - 1));
  return bucket < BUCKETS ? bucket : BUCKETS - 1;
};

/** The middle of a bucket, in ms. */
const middleOf = (bucket: number): number => {
  if (bucket < LINEAR) return bucket;
  const exponent = Math.floor((bucket - LINEAR) / PER_DOUBLING) + FIRST_EXPONENT;
  const step = 2 ** (exponent - 4);
  const lowest = (PER_DOUBLING + ((bucket - LINEAR) % PER_DOUBLING)) * step;
  return lowest + (step - 1) / 2;
};

/** Adds the counts of `more` to `histogram`, in place. From the bucket `end` on, `more` has none. */
export const addHistogram = (histogram: Histogram, more: Histogram, end = BUCKETS): void => {
  for (let bucket = 0; bucket < end; bucket++) histogram[bucket] = (histogram[bucket] ?? 0) + (more[bucket] ?? 0);
};

/** Takes the counts of `less` out of `histogram`, in place. From the bucket `end` on, `less` has none. */
export const subtractHistogram = (histogram: Histogram, less: Histogram, end = BUCKETS): void => {
  for (let bucket = 0; bucket < end; bucket++) histogram[bucket] = (histogram[bucket] ?? 0) - (less[bucket] ?? 0);
};

/**
 * Milliseconds below which the given fractions of calls stayed; null where there was none. `fractions` ascend. From the bucket `end` on,
 * the histogram has no counts.
 */
export const percentiles = (histogram: Histogram, fractions: readonly number[], end = BUCKETS): (number | null)[] => {
  let total = 0;
  for (let bucket = 0; bucket < end; bucket++) total += histogram[bucket] ?? 0;
  if (total === 0) return fractions.map(() => null);
  let bucket = 0;
  let below = histogram[0] ?? 0;
  const found: number[] = [];
  // Not a callback of `map`: V8 would allocate a number at each step, and a chart has thousands of sums.
  for (const fraction of fractions) {
    const wanted = fraction * total;
    while (below < wanted && bucket < end - 1) {
      bucket += 1;
      below += histogram[bucket] ?? 0;
    }
    found.push(middleOf(bucket));
  }
  return found;
};

/** Bytes of a histogram that is being encoded; it is large enough for a distance and a count of eight bytes each for every bucket. */
const scratch = new Uint8Array(BUCKETS * 16);

/** Writes a number to `scratch`, and returns where it ends. */
const put = (value: number, at: number): number => {
  let end = at;
  let rest = value;
  while (rest >= 128) {
    scratch[end++] = (rest % 128) + 128;
    rest = Math.floor(rest / 128);
  }
  scratch[end++] = rest;
  return end;
};

/** As it is stored: for each bucket that has any, how many buckets lie between it and the one before, then its count; LEB128. */
export const encodeHistogram = (histogram: Histogram): Buffer => {
  let length = 0;
  let previous = -1;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const count = histogram[bucket] ?? 0;
    if (count === 0) continue;
    length = put(count, put(bucket - previous - 1, length));
    previous = bucket;
  }
  return Buffer.from(scratch.subarray(0, length));
};

/** Each bucket of a stored histogram that has any, in ascending order. */
const eachOf = (stored: Uint8Array, take: (bucket: number, count: number) => void): void => {
  let bucket = -1;
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let weight = 1; ; weight *= 128) {
      const byte = stored[at++] ?? 0;
      value += (byte & 127) * weight;
      if (byte < 128) return value;
    }
  };
  while (at < stored.length) {
    bucket += next() + 1;
    take(bucket, next());
  }
};

/** Where `restOf` ended. */
let restEnd = 0;

/** The bytes of a number after its first one; few numbers have some. */
const restOf = (stored: Uint8Array, from: number): number => {
  let value = 0;
  let at = from;
  let byte: number;
  let weight = 128;
  do {
    byte = stored[at++] ?? 0;
    value += (byte & 127) * weight;
    weight *= 128;
  } while (byte >= 128);
  restEnd = at;
  return value;
};

/**
 * Adds a stored histogram, or one in a part of `stored`, to `histogram`, in place, and returns the bucket after its last one. Charts call
 * it for thousands of cells.
 */
export const addEncoded = (histogram: Histogram, stored: Uint8Array, start = 0, end = stored.length, sign = 1): number => {
  let bucket = -1;
  let at = start;
  while (at < end) {
    let distance = stored[at++] ?? 0;
    if (distance >= 128) {
      distance = (distance & 127) + restOf(stored, at);
      at = restEnd;
    }
    let count = stored[at++] ?? 0;
    if (count >= 128) {
      count = (count & 127) + restOf(stored, at);
      at = restEnd;
    }
    bucket += distance + 1;
    histogram[bucket] = (histogram[bucket] ?? 0) + sign * count;
  }
  return bucket + 1;
};

/** Takes a stored histogram, or one in a part of `stored`, out of `histogram`, in place. */
export const subtractEncoded = (histogram: Histogram, stored: Uint8Array, start?: number, end?: number): void => {
  addEncoded(histogram, stored, start, end, -1);
};

/** The sum of two stored histograms, without their empty buckets: most have few of all. */
export const mergeEncoded = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  let length = 0;
  let previous = -1;
  const [left, right] = [readerOf(one), readerOf(other)];
  while (left.bucket < BUCKETS || right.bucket < BUCKETS) {
    const bucket = Math.min(left.bucket, right.bucket);
    length = put(bucket - previous - 1, length);
    length = put((left.bucket === bucket ? left.count : 0) + (right.bucket === bucket ? right.count : 0), length);
    previous = bucket;
    if (left.bucket === bucket) left.next();
    if (right.bucket === bucket) right.next();
  }
  return scratch.slice(0, length);
};

/** Reads a stored histogram bucket by bucket; after the last one, `bucket` is `BUCKETS`. */
const readerOf = (stored: Uint8Array) => {
  let at = 0;
  const read = (): number => {
    let value = 0;
    for (let weight = 1; ; weight *= 128) {
      const byte = stored[at++] ?? 0;
      value += (byte & 127) * weight;
      if (byte < 128) return value;
    }
  };
  const reader = {
    bucket: -1,
    count: 0,
    next: (): void => {
      if (at >= stored.length) {
        reader.bucket = BUCKETS;
        return;
      }
      reader.bucket += read() + 1;
      reader.count = read();
    },
  };
  reader.next();
  return reader;
};

/** `percentiles` of a stored histogram, which mostly has few of all buckets. */
export const percentilesOfEncoded = (stored: Uint8Array, fractions: readonly number[]): (number | null)[] => {
  const filled: [bucket: number, upTo: number][] = [];
  let total = 0;
  eachOf(stored, (bucket, count) => {
    total += count;
    filled.push([bucket, total]);
  });
  let index = 0;
  return fractions.map((fraction) => {
    while (index < filled.length - 1 && (filled[index]?.[1] ?? 0) < fraction * total) index++;
    const found = filled[index];
    return found ? middleOf(found[0]) : null;
  });
};

/** Zero between two uses. */
const summed = emptyHistogram();

/** The percentiles of what `add` adds up, in ms. Its histogram is used again, as a chart has thousands of sums. */
export const percentilesOfSum = (add: (sum: Histogram) => void, fractions: readonly number[]): (number | null)[] => {
  add(summed);
  const found = percentiles(summed, fractions);
  summed.fill(0);
  return found;
};
