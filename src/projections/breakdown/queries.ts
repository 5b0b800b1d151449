import type { BrokenDown, Chart, ChartDimension, ChartFilter, ChartSeries } from '../../contracts/charts.ts';
import type { Database } from '../../database/database.ts';
import { chartOf } from '../monitoring/charts.ts';
import { breakdownResolutionOf, type Period } from '../monitoring/resolutions.ts';
import { type CellKey, TOGETHER } from './cells.ts';
import { dividesCells, eachCell, integratorOf, mostActive, namesOf, passes, scopeOfFilter } from './reading.ts';
import { TRAFFIC, type Traffic } from './rows.ts';
import { addToStep, emptySteps, percentilesOf, remainderOf, type Steps, totalOf, valuesOf } from './steps.ts';

/** The series of a chart beside the others. */
const TOP = 10;
/** Scopes whose cells are read, if their rows alone do not say which have the most calls. */
const CANDIDATES = 20;

type Named = Readonly<{ key: string; customerId: string | null; steps: Steps }>;

/** What one chart reads: its rows, its time, and which calls it counts. */
type Asked = Readonly<{ db: Database; traffic: Traffic; period: Period; stepMs: number; count: number; filter: ChartFilter }>;

const indexOf = ({ period, stepMs }: Asked, ms: number): number => Math.floor((Number(ms) - period.from) / stepMs);

/** What a cell is counted for; null for none. */
type KeyOf = (scope: string, key: CellKey) => Omit<Named, 'steps'> | null;

/** Adds up the calls of scopes by a key, and all of them in `total`. */
const grouped = async (asked: Asked, scopes: readonly string[], keyOf: KeyOf, total?: Steps): Promise<Named[]> => {
  const groups = new Map<string, Named>();
  await eachCell(asked.db, asked.traffic, asked.period, scopes, ({ ms, scope }, cell) => {
    if (!passes(asked.filter, cell.key)) return;
    if (total) addToStep(total[indexOf(asked, ms)], cell.counts);
    const named = keyOf(scope, cell.key);
    if (!named) return;
    const id = `${named.customerId} ${named.key}`;
    const group = groups.get(id) ?? { ...named, steps: emptySteps(asked.count) };
    groups.set(id, group);
    addToStep(group.steps[indexOf(asked, ms)], cell.counts);
  });
  return [...groups.values()];
};

const ofNothing: KeyOf = () => null;
const ofCell =
  (dimension: 'service' | 'operation' | 'outcome'): KeyOf =>
  (_scope, key) =>
    key[dimension] === TOGETHER ? null : { key: key[dimension], customerId: null };
const ofInstance = (scope: string, { instanceUrl }: CellKey) =>
  instanceUrl === TOGETHER ? null : { key: instanceUrl, customerId: scope };
const ofScope = (scope: string) => ({ key: scope, customerId: null });

const FAILED: readonly unknown[] = ['4xx', '5xx', 'error'];

/** Which scopes are read for the largest ones of a kind. */
const candidatesOf = (
  { db, traffic, period, filter }: Asked,
  kind: 'customer' | 'integrator',
  isDivided: boolean,
): Promise<string[]> =>
  mostActive(db, traffic, period, {
    kind,
    integratorId: filter.integrator,
    by: FAILED.includes(filter.outcome) ? 'errors' : 'calls',
    count: isDivided ? CANDIDATES : TOP,
  });

/** The calls of a scope by a dimension; all of them are added to `total`. */
const groupsBy = async (asked: Asked, by: ChartDimension, scope: string, total: Steps): Promise<Named[]> => {
  const { filter } = asked;
  const ofScopeItself = (keyOf: KeyOf) => grouped(asked, [scope], keyOf, total);
  const ofLargest = async (kind: 'customer' | 'integrator', isDivided: boolean, keyOf: KeyOf): Promise<Named[]> => {
    const [groups] = await Promise.all([
      candidatesOf(asked, kind, isDivided).then((scopes) => grouped(asked, scopes, keyOf)),
      ofScopeItself(ofNothing),
    ]);
    return groups;
  };
  switch (by) {
    case 'service':
    case 'operation':
    case 'outcome':
      return ofScopeItself(ofCell(by));
    case 'instance':
      return filter.customer ? ofScopeItself(ofInstance) : ofLargest('customer', true, ofInstance);
    case 'customer':
      return filter.customer ? ofScopeItself(ofScope) : ofLargest(by, dividesCells(filter), ofScope);
    case 'integrator': {
      const only = filter.integrator ?? (filter.customer && (await integratorOf(asked.db, filter.customer)));
      return only ? ofScopeItself(() => ofScope(only)) : ofLargest(by, dividesCells(filter), ofScope);
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

/** The largest groups, and what is left of the total, so that the series add up to it exactly. */
const seriesOf = (groups: readonly Named[], total: Steps): ChartSeries[] => {
  const sorted = groups
    .map((group) => ({ ...group, calls: totalOf(group.steps) }))
    .sort((one, other) => other.calls - one.calls || (one.key < other.key ? -1 : 1))
    .slice(0, TOP);
  const others = remainderOf(
    total,
    sorted.map(({ steps }) => steps),
  );
  return [
    ...sorted.map(({ key, customerId, steps }) => ({ key, customerId, ...valuesOf(steps) })),
    ...(totalOf(others) > 0 ? [{ key: null, customerId: null, ...valuesOf(others) }] : []),
  ];
};

/** Queries on divided charts. */
export const breakdownQueries = (db: Database) => ({
  /** The chart of a filter's calls, divided by a dimension if one is given, with the names of its customers and integrators. */
  breakdown: async (asked: Period, now: Date, filter: ChartFilter, by: ChartDimension | null): Promise<BrokenDown> => {
    const resolution = breakdownResolutionOf(asked, now.getTime());
    const traffic = TRAFFIC.find(({ sizeMs }) => sizeMs === resolution.sizeMs) ?? TRAFFIC[1];
    const [chart, scope] = await Promise.all([chartOf(db, asked, now.getTime(), resolution), scopeOfFilter(db, filter)]);
    const { points, stepSeconds } = chart;
    const from = Date.parse(chart.from);
    const stepMs = stepSeconds * 1000;
    const period = { from, to: from + points.length * stepMs };
    const reading: Asked = { db, traffic, period, stepMs, count: points.length, filter };
    const total = emptySteps(points.length);
    let groups: readonly Named[] = [];
    if (scope !== null) {
      groups = by === null ? await grouped(reading, [scope], ofNothing, total) : await groupsBy(reading, by, scope, total);
    }
    const series = by === null ? null : seriesOf(groups, total);
    const shown = (series ?? []).flatMap(({ key, customerId }) => [
      ...(by === 'customer' || by === 'integrator' ? [key] : []),
      customerId,
    ]);
    const ids = [...shown, filter.customer, filter.integrator].filter((id) => typeof id === 'string');
    return { chart: withCalls(chart, total), series, names: await namesOf(db, [...new Set(ids)]) };
  },
});
