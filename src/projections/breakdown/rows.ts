import type { FourHoursRow, TrafficKind, TrafficRow } from '../../database/tables/usage.ts';
import { OUTCOMES } from '../../domain/apiCalls/outcome.ts';
import { addEncoded, emptyHistogram, encodeHistogram, subtractEncoded } from '../callCounts/histogram.ts';
import { openRowBuffer } from '../engine/rowBuffer.ts';
import type { DatabaseSession } from '../engine/session.ts';
import {
  addCell,
  type Cell,
  type CellKey,
  type Cells,
  decodeCells,
  encodeCells,
  failedCallsOf,
  keyOfOutcome,
  ofOutcome,
  outcomesOf,
  subtractCell,
} from './cells.ts';
import { addCallsOf, addFailedCalls, type FailedCalls, noFailedCalls } from './failedCalls.ts';
import { type Changed, FOUR_HOURS, type Scope, type Span, type Traffic } from './spans.ts';

/** The most cells of a row whose operations and instances are kept apart. A single customer fills a quarter of a scope's. */
const MAX_CELLS = { customer: 200, integrator: 800, all: 800 } as const satisfies Record<TrafficKind, number>;

/** Rows of a stored breakdown that are read, changed and written together. Instants are ms since 1970. */
export type TrafficRows = Readonly<{
  preload: (at: number, scope: Scope) => void;
  load: () => Promise<unknown>;
  /** Adds calls, and returns the key that counts them. */
  add: (at: number, scope: Scope, cell: Cell) => CellKey;
  subtract: (at: number, scope: Scope, cell: Cell) => void;
  flush: () => Promise<void>;
}>;

const sumOf = (cells: Cells, column: 'calls' | 'errors'): number => {
  let sum = 0;
  for (const cell of cells.values()) sum += cell[column];
  return sum;
};

const NO_CELLS = Buffer.alloc(0);

/** What a row counts: divided by all keys, and by outcome alone. */
type Counted = Readonly<{ cells: Cells; outcomes: Cells }>;
/** A preloaded row, whose cells are decoded when they are first changed. */
type OpenRow = Scope & { at: string; counted: Counted | null; isReduced: boolean };

const sumOfHistograms = (stored: Iterable<Uint8Array>, less: Iterable<Uint8Array> = []): Buffer => {
  const histogram = emptyHistogram();
  for (const one of stored) addEncoded(histogram, one);
  for (const one of less) subtractEncoded(histogram, one);
  return encodeHistogram(histogram);
};

function* histogramsOf(cells: Cells): Generator<Uint8Array> {
  for (const { histogram } of cells.values()) yield histogram;
}

/** The sum of the cells of rows. */
export const sumOfCells = (rows: readonly Cells[]): Cells => {
  const sums = new Map<string, { calls: number; errors: number; histograms: Uint8Array[] }>();
  for (const cells of rows) {
    for (const [text, { calls, errors, histogram }] of cells) {
      const sum = sums.get(text) ?? { calls: 0, errors: 0, histograms: [] };
      sums.set(text, sum);
      sum.calls += calls;
      sum.errors += errors;
      sum.histograms.push(histogram);
    }
  }
  return new Map(Array.from(sums, ([text, { histograms, ...sum }]) => [text, { ...sum, histogram: sumOfHistograms(histograms) }]));
};

/** All calls of cells as a row stores them. */
export const storedSums = (cells: Cells): Pick<TrafficRow, 'calls' | 'errors'> & { histogram: Buffer } => ({
  calls: sumOf(cells, 'calls'),
  errors: sumOf(cells, 'errors'),
  histogram: sumOfHistograms(histogramsOf(cells)),
});

