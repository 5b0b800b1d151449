import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/domain/time.ts';
import {
  addEncoded,
  addHistogram,
  BUCKETS,
  bucketOf,
  emptyHistogram,
  encodeHistogram,
  percentiles,
  percentilesOfEncoded,
} from '../../src/projections/callCounts/histogram.ts';
import { addRange, formatRanges, MAX_RANGES, missingFrom, parseRanges, type Range } from '../../src/projections/usage/ranges.ts';

describe('a histogram of latencies', () => {
  it('has a bucket for every duration of a day, in order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: DAY_MS - 1 }), (ms) => {
        expect(bucketOf(ms)).toBeLessThan(BUCKETS);
        expect(bucketOf(ms + 1) - bucketOf(ms)).toBeOneOf([0, 1]);
      }),
    );
    expect(bucketOf(2 ** 31 - 1)).toBe(BUCKETS - 1);
  });

  it('has the same percentiles after storing', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: DAY_MS }), { maxLength: 100 }), (durations) => {
        const histogram = emptyHistogram();
        for (const ms of durations) histogram[bucketOf(ms)] = (histogram[bucketOf(ms)] ?? 0) + 1;
        const fractions = [0.01, 0.5, 0.95, 0.99, 1];
        expect(percentilesOfEncoded(encodeHistogram(histogram), fractions)).toEqual(percentiles(histogram, fractions));
      }),
    );
  });

  it('returns percentiles within 3 %', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: DAY_MS }), { minLength: 1, maxLength: 200 }), (durations) => {
        const histogram = emptyHistogram();
        for (const ms of durations) histogram[bucketOf(ms)] = (histogram[bucketOf(ms)] ?? 0) + 1;
        const sorted = [...durations].sort((a, b) => a - b);
        for (const fraction of [0.5, 0.95, 0.99]) {
          const exact = sorted[Math.ceil(fraction * sorted.length) - 1] ?? 0;
          const [found] = percentiles(histogram, [fraction]);
          expect(Math.abs((found ?? Number.NaN) - exact)).toBeLessThanOrEqual(exact * 0.033);
        }
      }),
    );
    expect(percentiles(emptyHistogram(), [0.5])).toEqual([null]);
  });

  it('is the same after storing and after adding in any order', () => {
    const counts = fc.array(fc.tuple(fc.nat(BUCKETS - 1), fc.integer({ min: 1, max: 2 ** 40 })), { maxLength: 60 });
    fc.assert(
      fc.property(counts, counts, (one, other) => {
        const [first, second] = [one, other].map((entries) => {
          const histogram = emptyHistogram();
          for (const [bucket, count] of entries) histogram[bucket] = count;
          return histogram;
        });
        if (!first || !second) throw new Error('Two were made');
        const sum = emptyHistogram();
        addEncoded(sum, encodeHistogram(second));
        addEncoded(sum, encodeHistogram(first));
        addHistogram(first, second);
        expect(encodeHistogram(sum)).toEqual(encodeHistogram(first));
      }),
    );
  });
});

describe('the ranges of a source', () => {
  it('contain every added number in the fewest ranges', () => {
    const range = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat(12)).map(([first, length]): Range => [first, first + length]);
    fc.assert(
      fc.property(fc.array(range, { maxLength: 30 }), (added) => {
        const ranges: Range[] = [];
        const seen = new Set<number>();
        for (const [first, last] of added) {
          const fresh = missingFrom(ranges, [first, last]).flatMap(([from, to]) =>
            Array.from({ length: to - from + 1 }, (_, i) => from + i),
          );
          const expected = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter((n) => !seen.has(n));
          expect(fresh).toEqual(expected);
          for (const n of expected) seen.add(n);
          addRange(ranges, [first, last]);
        }
        const held = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
        expect(held).toEqual([...seen].sort((a, b) => a - b));
        expect(ranges.every(([from], index) => index === 0 || from > (ranges[index - 1]?.[1] ?? 0) + 1)).toBe(true);
        expect(parseRanges(formatRanges(ranges))).toEqual(ranges);
      }),
    );
  });

  it('are merged from the lowest if there are too many', () => {
    const ranges: Range[] = [];
    for (let n = 0; n <= MAX_RANGES; n++) addRange(ranges, [n * 2 + 1, n * 2 + 1]);
    expect(ranges).toHaveLength(MAX_RANGES);
    expect(ranges[0]).toEqual([1, 3]);
  });
});
