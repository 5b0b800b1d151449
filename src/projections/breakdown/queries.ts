import type { BrokenDown, Chart, ChartDimension, ChartFilter, ChartSeries } from '../../contracts/charts.ts';
import type { Database } from '../../database/database.ts';
import { chartOf } from '../monitoring/charts.ts';
import { breakdownResolutionOf, type Period, type Resolution } from '../monitoring/resolutions.ts';
import { type CellKey, decodeCells, eachOf, eachStored, type StoredCounts, TOGETHER } from './cells.ts';
import {
  dividesCells,
  hasFourHours,
  integratorOf,
  mostActive,
  namesOf,
  passes,
  readCells,
  readTotals,
  type StoredRow,
  scopeOfFilter,
} from './reading.ts';
import { FOUR_HOURS, type Span, TRAFFIC, type Traffic } from './spans.ts';
import { addToStep, emptySteps, percentilesOf, remainderOf, type Steps, sumOf, totalOf, valuesOf } from './steps.ts';

/** The series of a chart beside the others. */
const TOP = 10;
/** Scopes whose cells are read, if their rows alone do not say which have the most calls. */
const CANDIDATES = 20;

type Name = Readonly<{ key: string; customerId: string | null }>;
type Named = Name & Readonly<{ steps: Steps }>;

/**
 * What one chart reads: rows that are divided, the longest rows of all calls of a scope, those that may be read in place of many of the
 * former, its time, and which calls it counts.
 */
type Asked = Readonly<{
  db: Database;
  traffic: Traffic;
  totals: Span;
  longer: Span | null;
  period: Period;
  stepMs: number;
  count: number;
  filter: ChartFilter;
  /** Whether it divides and filters by nothing but outcomes. */
  byOutcome: boolean;
}>;

const indexOf = ({ period, stepMs }: Asked, ms: number): number => Math.floor((ms - period.from) / stepMs);

/** What a cell is counted for; null for none. */
type KeyOf = (scope: string, key: CellKey) => Name | null;

/** A cell in the step of the chart with that index. */
type PlacedCell = StoredCounts & { at: number };
/** Calls with a key. */
type Group = Name & { calls: number; cells: PlacedCell[] };

const byCalls = (one: Name & { calls: number }, other: Name & { calls: number }): number =>
  other.calls - one.calls || (one.key < other.key ? -1 : 1);

/** The calls of rows by a key: the largest groups, and the rest of all that pass the filter. */
const groupsIn = (asked: Asked, rows: readonly StoredRow[], keyOf: KeyOf): { groups: Named[]; rest: Steps } => {
  const others: Group = { key: TOGETHER, customerId: null, calls: 0, cells: [] };
  const groups = new Map<string, Group>();
  const groupOf = (scope: string, key: CellKey): Group | null => {
    if (!passes(asked.filter, key)) return null;
    const named = keyOf(scope, key);
    if (!named) return others;
    const id = `${named.customerId} ${named.key}`;
    const group = groups.get(id) ?? { ...named, calls: 0, cells: [] };
    groups.set(id, group);
    return group;
  };
  const groupsOf = new Map<string, Map<string, Group | null>>();
  for (const { ms, scope, cells } of rows) {
    const at = indexOf(asked, ms);
    const known = groupsOf.get(scope) ?? new Map<string, Group | null>();
    groupsOf.set(scope, known);
    eachStored(
      cells,
      known,
      (key) => groupOf(scope, key),
      (group, calls, errors, start, end) => {
        if (!group) return;
        group.calls += calls;
        group.cells.push({ at, calls, errors, stored: cells, start, end });
      },
    );
  }
  const stepsOfCells = (counted: readonly Group[]): Steps => {
    const steps = emptySteps(asked.count);
    for (const { cells } of counted) for (const cell of cells) addToStep(steps[cell.at], cell);
    return steps;
  };
  const sorted = [...groups.values()].sort(byCalls);
  return {
    groups: sorted.slice(0, TOP).map((group) => ({ key: group.key, customerId: group.customerId, steps: stepsOfCells([group]) })),
    rest: stepsOfCells([others, ...sorted.slice(TOP)]),
  };
};

const cellsOf = ({ db, traffic, period, filter, byOutcome }: Asked, scopes: readonly string[]): Promise<StoredRow[]> =>
  readCells(db, traffic, period, scopes, { byOutcome, withWhole: !dividesCells(filter) });