const openTrafficRows = ({ shape }: Traffic, session: DatabaseSession, schema: string): TrafficRows => {
  const buffer = openRowBuffer<TrafficRow>(shape, session, schema);
  const rows = new Map<number, Map<string, OpenRow>>();

  const rowOf = (start: number, { kind, scope }: Scope): OpenRow => {
    const ofStart = rows.get(start) ?? new Map<string, OpenRow>();
    rows.set(start, ofStart);
    const known = ofStart.get(scope);
    if (known) return known;
    const row: OpenRow = { at: new Date(start).toISOString(), kind, scope, counted: null, isReduced: false };
    ofStart.set(scope, row);
    buffer.preload(row.at, scope);
    return row;
  };
  const countedIn = (row: OpenRow): Counted => {
    if (row.counted) return row.counted;
    const known = buffer.get(row.at, row.scope);
    const cells = decodeCells(known?.cells ?? NO_CELLS);
    row.counted = { cells, outcomes: known?.outcomes ? decodeCells(known.outcomes) : outcomesOf(cells) };
    return row.counted;
  };

  return {
    preload: (at, scope) => void rowOf(at, scope),
    load: buffer.load,
    add: (at, scope, cell) => {
      const { cells, outcomes } = countedIn(rowOf(at, scope));
      addCell(outcomes, ofOutcome(cell), OUTCOMES.length);
      return addCell(cells, cell, MAX_CELLS[scope.kind]);
    },
    subtract: (at, scope, cell) => {
      const row = rowOf(at, scope);
      row.isReduced = true;
      subtractCell(countedIn(row).cells, cell);
    },
    flush: async () => {
      for (const { at, kind, scope, counted, isReduced } of [...rows.values()].flatMap((ofStart) => [...ofStart.values()])) {
        if (!counted) continue;
        const { cells } = counted;
        const known = buffer.get(at, scope);
        if (cells.size > 0) {
          const outcomes = isReduced ? outcomesOf(cells) : counted.outcomes;
          const stored = { cells: encodeCells(cells), outcomes: encodeCells(outcomes) };
          buffer.put({ at, scope, kind, ...storedSums(outcomes), ...stored, ...failedCallsOf(outcomes) });
        } else if (known) buffer.remove(known);
      }
      await buffer.flush();
    },
  };
};

type OpenSum = Scope & { at: string; readonly added: Cell[]; readonly removed: Cell[] };

const addFailed = (sum: FailedCalls, { key, counts, failed }: Cell, sign: 1 | -1): void => {
  if (failed) addFailedCalls(sum, failed, sign);
  else addCallsOf(sum, key.outcome, counts.calls, sign);
};

/** The failed calls of a row after a change. */
const failedAfter = (known: FourHoursRow | undefined, { added, removed }: OpenSum): FailedCalls => {
  const sum = noFailedCalls();
  if (known) addFailedCalls(sum, known, 1);
  for (const cell of added) addFailed(sum, cell, 1);
  for (const cell of removed) addFailed(sum, cell, -1);
  return sum;
};

/** Rows of four hours: they count the calls of cells, without dividing their durations. */
const openSumRows = (session: DatabaseSession, schema: string): TrafficRows => {
  const buffer = openRowBuffer<FourHoursRow>(FOUR_HOURS.shape, session, schema);
  const rows = new Map<string, OpenSum>();
  const rowOf = (start: number, { kind, scope }: Scope): OpenSum => {
    const id = `${start} ${scope}`;
    const known = rows.get(id);
    if (known) return known;
    const row: OpenSum = { at: new Date(start).toISOString(), kind, scope, added: [], removed: [] };
    rows.set(id, row);
    buffer.preload(row.at, scope);
    return row;
  };
  return {
    preload: (at, scope) => void rowOf(at, scope),
    load: buffer.load,
    add: (at, scope, cell) => {
      rowOf(at, scope).added.push(cell);
      return keyOfOutcome(cell.key.outcome);
    },
    subtract: (at, scope, cell) => void rowOf(at, scope).removed.push(cell),
    flush: async () => {
      for (const row of rows.values()) {
        const { at, kind, scope, added, removed } = row;
        if (added.length === 0 && removed.length === 0) continue;
        const known = buffer.get(at, scope);
        const sumsOf = (column: 'calls' | 'errors'): number =>
          added.reduce((sum, { counts }) => sum + counts[column], known?.[column] ?? 0) -
          removed.reduce((sum, { counts }) => sum + counts[column], 0);
        const calls = sumsOf('calls');
        if (calls > 0) {
          const stored = [...(known ? [known.histogram] : []), ...added.map(({ counts }) => counts.histogram)];
          const histogram = sumOfHistograms(
            stored,
            removed.map(({ counts }) => counts.histogram),
          );
          buffer.put({ at, scope, kind, calls, errors: sumsOf('errors'), histogram, ...failedAfter(known, row) });
        } else if (known) buffer.remove(known);
      }
      await buffer.flush();
    },
  };
};

/** Rows of a span that are read, changed and written together. `changed` is called for each of four hours. */
export const openSpanRows = (span: Span, session: DatabaseSession, schema: string, changed: Changed): TrafficRows => {
  if ('totals' in span) return openTrafficRows(span, session, schema);
  const rows = openSumRows(session, schema);
  const preload = (at: number, scope: Scope): void => {
    changed(at, scope);
    rows.preload(at, scope);
  };
  return { ...rows, preload };
};
