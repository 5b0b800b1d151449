import type { BrokenDown, Chart, ChartDimension, ChartFilter, ChartSeries } from '../../contracts/charts.ts';
import type { Database } from '../../database/database.ts';
import { type CellKey, eachCount, eachStored, noKeys, type OpenedKeys, type TakeCounts, TOGETHER } from './cells.ts';
import { chartOf, stepsOf } from './charts.ts';
import { failedColumnOf } from './failedCalls.ts';
import {
  type Division,
  dividesCells,
  findLonger,
  integratorOf,
  mostActive,
  namesOf,
  passes,
  readCells,
  readTotals,
  rowsIn,
  type StoredRow,
  scopeOfFilter,
} from './reading.ts';
import { breakdownResolutionOf, type Period, type Resolution } from './resolutions.ts';
import { FOUR_HOURS, type Span, TRAFFIC, type Traffic } from './spans.ts';
import { addUp, type Count, callsIn, type Steps, type Values, WHOLE } from './steps.ts';

/** The series of a chart beside the others. */
const TOP = 10;
/** Scopes whose cells are read first, if the sums in their rows do not say which have the most calls. */
const CANDIDATES = 20;
/** The most scopes, and the most rows of them, whose cells are read to find the largest parts, if the first do not suffice. */
const MAX_SCOPES = 1_000;
const MAX_ROWS = 15_000;

type Name = Readonly<{ key: string; customerId: string | null }>;

/**
 * What one chart reads: rows that are divided, the longest rows of all calls of a scope, those that may be read in place of many of the
 * former, the time of which merged ones may be, its time, and which calls it counts.
 */
type Asked = Readonly<{
  db: Database;
  traffic: Traffic;
  totals: Span;
  longer: Span | null;
  merged: Period | null;
  period: Period;
  stepMs: number;
  count: number;
  filter: ChartFilter;
  division: Division;
}>;

/** What a cell is counted for; null for no part. */
type KeyOf = (scope: string, key: CellKey) => Name | null;

/** The calls with one key. `number` counts those of a part. */
type Group = Name & { calls: number; number: number };

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/** An instance can be that of several customers. */
const byCalls = (one: Name & { calls: number }, other: Name & { calls: number }): number =>
  other.calls - one.calls || compare(one.key, other.key) || compare(one.customerId ?? '', other.customerId ?? '');

/**
 * Divided calls: all, the parts with their names, the largest first, and those of no part. `among` is null if no other part has more
 * calls, else the number of customers or integrators among which the parts are the largest.
 */
type Divided = Readonly<{
  whole: Values;
  parts: readonly (Name & { values: Values })[];
  others: Values;
  among: number | null;
}>;

const noCalls = (points: number): Divided => ({ ...addUp(points, 0, () => undefined), parts: [], among: null });

const namedParts = (names: readonly Name[], { whole, parts, others }: Steps): Divided => ({
  whole,
  others,
  among: null,
  parts: names.flatMap(({ key, customerId }, index) => {
    const values = parts[index];
    return values ? [{ key, customerId, values }] : [];
  }),
});

/** The rows of each point of the chart. */
const byPoint = ({ period, stepMs, count }: Asked, rows: readonly StoredRow[]): StoredRow[][] => {
  const points = Array.from({ length: count }, (): StoredRow[] => []);
  for (const row of rows) points[Math.floor((row.ms - period.from) / stepMs)]?.push(row);
  return points;
};

/** Counts all calls of a row. Rows without a histogram of all calls have those of their cells. */
const countRow = ({ calls, errors, histogram, cells }: StoredRow, number: number, count: Count): void => {
  if (histogram) count(number, calls, errors, histogram.buffer, histogram.start, histogram.end);
  else eachCount(cells, (calls, errors, buffer, start, end) => count(number, calls, errors, buffer, start, end));
};

/** Calls back with the group of each cell of a row that passes the filter, and with its counts. */
type EachGroup = (row: StoredRow, take: (group: Group, ...counts: Parameters<TakeCounts>) => void) => void;

/** The calls of the keys of cells, by what they are counted for. */
type Groups = Readonly<{
  each: EachGroup;
  /** The largest ten of the groups that were found, in this order. */
  largest: () => Group[];
}>;