const stepsOf = (groups: readonly Named[]): Steps[] => groups.map(({ steps }) => steps);

const ofNothing: KeyOf = () => null;
const ofCell =
  (dimension: 'service' | 'operation' | 'outcome'): KeyOf =>
  (_scope, key) =>
    key[dimension] === TOGETHER ? null : { key: key[dimension], customerId: null };
const ofInstance: KeyOf = (scope, { instanceUrl }) => (instanceUrl === TOGETHER ? null : { key: instanceUrl, customerId: scope });
const ofScope = (scope: string): Name => ({ key: scope, customerId: null });

/** All calls of rows by their scopes. */
const totalsIn = (asked: Asked, rows: readonly StoredRow[]): Named[] => {
  const steps = new Map<string, Steps>();
  for (const { ms, scope, calls, errors, histogram, cells } of rows) {
    const ofThis = steps.get(scope) ?? emptySteps(asked.count);
    steps.set(scope, ofThis);
    const step = ofThis[indexOf(asked, ms)];
    const whole = histogram ? [{ calls, errors, histogram }] : eachOf(decodeCells(cells)).map(({ counts }) => counts);
    for (const { histogram: stored, ...counts } of whole) addToStep(step, { ...counts, stored, start: 0, end: stored.length });
  }
  return Array.from(steps, ([scope, ofThis]) => ({ ...ofScope(scope), steps: ofThis }));
};

/** All calls of the rows of one scope. */
const totalIn = (asked: Asked, rows: readonly StoredRow[]): Steps => totalsIn(asked, rows)[0]?.steps ?? emptySteps(asked.count);

/** All calls of a scope that pass the filter. */
const totalOfScope = async (asked: Asked, scope: string): Promise<Steps> => {
  if (dividesCells(asked.filter)) return groupsIn(asked, await cellsOf(asked, [scope]), ofNothing).rest;
  return totalIn(asked, await readTotals(asked.db, asked.totals, asked.period, [scope]));
};

const FAILED: readonly unknown[] = ['4xx', '5xx', 'error'];

/** Which scopes are read for the largest ones of a kind. */
const candidatesOf = (
  { db, traffic, longer, period, filter }: Asked,
  kind: 'customer' | 'integrator',
  isDivided: boolean,
): Promise<string[]> =>
  mostActive(db, traffic, longer, period, {
    kind,
    integratorId: filter.integrator,
    by: FAILED.includes(filter.outcome) ? 'errors' : 'calls',
    count: isDivided ? CANDIDATES : TOP,
  });

/** All calls of a scope, its largest groups, and what is left of it, so that the groups add up to it exactly. */
type Divided = Readonly<{ total: Steps; groups: readonly Named[]; others: Steps }>;

/** The calls of a scope by a dimension. */
const dividedBy = async (asked: Asked, by: ChartDimension, scope: string): Promise<Divided> => {
  const { filter } = asked;
  const ofCells = async (keyOf: KeyOf) => {
    const rows = await cellsOf(asked, [scope]);
    const { groups, rest } = groupsIn(asked, rows, keyOf);
    return { groups, others: rest, total: dividesCells(filter) ? sumOf(rest, stepsOf(groups)) : totalIn(asked, rows) };
  };
  const ofOne = async (id: string) => {
    const total = await totalOfScope(asked, scope);
    return { groups: totalOf(total) > 0 ? [{ ...ofScope(id), steps: total }] : [], others: emptySteps(asked.count), total };
  };
  const ofLargest = async (kind: 'customer' | 'integrator', keyOf?: KeyOf) => {
    const scopes = await candidatesOf(asked, kind, keyOf !== undefined);
    // One statement reads the parts and the whole, so that calls that arrive in between are in both or in none.
    const read = [scope, ...scopes];
    if (!keyOf) {
      const totals = totalsIn(asked, await readTotals(asked.db, asked.totals, asked.period, read));
      const total = totals.find(({ key }) => key === scope)?.steps ?? emptySteps(asked.count);
      const groups = totals.filter(({ key }) => key !== scope);
      return { groups, total, others: remainderOf(total, stepsOf(groups)) };
    }
    const rows = await cellsOf(asked, read);
    const isWhole = (row: StoredRow): boolean => row.scope === scope;
    const { rest: total } = groupsIn(asked, rows.filter(isWhole), ofNothing);
    const { groups } = groupsIn(
      asked,
      rows.filter((row) => !isWhole(row)),
      keyOf,
    );
    return { groups, total, others: remainderOf(total, stepsOf(groups)) };
  };
  const ofScopes = dividesCells(filter) ? ofScope : undefined;
  switch (by) {
    case 'service':
    case 'operation':
    case 'outcome':
      return ofCells(ofCell(by));
    case 'instance':
      return filter.customer ? ofCells(ofInstance) : ofLargest('customer', ofInstance);
    case 'customer':
      return filter.customer ? ofOne(filter.customer) : ofLargest(by, ofScopes);
    case 'integrator': {
      const only = filter.integrator ?? (filter.customer && (await integratorOf(asked.db, filter.customer)));
      return only ? ofOne(only) : ofLargest(by, ofScopes);
    }
  }
};

