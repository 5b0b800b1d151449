import type { ArrivedPart, ArrivedParts, ArrivedUsage } from '../../contracts/usage.ts';
import type { Database } from '../../database/database.ts';
import type { IntegratorId } from '../../domain/ids.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { type CellKey, eachCount, eachStored, noKeys, TOGETHER } from '../breakdown/cells.ts';
import { findLonger, readCells, readTotals, rowsIn, type StoredRow } from '../breakdown/reading.ts';
import { TRAFFIC } from '../breakdown/spans.ts';
import { addEncoded, emptyHistogram, type Histogram, percentiles, percentilesOfSum } from '../callCounts/histogram.ts';
import { type LocalDay, type LocalTime, localTimeOf, WEEK_HOURS } from '../localTime.ts';
import { breakdownOf, relatedPeriods } from './figures.ts';
import type { Part } from './parts.ts';

const [, HOURS] = TRAFFIC;

/** What is asked for: days of a time zone, both included, today in it, and whether the days before are wanted as well. */
export type CustomersAsked = Readonly<{ zone: string; from: string; to: string; today: string; isCompared?: boolean }>;

/** Days, and the time of those of which all hours are kept. */
type Period = Readonly<{ days: readonly LocalDay[]; start: number; end: number }>;

/** Leaves out the time of the days of which hours are no longer kept. */
const keptOf = (days: readonly LocalDay[], keptFrom: number): Period => {
  const end = days.at(-1)?.end ?? 0;
  return { days, start: days.find(({ start }) => start >= keptFrom)?.start ?? end, end };
};

/** Adds the durations of all calls of a row. A row of a version before has them in its cells only. */
const addDurations = (sum: Histogram, { histogram, cells }: StoredRow): void => {
  if (histogram) addEncoded(sum, histogram.buffer, histogram.start, histogram.end);
  else eachCount(cells, (_calls, _errors, buffer, start, end) => addEncoded(sum, buffer, start, end));
};

type Sums = { calls: number; errors: number };

const add = (to: Sums, { calls, errors }: Sums): void => {
  to.calls += calls;
  to.errors += errors;
};

const timesOf = ([p50 = null, p95 = null, p99 = null]: readonly (number | null)[]) => ({
  p50: p50 ?? 0,
  p95: p95 ?? 0,
  p99: p99 ?? 0,
});

/** The calls of rows by day, and of all of them. */
const countDays = ({ days }: Period, rows: readonly StoredRow[]) => {
  const rowsOf = days.map((): StoredRow[] => []);
  for (const row of rows) rowsOf[days.findIndex(({ start, end }) => row.ms >= start && row.ms < end)]?.push(row);
  const durations = emptyHistogram();
  const whole: Sums = { calls: 0, errors: 0 };
  const daily = days.map(({ day, start, end }, index) => {
    const sums: Sums = { calls: 0, errors: 0 };
    const ofDay = rowsOf[index] ?? [];
    for (const row of ofDay) {
      add(sums, row);
      addDurations(durations, row);
    }
    add(whole, sums);
    const { p50, p95 } = timesOf(
      percentilesOfSum(
        (sum) => {
          for (const row of ofDay) addDurations(sum, row);
        },
        [0.5, 0.95],
      ),
    );
    return { day, from: new Date(start).toISOString(), to: new Date(end).toISOString(), ...sums, p50, p95 };
  });
  const times = timesOf(percentiles(durations, [0.5, 0.95, 0.99]));
  return { totalApiCalls: whole.calls, totalErrors: whole.errors, ...times, daily };
};

const countWeek = (time: LocalTime, rows: readonly StoredRow[]): ArrivedUsage['week'] => {
  const zeros = (): number[] => Array.from({ length: WEEK_HOURS }, () => 0);
  const week = { calls: zeros(), errors: zeros() };
  for (const { ms, calls, errors } of rows) {
    const hour = time.weekHourAt(ms);
    week.calls[hour] = (week.calls[hour] ?? 0) + calls;
    week.errors[hour] = (week.errors[hour] ?? 0) + errors;
  }
  return week;
};

const partOf = (parts: Map<string, Part>, key: string): Part => {
  const known = parts.get(key) ?? { calls: 0, errors: 0, totalMs: 0, lastAt: 0 };
  parts.set(key, known);
  return known;
};

const shown = (parts: readonly (readonly [string, Part])[], { calls, errors }: Sums): ArrivedPart[] =>
  breakdownOf(parts, { calls, errors, totalMs: 0 }).map(({ key, calls, errors }) => ({ key, calls, errors }));