const openGroups = (filter: ChartFilter, keyOf: KeyOf): Groups => {
  const groups = new Map<string, Group>();
  const openedOf = new Map<string, OpenedKeys<Group | null>>();
  const inNoPart: Group = { key: TOGETHER, customerId: null, calls: 0, number: -1 };
  const groupOf = (scope: string, key: CellKey): Group | null => {
    if (!passes(filter, key)) return null;
    const name = keyOf(scope, key);
    if (!name) return inNoPart;
    const id = `${name.customerId} ${name.key}`;
    const group = groups.get(id) ?? { ...name, calls: 0, number: -1 };
    groups.set(id, group);
    return group;
  };
  return {
    each: ({ scope, cells }, take) => {
      const opened = openedOf.get(scope) ?? noKeys();
      openedOf.set(scope, opened);
      eachStored(
        cells,
        opened,
        (key) => groupOf(scope, key),
        (group, calls, errors, buffer, start, end) => {
          if (group) take(group, calls, errors, buffer, start, end);
        },
      );
    },
    largest: () => [...groups.values()].sort(byCalls).slice(0, TOP),
  };
};

/** Counts the calls of each group. */
const countGroups = ({ each }: Groups, rows: readonly StoredRow[]): void => {
  for (const row of rows) {
    each(row, (group, calls) => {
      group.calls += calls;
    });
  }
};

/**
 * The calls of a scope by the keys of cells that pass the filter, the largest ten of `groups` as parts. Rows of other scopes may have
 * calls of parts; those of the scope itself are the whole.
 */
const divideCells = (asked: Asked, whole: string, rows: readonly StoredRow[], groups: Groups): Divided => {
  const { filter, count: points } = asked;
  countGroups(groups, rows);
  const largest = groups.largest();
  for (const [index, group] of largest.entries()) group.number = WHOLE + 1 + index;
  const isFiltered = dividesCells(filter);
  const rowsOf = byPoint(asked, rows);
  const steps = addUp(points, largest.length, (point, count) => {
    for (const row of rowsOf[point] ?? []) {
      const isWhole = row.scope === whole;
      if (isWhole && !isFiltered) countRow(row, WHOLE, count);
      groups.each(row, (group, calls, errors, buffer, start, end) => {
        if (isWhole && isFiltered) count(WHOLE, calls, errors, buffer, start, end);
        if (group.number > WHOLE) count(group.number, calls, errors, buffer, start, end);
      });
    }
  });
  return namedParts(largest, steps);
};

const divideTotals = (asked: Asked, whole: string, scopes: readonly string[], rows: readonly StoredRow[]): Divided => {
  const numbers = new Map(scopes.map((scope, index) => [scope, WHOLE + 1 + index]));
  const rowsOf = byPoint(asked, rows);
  const steps = addUp(asked.count, scopes.length, (point, count) => {
    for (const row of rowsOf[point] ?? []) countRow(row, row.scope === whole ? WHOLE : (numbers.get(row.scope) ?? -1), count);
  });
  return namedParts(scopes.map(ofScope), steps);
};

/**
 * `divideCells` of a scope and of other ones. One statement reads the rows of all scopes at an instant, so that calls which arrive
 * meanwhile are in both or in none.
 */
const byCells = async (asked: Asked, whole: string, others: readonly string[], groups: Groups): Promise<Divided> => {
  const { db, traffic, merged, period, filter, division } = asked;
  const wanted = { division, withWhole: !dividesCells(filter) };
  const read = await readCells(db, traffic, merged, period, [whole, ...others], wanted);
  return divideCells(asked, whole, rowsIn(read), groups);
};

/** `divideTotals` of a scope and of other ones, likewise. */
const byTotals = async (asked: Asked, whole: string, others: readonly string[]): Promise<Divided> => {
  const read = await readTotals(asked.db, asked.totals, asked.period, [whole, ...others]);
  return divideTotals(asked, whole, others, rowsIn(read));
};

const ofNothing: KeyOf = () => null;
const ofCell =
  (dimension: 'service' | 'operation' | 'outcome'): KeyOf =>
  (_scope, key) =>
    key[dimension] === TOGETHER ? null : { key: key[dimension], customerId: null };