/** The chart with the calls of the filter in place of all calls. */
const withCalls = (chart: Chart, total: Steps): Chart => ({
  ...chart,
  points: chart.points.map((point, at) => {
    const step = total[at];
    if (!step || (point.calls === null && step.calls === 0)) return point;
    const [p50 = null, p95 = null, p99 = null] = percentilesOf(step, [0.5, 0.95, 0.99]);
    return { ...point, calls: step.calls, failed: step.failed, p50, p95, p99 };
  }),
});

/** The groups, largest first, and the others. */
const seriesOf = ({ groups, others }: Divided): ChartSeries[] => [
  ...groups
    .map((group) => ({ ...group, calls: totalOf(group.steps) }))
    .sort(byCalls)
    .map(({ key, customerId, steps }) => ({ key, customerId, ...valuesOf(steps) })),
  ...(totalOf(others) > 0 ? [{ key: null, customerId: null, ...valuesOf(others) }] : []),
];

/** Whether a chart divides the calls of a scope by nothing but their outcome. */
const dividesByOutcome = ({ service, operation, instance }: ChartFilter, by: ChartDimension | null): boolean =>
  [service, operation, instance].every((value) => value === undefined) && !['service', 'operation', 'instance'].includes(by ?? '');

/** Which rows a chart is made of. */
const spansOf = ({ sizeMs }: Resolution, stepMs: number, isComplete: boolean): Pick<Asked, 'traffic' | 'totals' | 'longer'> => {
  const [minutes, hours] = TRAFFIC;
  if (sizeMs === minutes.sizeMs) return { traffic: minutes, totals: minutes, longer: hours };
  if (!isComplete) return { traffic: hours, totals: hours, longer: null };
  return { traffic: hours, totals: stepMs % FOUR_HOURS.sizeMs === 0 ? FOUR_HOURS : hours, longer: FOUR_HOURS };
};

/** Queries on divided charts. */
export const breakdownQueries = (db: Database) => ({
  /** The chart of a filter's calls, divided by a dimension if one is given, with the names of its customers and integrators. */
  breakdown: async (asked: Period, now: Date, filter: ChartFilter, by: ChartDimension | null): Promise<BrokenDown> => {
    const resolution = breakdownResolutionOf(asked, now.getTime());
    const [chart, scope, isComplete] = await Promise.all([
      chartOf(db, asked, now.getTime(), resolution),
      scopeOfFilter(db, filter),
      hasFourHours(db),
    ]);
    const { points, stepSeconds } = chart;
    const from = Date.parse(chart.from);
    const stepMs = stepSeconds * 1000;
    const period = { from, to: from + points.length * stepMs };
    const reading: Asked = {
      db,
      ...spansOf(resolution, stepMs, isComplete),
      period,
      stepMs,
      count: points.length,
      filter,
      byOutcome: dividesByOutcome(filter, by),
    };
    const nothing = { groups: [], others: [], total: emptySteps(points.length) };
    const read = async (of: string): Promise<Divided> =>
      by === null ? { ...nothing, total: await totalOfScope(reading, of) } : dividedBy(reading, by, of);
    const divided = scope === null ? nothing : await read(scope);
    const series = by === null ? null : seriesOf(divided);
    const shown = (series ?? []).flatMap(({ key, customerId }) => [
      ...(by === 'customer' || by === 'integrator' ? [key] : []),
      customerId,
    ]);
    const ids = [...shown, filter.customer, filter.integrator].filter((id) => typeof id === 'string');
    return { chart: withCalls(chart, divided.total), series, names: await namesOf(db, [...new Set(ids)]) };
  },
});
