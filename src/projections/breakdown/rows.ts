import { type TrafficKind, type TrafficRow, usageTrafficHourTable, usageTrafficMinuteTable } from '../../database/tables/usage.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import { openRowBuffer } from '../engine/rowBuffer.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { RESOLUTIONS } from '../monitoring/resolutions.ts';
import { EVERYTHING } from '../scope.ts';
import { addCell, type Cell, type CellKey, type Cells, decodeCells, encodeCells, subtractCell, TOGETHER } from './cells.ts';
import { type CountedCell, histogramOf } from './counting.ts';

/** The most cells of a row whose operations and instances are kept apart. A single customer fills a quarter of a scope's. */
const MAX_CELLS = { customer: 200, integrator: 800, all: 800 } as const satisfies Record<TrafficKind, number>;

const [, MINUTES, HOURS] = RESOLUTIONS;
/** The breakdowns that are stored, and for how long. */
export const TRAFFIC = [
  { shape: usageTrafficMinuteTable, sizeMs: MINUTES.sizeMs, keptMs: MINUTES.keptMs, totals: MINUTES.shape },
  { shape: usageTrafficHourTable, sizeMs: HOURS.sizeMs, keptMs: HOURS.keptMs, totals: HOURS.shape },
] as const;
/** A stored breakdown. */
export type Traffic = (typeof TRAFFIC)[number];

type Scope = Readonly<{ kind: TrafficKind; scope: string }>;
const ALL: Scope = { kind: 'all', scope: EVERYTHING };

/** The scopes above a customer. An unknown integrator gets the calls once it is known. */
export const scopesAbove = (integratorId: IntegratorId | null): readonly Scope[] =>
  integratorId ? [ALL, { kind: 'integrator', scope: integratorId }] : [ALL];

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

/** Its cells are decoded when they are first changed. */
type OpenRow = Scope & { at: string; cells: Cells | null };

export const openTrafficRows = ({ shape }: Traffic, session: DatabaseSession, schema: string): TrafficRows => {
  const buffer = openRowBuffer<TrafficRow>(shape, session, schema);
  const rows = new Map<number, Map<string, OpenRow>>();

  const rowOf = (start: number, { kind, scope }: Scope): OpenRow => {
    const ofStart = rows.get(start) ?? new Map<string, OpenRow>();
    rows.set(start, ofStart);
    const known = ofStart.get(scope);
    if (known) return known;
    const row = { at: new Date(start).toISOString(), kind, scope, cells: null };
    ofStart.set(scope, row);
    buffer.preload(row.at, scope);
    return row;
  };
  const cellsOf = (start: number, scope: Scope): Cells => {
    const row = rowOf(start, scope);
    row.cells ??= decodeCells(buffer.get(row.at, row.scope)?.cells ?? NO_CELLS);
    return row.cells;
  };

  return {
    preload: (at, scope) => void rowOf(at, scope),
    load: buffer.load,
    add: (at, scope, cell) => addCell(cellsOf(at, scope), cell, MAX_CELLS[scope.kind]),
    subtract: (at, scope, cell) => subtractCell(cellsOf(at, scope), cell),
    flush: async () => {
      for (const { at, kind, scope, cells } of [...rows.values()].flatMap((ofStart) => [...ofStart.values()])) {
        if (!cells) continue;
        const known = buffer.get(at, scope);
        if (cells.size > 0) {
          buffer.put({ at, scope, kind, calls: sumOf(cells, 'calls'), errors: sumOf(cells, 'errors'), cells: encodeCells(cells) });
        } else if (known) buffer.remove(known);
      }
      await buffer.flush();
    },
  };
};

/** Calls of customers with the same scopes above them, in the order of the first ones. */
type Sum = {
  readonly start: number;
  readonly above: readonly Scope[];
  readonly key: CellKey;
  calls: number;
  errors: number;
  readonly buckets: (readonly number[])[];
};

const writeTo = async (
  traffic: Traffic,
  session: DatabaseSession,
  schema: string,
  counted: readonly CountedCell[],
  integratorOf: (customerId: CustomerId) => IntegratorId | null,
): Promise<void> => {
  const { shape, sizeMs, keptMs } = traffic;
  const rows = openTrafficRows(traffic, session, schema);
  const newest = counted.reduce((latest, { at }) => Math.max(latest, at), 0);
  const kept = counted
    .filter(({ at }) => at >= newest - keptMs - sizeMs)
    .map(({ at, customerId, cell, buckets }) => ({
      start: Math.floor(at / sizeMs) * sizeMs,
      own: { kind: 'customer', scope: customerId } as const,
      above: scopesAbove(integratorOf(customerId)),
      cell,
      buckets,
    }));
  for (const { start, own, above } of kept) for (const scope of [own, ...above]) rows.preload(start, scope);
  await rows.load();
  const sums = new Map<string, Sum>();
  for (const { start, own, above, cell, buckets } of kept) {
    const key = { ...rows.add(start, own, cell), instanceUrl: TOGETHER };
    const id = `${start} ${above.at(-1)?.scope} ${key.service} ${key.outcome} ${key.operation}`;
    const sum = sums.get(id) ?? { start, above, key, calls: 0, errors: 0, buckets: [] };
    sums.set(id, sum);
    sum.calls += cell.counts.calls;
    sum.errors += cell.counts.errors;
    sum.buckets.push(...buckets);
  }
  for (const { start, above, key, calls, errors, buckets } of sums.values()) {
    const counts = { calls, errors, histogram: histogramOf(buckets) };
    for (const scope of above) rows.add(start, scope, { key, counts });
  }
  await rows.flush();
  await session.query(
    `delete from ${schema}.${shape.table} where at < (select max(at) from ${schema}.${shape.table}) - make_interval(secs => $1)`,
    [keptMs / 1000],
  );
};

/** Adds a batch's calls, in the order of their first calls, to the stored breakdowns. */
export const writeTraffic = async (
  session: DatabaseSession,
  schema: string,
  counted: readonly CountedCell[],
  integratorOf: (customerId: CustomerId) => IntegratorId | null,
): Promise<void> => {
  if (counted.length > 0) await Promise.all(TRAFFIC.map((one) => writeTo(one, session, schema, counted, integratorOf)));
};