const ofInstance: KeyOf = (scope, { instanceUrl }) => (instanceUrl === TOGETHER ? null : { key: instanceUrl, customerId: scope });
const ofScope = (scope: string): Name => ({ key: scope, customerId: null });

/** All calls of a scope that pass the filter. */
const undivided = (asked: Asked, scope: string): Promise<Divided> =>
  dividesCells(asked.filter) ? byCells(asked, scope, [], openGroups(asked.filter, ofNothing)) : byTotals(asked, scope, []);

/** The customers or integrators with the most calls, or with the most of a failed outcome. */
const rank = ({ db, traffic, longer, period, filter }: Asked, kind: 'customer' | 'integrator', count: number) =>
  mostActive(db, traffic, longer, period, {
    kind,
    integratorId: filter.integrator,
    by: failedColumnOf(filter.outcome) ?? 'calls',
    count,
  });

/** How many ranked scopes may be read. */
const readable = (ranked: readonly Readonly<{ rows: number }>[]): number => {
  let rows = 0;
  const tooMany = ranked.findIndex((scope) => {
    rows += scope.rows;
    return rows > MAX_ROWS;
  });
  return Math.min(MAX_SCOPES, Math.max(CANDIDATES, tooMany === -1 ? ranked.length : tooMany));
};

/** The largest customers or integrators by the sums of their rows, which are the calls that the chart counts. */
const largestByTotals = async (asked: Asked, whole: string, kind: 'customer' | 'integrator'): Promise<Divided> => {
  const { ranked } = await rank(asked, kind, TOP);
  return byTotals(
    asked,
    whole,
    ranked.map(({ scope }) => scope),
  );
};

/**
 * The largest parts by the cells of customers or integrators. No part of a scope has more calls than the scope, so the parts are the
 * largest as soon as the next scope has no more calls than the tenth part. Until then cells of further scopes are read, twice as many
 * each time, within the limits.
 */
const largestByCells = async (asked: Asked, whole: string, kind: 'customer' | 'integrator', keyOf: KeyOf): Promise<Divided> => {
  const { db, traffic, merged, period, filter, division } = asked;
  const { ranked, isExact } = await rank(asked, kind, MAX_SCOPES + 1);
  const most = readable(ranked);
  const scopes = ranked.map(({ scope }) => scope);
  const ofScopes: KeyOf = (scope, key) => (scope === whole ? null : keyOf(scope, key));
  const divide = (from: readonly string[], groups = openGroups(filter, ofScopes)) => byCells(asked, whole, from, groups);
  if (division === 'outcome' && isExact && failedColumnOf(filter.outcome)) return divide(scopes.slice(0, TOP));

  const groups = openGroups(filter, ofScopes);
  const first = await divide(scopes.slice(0, CANDIDATES), groups);
  const before = groups.largest();
  const areLargest = (read: number): boolean => {
    const next = ranked[read];
    if (!next) return true;
    return isExact && next.calls <= (groups.largest()[TOP - 1]?.calls ?? 0);
  };
  let read = CANDIDATES;
  while (read < most && !areLargest(read)) {
    const further = scopes.slice(read, Math.min(2 * read, most));
    const rows = await readCells(db, traffic, merged, period, further, { division, withWhole: false });
    countGroups(groups, rowsIn(rows));
    read += further.length;
  }
  const largest = groups.largest();
  const among = areLargest(read) ? null : read;
  if (largest.every((group) => before.includes(group))) return { ...first, among };
  const owners = new Set(largest.map(({ key, customerId }) => customerId ?? key));
  return { ...(await divide([...owners])), among };
};

/** The calls of a scope by a dimension. */
const dividedBy = async (asked: Asked, by: ChartDimension, scope: string): Promise<Divided> => {
  const { filter } = asked;
  const ofOne = async (id: string): Promise<Divided> => {
    const { whole } = await undivided(asked, scope);
    return { ...noCalls(asked.count), whole, parts: [{ ...ofScope(id), values: whole }] };
  };
  const ofLargest = (kind: 'customer' | 'integrator') =>
    dividesCells(filter) ? largestByCells(asked, scope, kind, ofScope) : largestByTotals(asked, scope, kind);
  const ofCells = (keyOf: KeyOf) => byCells(asked, scope, [], openGroups(filter, keyOf));
  switch (by) {
    case 'service':
    case 'operation':
    case 'outcome':
      return ofCells(ofCell(by));
    case 'instance':
      return filter.customer ? ofCells(ofInstance) : largestByCells(asked, scope, 'customer', ofInstance);
    case 'customer':
      return filter.customer ? ofOne(filter.customer) : ofLargest(by);
    case 'integrator': {
      const only = filter.integrator ?? (filter.customer && (await integratorOf(asked.db, filter.customer)));
      return only ? ofOne(only) : ofLargest(by);
    }
  }
};

