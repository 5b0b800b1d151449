import type { DailyUsage, Usage, UsageFigures, UsagePart } from '../../contracts/usage.ts';
import { addEncoded, addHistogram, emptyHistogram, emptyHistograms, type Histogram, percentiles } from '../callCounts/histogram.ts';
import type { LocalDay, LocalTime } from '../localTime.ts';
import { WEEK_HOURS } from '../localTime.ts';
import type { Part } from './parts.ts';
import type { UsageReader } from './reading.ts';

/** The most parts of a breakdown that a reply names; the calls of further ones are added up. */
const SHOWN_PARTS = 100;

type DayCalls = { calls: number; errors: number; totalMs: number; histogram: Histogram };

/** The average duration of calls, ms. */
export const average = (totalMs: number, calls: number): number => (calls === 0 ? 0 : totalMs / calls);

const add = (to: DayCalls, calls: number, errors: number, totalMs: number, histogram: Uint8Array): void => {
  to.calls += calls;
  to.errors += errors;
  to.totalMs += totalMs;
  addEncoded(to.histogram, histogram);
};

/** Calls by day of a range and by hour of the week. */
export type Counting = Readonly<{ reader: UsageReader; days: readonly DayCalls[]; week: Usage['week'] }>;

/** Counts calls, which are read in the order of their time, by the days of a range, and by hour of the week. */
export const countBy = (days: readonly LocalDay[], time: LocalTime): Counting => {
  const counted = emptyHistograms(days.length).map((histogram): DayCalls => ({ calls: 0, errors: 0, totalMs: 0, histogram }));
  const byDay = new Map(days.map(({ day }, index) => [day, counted[index]]));
  const zeros = (): number[] => Array.from({ length: WEEK_HOURS }, () => 0);
  const week = { calls: zeros(), errors: zeros() };
  let index = 0;
  return {
    days: counted,
    week,
    reader: {
      quarter: (at, { calls, errors, totalMs, histogram }) => {
        while (index < days.length - 1 && at >= (days[index]?.end ?? 0)) index++;
        const of = counted[index];
        if (of) add(of, calls, errors, totalMs, histogram);
        const hour = time.weekHourAt(at);
        week.calls[hour] = (week.calls[hour] ?? 0) + calls;
        week.errors[hour] = (week.errors[hour] ?? 0) + errors;
      },
      oldDay: ({ day, calls, errors, total_ms: totalMs, histogram }) => {
        const of = byDay.get(day);
        if (of) add(of, calls, errors, totalMs, histogram);
      },
    },
  };
};

/** The days as replies contain them. */
export const dailyOf = (days: readonly LocalDay[], counted: readonly DayCalls[]): DailyUsage[] =>
  days.map(({ day, start, end }, index) => {
    const { calls, errors, totalMs, histogram } = counted[index] ?? { calls: 0, errors: 0, totalMs: 0, histogram: null };
    const [p95] = histogram && calls > 0 ? percentiles(histogram, [0.95]) : [0];
    return {
      day,
      from: new Date(start).toISOString(),
      to: new Date(end).toISOString(),
      calls,
      errors,
      avgResponseTime: average(totalMs, calls),
      p95: p95 ?? 0,
    };
  });

/** The figures of all days. Of several peak days the first is named. */
export const figuresOf = (days: readonly LocalDay[], counted: readonly DayCalls[], activeInstances: number): UsageFigures => {
  const all = emptyHistogram();
  let [calls, errors, totalMs, peak] = [0, 0, 0, -1];
  for (const [index, day] of counted.entries()) {
    calls += day.calls;
    errors += day.errors;
    totalMs += day.totalMs;
    if (day.calls > 0) addHistogram(all, day.histogram);
    if (day.calls > (counted[peak]?.calls ?? 0)) peak = index;
  }
  const [p50, p95, p99] = percentiles(all, [0.5, 0.95, 0.99]);
  return {
    totalApiCalls: calls,
    activeInstances,
    avgResponseTime: average(totalMs, calls),
    p50: p50 ?? 0,
    p95: p95 ?? 0,
    p99: p99 ?? 0,
    peakUsageDay: days[peak]?.day ?? null,
    peakUsageCalls: counted[peak]?.calls ?? 0,
    errorRate: calls === 0 ? 0 : errors / calls,
    totalErrors: errors,
  };
};

/** What a breakdown adds up to: all calls of a range, or all failed ones. */
export type Whole = Readonly<{ calls: number; errors: number; totalMs: number }>;

const partOf = (key: string | null, { calls, errors, totalMs }: Whole, lastAt: number | null): UsagePart => ({
  key,
  calls,
  errors,
  avgResponseTime: average(totalMs, calls),
  lastActive: lastAt === null ? null : new Date(lastAt).toISOString(),
});

/** A breakdown: the parts with most calls, and all others, which complete it to the whole. */
export const breakdownOf = (parts: readonly (readonly [key: string, part: Part])[], whole: Whole): UsagePart[] => {
  const sorted = [...parts].sort(([one, a], [other, b]) => b.calls - a.calls || (one < other ? -1 : 1));
  const shown = sorted.slice(0, SHOWN_PARTS);
  const rest = { ...whole };
  for (const [, { calls, errors, totalMs }] of shown) {
    rest.calls -= calls;
    rest.errors -= errors;
    rest.totalMs -= totalMs;
  }
  const named = shown.map(([key, part]) => partOf(key, part, part.lastAt));
  return rest.calls > 0 ? [...named, partOf(null, rest, null)] : named;
};
