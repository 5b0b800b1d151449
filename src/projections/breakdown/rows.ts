import { type TrafficKind, type TrafficRow, usageTrafficHourTable, usageTrafficMinuteTable } from '../../database/tables/usage.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import { openRowBuffer } from '../engine/rowBuffer.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { RESOLUTIONS } from '../monitoring/resolutions.ts';
import { EVERYTHING } from '../scope.ts';
import { addCell, type Cell, type CellKey, type Cells, decodeCells, encodeCells, subtractCell, TOGETHER } from './cells.ts';
import type { CountedCell } from './counting.ts';

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
  load: () => Promise<void>;
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

export const openTrafficRows = ({ shape }: Traffic, session: DatabaseSession, schema: string): TrafficRows => {
  const buffer = openRowBuffer<TrafficRow>(shape, session, schema);
  const touched = new Map<string, Scope & { at: string; cells: Cells }>();

  const cellsOf = (start: number, { kind, scope }: Scope): Cells => {
    const at = new Date(start).toISOString();
    const key = `${at} ${scope}`;
    const known = touched.get(key);
    if (known) return known.cells;
    const cells = decodeCells(buffer.get(at, scope)?.cells ?? NO_CELLS);
    touched.set(key, { at, kind, scope, cells });
    return cells;
  };

  return {
    preload: (at, { scope }) => buffer.preload(new Date(at).toISOString(), scope),
    load: buffer.load,
    add: (at, scope, cell) => addCell(cellsOf(at, scope), cell, MAX_CELLS[scope.kind]),
    subtract: (at, scope, cell) => subtractCell(cellsOf(at, scope), cell),
    flush: async () => {
      for (const { at, kind, scope, cells } of touched.values()) {
        const known = buffer.get(at, scope);
        if (cells.size > 0) {
          buffer.put({ at, scope, kind, calls: sumOf(cells, 'calls'), errors: sumOf(cells, 'errors'), cells: encodeCells(cells) });
        } else if (known) buffer.remove(known);
      }
      await buffer.flush();
    },
  };
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
    .map(({ at, customerId, cell }) => ({
      start: Math.floor(at / sizeMs) * sizeMs,
      own: { kind: 'customer', scope: customerId } as const,
      above: scopesAbove(integratorOf(customerId)),
      cell,
    }));
  for (const { start, own, above } of kept) for (const scope of [own, ...above]) rows.preload(start, scope);
  await rows.load();
  for (const { start, own, above, cell } of kept) {
    const key = { ...rows.add(start, own, cell), instanceUrl: TOGETHER };
    for (const scope of above) rows.add(start, scope, { ...cell, key });
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