/** The chart with the calls of the filter in place of all calls. */
const withCalls = (chart: Chart, { calls, failed, p50, p95, p99 }: Values): Chart => ({
  ...chart,
  points: chart.points.map((point, at) => {
    const counted = calls[at] ?? 0;
    if (point.calls === null && counted === 0) return point;
    return { ...point, calls: counted, failed: failed[at] ?? 0, p50: p50[at] ?? null, p95: p95[at] ?? null, p99: p99[at] ?? null };
  }),
});

/** The parts, largest first, and the others; those with calls. */
const seriesOf = ({ parts, others }: Divided): ChartSeries[] => {
  const sorted = parts.map((part) => ({ ...part, calls: callsIn(part.values) })).sort(byCalls);
  return [...sorted, { key: null, customerId: null, values: others, calls: callsIn(others) }]
    .filter(({ calls }) => calls > 0)
    .map(({ key, customerId, values: { calls, failed, p95 } }) => ({ key, customerId, calls, failed, p95 }));
};

const divisionOf = ({ service, operation, instance }: ChartFilter, by: ChartDimension | null): Division => {
  if (operation !== undefined || instance !== undefined || by === 'operation' || by === 'instance') return 'operation';
  return service !== undefined || by === 'service' ? 'service' : 'outcome';
};

/** Which rows a chart is made of. */
const spansOf = async (
  db: Database,
  { sizeMs }: Resolution,
  stepMs: number,
): Promise<Pick<Asked, 'traffic' | 'totals' | 'longer' | 'merged'>> => {
  const [minutes, hours] = TRAFFIC;
  if (sizeMs === minutes.sizeMs) return { traffic: minutes, totals: minutes, longer: hours, merged: null };
  const { hasFourHours, merged } = await findLonger(db);
  const isByFourHours = stepMs % FOUR_HOURS.sizeMs === 0;
  const of = { traffic: hours, merged: isByFourHours ? merged : null };
  if (!hasFourHours) return { ...of, totals: hours, longer: null };
  return { ...of, totals: isByFourHours ? FOUR_HOURS : hours, longer: FOUR_HOURS };
};

/** Queries on divided charts. */
export const breakdownQueries = (db: Database) => ({
  /** The chart of a filter's calls, divided by a dimension if one is given, with the names of its customers and integrators. */
  breakdown: async (asked: Period, now: Date, filter: ChartFilter, by: ChartDimension | null): Promise<BrokenDown> => {
    const resolution = breakdownResolutionOf(asked, now.getTime());
    const { from, stepMs, count } = stepsOf(asked, now.getTime(), resolution);
    const read = async (): Promise<Divided> => {
      const [scope, spans] = await Promise.all([scopeOfFilter(db, filter), spansOf(db, resolution, stepMs)]);
      if (scope === null) return noCalls(count);
      const reading: Asked = {
        db,
        ...spans,
        period: { from, to: from + count * stepMs },
        stepMs,
        count,
        filter,
        division: divisionOf(filter, by),
      };
      return by === null ? undivided(reading, scope) : dividedBy(reading, by, scope);
    };
    const [chart, divided] = await Promise.all([chartOf(db, asked, now.getTime(), resolution), read()]);
    const series = by === null ? null : seriesOf(divided);
    const shown = (series ?? []).flatMap(({ key, customerId }) => [
      ...(by === 'customer' || by === 'integrator' ? [key] : []),
      customerId,
    ]);
    const ids = [...shown, filter.customer, filter.integrator].filter((id) => typeof id === 'string');
    return {
      chart: withCalls(chart, divided.whole),
      series,
      names: await namesOf(db, [...new Set(ids)]),
      ...(divided.among !== null && { partsAmong: divided.among }),
    };
  },
});
