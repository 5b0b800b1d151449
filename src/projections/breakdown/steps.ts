import type { ChartSeries } from '../../contracts/charts.ts';
import { addEncoded, emptyHistogram, type Histogram, percentiles } from '../usage/histogram.ts';
import type { Counts } from './cells.ts';

/** Calls of one point of a chart; no histogram without calls. */
export type Step = { calls: number; failed: number; histogram: Histogram | null };
/** Calls of each point of a chart. */
export type Steps = readonly Step[];

export const emptySteps = (count: number): Steps => Array.from({ length: count }, () => ({ calls: 0, failed: 0, histogram: null }));

export const addToStep = (step: Step | undefined, { calls, errors, histogram }: Counts): void => {
  if (!step) return;
  step.calls += calls;
  step.failed += errors;
  step.histogram ??= emptyHistogram();
  addEncoded(step.histogram, histogram);
};

export const totalOf = (steps: Steps): number => steps.reduce((sum, { calls }) => sum + calls, 0);

const subtract = (step: Step, { calls, failed, histogram }: Step): void => {
  step.calls -= calls;
  step.failed -= failed;
  if (!histogram || !step.histogram) return;
  for (let bucket = 0; bucket < histogram.length; bucket++) {
    step.histogram[bucket] = (step.histogram[bucket] ?? 0) - (histogram[bucket] ?? 0);
  }
};

/** What is left of the total without the parts. */
export const remainderOf = (total: Steps, parts: readonly Steps[]): Steps =>
  total.map(({ calls, failed, histogram }, at) => {
    const rest: Step = { calls, failed, histogram: histogram?.slice() ?? null };
    for (const part of parts) {
      const step = part[at];
      if (step) subtract(rest, step);
    }
    return rest;
  });

/** Percentiles of the durations, in ms; null without calls. */
export const percentilesOf = ({ histogram }: Step, fractions: readonly number[]): (number | null)[] =>
  histogram ? percentiles(histogram, fractions) : fractions.map(() => null);

/** The values of a series, point by point. */
export const valuesOf = (steps: Steps): Pick<ChartSeries, 'calls' | 'failed' | 'p95'> => ({
  calls: steps.map(({ calls }) => calls),
  failed: steps.map(({ failed }) => failed),
  p95: steps.map((step) => percentilesOf(step, [0.95])[0] ?? null),
});
