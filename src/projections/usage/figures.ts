import type { DailyUsage, Usage, UsageFigures, UsagePart } from '../../contracts/usage.ts';
import { dayAfter, daysBetween } from '../../domain/time.ts';
import { addEncoded, addHistogram, emptyHistogram, type Histogram, percentiles } from '../callCounts/histogram.ts';
import type { LocalDay, LocalTime } from '../localTime.ts';
import { WEEK_HOURS } from '../localTime.ts';
import type { Part } from './parts.ts';
import type { UsageReader } from './reading.ts';

/** The most parts of a breakdown that a reply names; the calls of further ones are added up. */
const SHOWN_PARTS = 100;

/** The days of the calls of the last 30 days. */
const CALLS_DAYS = 30;

/** Days, both included, as `yyyy-mm-dd`. */
type Days = Readonly<{ from: string; to: string }>;

/**
 * What a range is shown with: as many days before it, and the last 30 days up to today. `first` and `last` are the ends of all of them
 * together.
 */
export const relatedPeriods = ({
  from,
  to,
  today,
}: Days & Readonly<{ today: string }>): Readonly<{ before: Days; last30: Days; first: string; last: string }> => {
  const before = { from: dayAfter(from, -daysBetween(from, to).length), to: dayAfter(from, -1) };
  const last30 = { from: dayAfter(today, 1 - CALLS_DAYS), to: today };
  return {
    before,
    last30,
    first: before.from < last30.from ? before.from : last30.from,
    last: to > today ? to : today,
  };
};

/** The calls of a day. `p95` is in ms, null without calls. */
type DayCalls = { calls: number; errors: number; totalMs: number; p95: number | null };

/** The average duration of calls, ms. */
export const average = (totalMs: number, calls: number): number => (calls === 0 ? 0 : totalMs / calls);

/** Calls by day of a range, the durations of all of them, and calls by hour of the week. */
export type Counted = Readonly<{ byDay: readonly DayCalls[]; durations: Histogram; week: Usage['week'] }>;

/**
 * Counts calls, which are read in the order of their time, by the days of a range, and by hour of the week. Days of a version before
 * precede all others. `finish` is called once, at the end. Only the histogram of one day is in memory: those of all days would bring on
 * full garbage collections.
 */
export const countBy = (days: readonly LocalDay[], time: LocalTime): { reader: UsageReader; finish: () => Counted } => {
  const byDay = days.map((): DayCalls => ({ calls: 0, errors: 0, totalMs: 0, p95: null }));
  const indexes = new Map(days.map(({ day }, at) => [day, at]));
  const oldDurations = new Map<number, Uint8Array>();
  const [durations, ofDay] = [emptyHistogram(), emptyHistogram()];
  const zeros = (): number[] => Array.from({ length: WEEK_HOURS }, () => 0);
  const week = { calls: zeros(), errors: zeros() };
  const addTo = (at: number, { calls, errors, totalMs }: Omit<DayCalls, 'p95'>): void => {
    const day = byDay[at];
    if (!day) return;
    day.calls += calls;
    day.errors += errors;
    day.totalMs += totalMs;
  };
  let index = 0;
  const endDay = (): void => {
    const [day, old] = [byDay[index], oldDurations.get(index)];
    if (old) addEncoded(ofDay, old);
    if (day && day.calls > 0) {
      day.p95 = percentiles(ofDay, [0.95])[0] ?? null;
      addHistogram(durations, ofDay);
      ofDay.fill(0);
    }
    index += 1;
  };
  return {
    reader: {
      quarter: (at, quarter) => {
        while (index < days.length - 1 && at >= (days[index]?.end ?? 0)) endDay();
        addTo(index, quarter);
        addEncoded(ofDay, quarter.stored, quarter.start, quarter.end);
        const hour = time.weekHourAt(at);
        week.calls[hour] = (week.calls[hour] ?? 0) + quarter.calls;
        week.errors[hour] = (week.errors[hour] ?? 0) + quarter.errors;
      },
      oldDay: ({ day, calls, errors, total_ms: totalMs, histogram }) => {
        const at = indexes.get(day);
        if (at === undefined) return;
        addTo(at, { calls, errors, totalMs });
        oldDurations.set(at, histogram);
      },
    },
    finish: () => {
      while (index < days.length) endDay();
      return { byDay, durations, week };
    },
  };
};

/** The days as replies contain them. */
export const dailyOf = (days: readonly LocalDay[], { byDay }: Counted): DailyUsage[] =>
  days.map(({ day, start, end }, index) => {
    const { calls, errors, totalMs, p95 } = byDay[index] ?? { calls: 0, errors: 0, totalMs: 0, p95: null };
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
export const figuresOf = (days: readonly LocalDay[], { byDay, durations }: Counted, activeInstances: number): UsageFigures => {
  let [calls, errors, totalMs, peak] = [0, 0, 0, -1];
  for (const [index, day] of byDay.entries()) {
    calls += day.calls;
    errors += day.errors;
    totalMs += day.totalMs;
    if (day.calls > (byDay[peak]?.calls ?? 0)) peak = index;
  }
  const [p50, p95, p99] = percentiles(durations, [0.5, 0.95, 0.99]);
  return {
    totalApiCalls: calls,
    activeInstances,
    avgResponseTime: average(totalMs, calls),
    p50: p50 ?? 0,
    p95: p95 ?? 0,
    p99: p99 ?? 0,
    peakUsageDay: days[peak]?.day ?? null,
    peakUsageCalls: byDay[peak]?.calls ?? 0,
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