/** The failed calls of rows by outcome. */
const countOutcomes = (rows: readonly StoredRow[], { totalErrors: errors }: ReturnType<typeof countDays>): ArrivedPart[] => {
  const outcomes = new Map<string, Part>();
  const opened = noKeys<Part>();
  for (const { cells } of rows) {
    eachStored(
      cells,
      opened,
      ({ outcome }) => partOf(outcomes, outcome),
      (part, _calls, errors) => add(part, { calls: errors, errors }),
    );
  }
  return shown(
    [...outcomes].filter(([, { calls }]) => calls > 0),
    { calls: errors, errors },
  );
};

/** The calls of rows by service and by operation. Calls of operations that are counted together are among all others. */
const countParts = (
  rows: readonly StoredRow[],
): Pick<ArrivedParts, 'totalApiCalls' | 'totalErrors' | 'services' | 'operations'> => {
  const [services, operations] = [new Map<string, Part>(), new Map<string, Part>()];
  const partsOf = ({ service, operation }: CellKey): Part[] => [
    partOf(services, service),
    ...(operation === TOGETHER ? [] : [partOf(operations, operation)]),
  ];
  const opened = noKeys<Part[]>();
  const whole: Sums = { calls: 0, errors: 0 };
  for (const row of rows) {
    add(whole, row);
    eachStored(row.cells, opened, partsOf, (parts, calls, errors) => {
      for (const part of parts) add(part, { calls, errors });
    });
  }
  return {
    totalApiCalls: whole.calls,
    totalErrors: whole.errors,
    services: shown([...services], whole),
    operations: shown([...operations], whole),
  };
};

/**
 * The days that are asked for and those before them, without those of which hours are no longer kept. They are days of the zone, or of
 * UTC where days of the zone do not begin with an hour of UTC.
 */
const periodsOf = (asked: CustomersAsked) => {
  const { zone, from, to, today } = asked;
  const { before } = relatedPeriods(asked);
  const time = localTimeOf(zone, before.from < today ? before.from : today, to > today ? to : today);
  const [days, daysBefore] = [time.days(from, to), time.days(before.from, before.to)];
  const isWholeHour = ({ start, end }: LocalDay): boolean => start % HOUR_MS === 0 && end % HOUR_MS === 0;
  if (![...daysBefore, ...days].every(isWholeHour)) return periodsOf({ ...asked, zone: 'UTC' });
  const keptFrom = (time.days(today, today)[0]?.end ?? 0) - HOURS.keptMs;
  const earlier = keptOf(daysBefore, keptFrom);
  return {
    zone,
    time,
    before,
    range: keptOf(days, keptFrom),
    earlier: earlier.start === daysBefore[0]?.start ? earlier : null,
  };
};

/**
 * The calls of all customers of a service integrator by the hour of their arrival: that is how they are counted together, with their
 * durations and outcomes.
 */
export const arrivedCalls = async (db: Database, integratorId: IntegratorId, asked: CustomersAsked): Promise<ArrivedUsage> => {
  const { zone, time, before, range, earlier } = periodsOf(asked);
  const [rows, rowsBefore] = await Promise.all([
    readCells(db, HOURS, null, { from: range.start, to: range.end }, [integratorId], { division: 'outcome', withWhole: true }),
    asked.isCompared && earlier ? readTotals(db, HOURS, { from: earlier.start, to: earlier.end }, [integratorId]) : null,
  ]);
  const stored = rowsIn(rows);
  const whole = countDays(range, stored);
  const counted = { ...whole, week: countWeek(time, stored), outcomes: countOutcomes(stored, whole) };
  const previous = rowsBefore && earlier && countDays(earlier, rowsIn(rowsBefore));
  return { zone, from: new Date(range.start).toISOString(), ...counted, previous: previous && { ...before, ...previous } };
};

/** The same calls by service and operation. These cells are most of the bytes of an hour, so they are read on their own. */
export const arrivedParts = async (db: Database, integratorId: IntegratorId, asked: CustomersAsked): Promise<ArrivedParts> => {
  const { zone, range } = periodsOf(asked);
  const period = { from: range.start, to: range.end };
  const rows = await readCells(db, HOURS, (await findLonger(db)).merged, period, [integratorId], {
    division: 'operation',
    withWhole: false,
  });
  const [from, to] = [new Date(range.start).toISOString(), new Date(range.end).toISOString()];
  return { zone, from, to, ...countParts(rowsIn(rows)) };
};
