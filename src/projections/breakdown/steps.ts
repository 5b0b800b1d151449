import {
  addEncoded,
  addHistogram,
  emptyHistograms,
  type Histogram,
  percentiles,
  subtractHistogram,
} from '../callCounts/histogram.ts';
import type { TakeCounts } from './cells.ts';

/** Calls of each point of a chart: their number, the failed ones, and percentiles of their durations in ms, null without calls. */
export type Values = Readonly<{
  calls: number[];
  failed: number[];
  p50: (number | null)[];
  p95: (number | null)[];
  p99: (number | null)[];
}>;

/** All calls, those of each part, and those of no part. */
export type Steps = Readonly<{ whole: Values; parts: readonly Values[]; others: Values }>;

/** All calls, among the numbers that calls are counted for; the parts have the numbers from 1 on. */
export const WHOLE = 0;

/** Counts calls for a number. */
export type Count = (number: number, ...counts: Parameters<TakeCounts>) => void;

/** Calls in one point. `durations` are empty from the bucket `end` on: most calls take far less time than a histogram can hold. */
type Sum = { calls: number; failed: number; end: number; readonly durations: Histogram };

const noValues = (): Values => ({ calls: [], failed: [], p50: [], p95: [], p99: [] });

const addPoint = (values: Values, { calls, failed, end, durations }: Sum): void => {
  const [p50 = null, p95 = null, p99 = null] = calls === 0 ? [] : percentiles(durations, [0.5, 0.95, 0.99], end);
  values.calls.push(calls);
  values.failed.push(failed);
  values.p50.push(p50);
  values.p95.push(p95);
  values.p99.push(p99);
};

/** Zero without its parts. */
const clear = (sum: Sum): void => {
  sum.durations.fill(0, 0, sum.end);
  sum.calls = 0;
  sum.failed = 0;
  sum.end = 0;
};

/** What is left of the whole without its parts, in place of `others`. */
const subtractAll = (others: Sum, whole: Sum, parts: readonly Sum[]): void => {
  others.calls = whole.calls;
  others.failed = whole.failed;
  others.end = whole.end;
  addHistogram(others.durations, whole.durations, whole.end);
  for (const part of parts) {
    if (part.calls === 0) continue;
    others.calls -= part.calls;
    others.failed -= part.failed;
    others.end = Math.max(others.end, part.end);
    subtractHistogram(others.durations, part.durations, part.end);
  }
};

/**
 * Adds up the calls of a chart and of its parts. `countPoint` counts those of one point: a chart has thousands of histograms, of which
 * only the sums of one point are in memory.
 */
export const addUp = (points: number, parts: number, countPoint: (point: number, count: Count) => void): Steps => {
  const [others, whole, ...ofParts] = emptyHistograms(parts + 2).map(
    (durations): Sum => ({ calls: 0, failed: 0, end: 0, durations }),
  );
  if (!others || !whole) throw new Error('Histograms are missing');
  const sums = [whole, ...ofParts];
  const count: Count = (number, calls, errors, buffer, start, end) => {
    const sum = sums[number];
    if (!sum) return;
    sum.calls += calls;
    sum.failed += errors;
    sum.end = Math.max(sum.end, addEncoded(sum.durations, buffer, start, end));
  };
  const values = { whole: noValues(), parts: ofParts.map(noValues), others: noValues() };
  for (let point = 0; point < points; point++) {
    countPoint(point, count);
    subtractAll(others, whole, ofParts);
    addPoint(values.whole, whole);
    addPoint(values.others, others);
    for (const [index, ofPart] of values.parts.entries()) addPoint(ofPart, ofParts[index] ?? others);
    for (const sum of [others, ...sums]) clear(sum);
  }
  return values;
};

export const callsIn = ({ calls }: Values): number => calls.reduce((sum, one) => sum + one, 0);
