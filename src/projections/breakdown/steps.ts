import type { ChartSeries } from '../../contracts/charts.ts';
import { addEncoded, percentilesOfSum, subtractEncoded } from '../usage/histogram.ts';
import type { StoredCounts } from './cells.ts';

type StoredHistogram = Pick<StoredCounts, 'stored' | 'start' | 'end'>;

/** Calls of one point of a chart, with the stored histograms of their durations, and those that are not among them. */
export type Step = { calls: number; failed: number; durations: StoredHistogram[]; without: StoredHistogram[] };
/** Calls of each point of a chart. */
export type Steps = readonly Step[];

export const emptySteps = (count: number): Steps =>
  Array.from({ length: count }, () => ({ calls: 0, failed: 0, durations: [], without: [] }));

export const addToStep = (step: Step | undefined, { calls, errors, stored, start, end }: StoredCounts): void => {
  if (!step) return;
  step.calls += calls;
  step.failed += errors;
  step.durations.push({ stored, start, end });
};

export const totalOf = (steps: Steps): number => steps.reduce((sum, { calls }) => sum + calls, 0);

const combined = (steps: Steps, others: readonly Steps[], combine: (step: Step, other: Step) => void): Steps =>
  steps.map(({ calls, failed, durations, without }, at) => {
    const step = { calls, failed, durations: [...durations], without: [...without] };
    for (const other of others) {
      const more = other[at];
      if (more) combine(step, more);
    }
    return step;
  });

/** The calls of steps together. */
export const sumOf = (steps: Steps, others: readonly Steps[]): Steps =>
  combined(steps, others, (step, { calls, failed, durations, without }) => {
    step.calls += calls;
    step.failed += failed;
    step.durations.push(...durations);
    step.without.push(...without);
  });

/** What is left of the total without the parts. */
export const remainderOf = (total: Steps, parts: readonly Steps[]): Steps =>
  combined(total, parts, (step, { calls, failed, durations, without }) => {
    step.calls -= calls;
    step.failed -= failed;
    step.durations.push(...without);
    step.without.push(...durations);
  });

/** Percentiles of the durations, in ms; null without calls. Histograms are only added up here: a chart has thousands of steps. */
export const percentilesOf = ({ calls, durations, without }: Step, fractions: readonly number[]): (number | null)[] => {
  if (calls === 0) return fractions.map(() => null);
  return percentilesOfSum((sum) => {
    for (const { stored, start, end } of durations) addEncoded(sum, stored, start, end);
    for (const { stored, start, end } of without) subtractEncoded(sum, stored, start, end);
  }, fractions);
};

/** The values of a series, point by point. */
export const valuesOf = (steps: Steps): Pick<ChartSeries, 'calls' | 'failed' | 'p95'> => ({
  calls: steps.map(({ calls }) => calls),
  failed: steps.map(({ failed }) => failed),
  p95: steps.map((step) => percentilesOf(step, [0.95])[0] ?? null),
});
