import type { MergedHoursRow } from '../../database/tables/usage.ts';
import { openRowBuffer } from '../engine/rowBuffer.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { type Cells, decodeCells, encodeCells, servicesOf } from './cells.ts';
import { storedSums, sumOfCells } from './rows.ts';
import { type Changed, FOUR_HOURS, MERGED_HOURS, TRAFFIC } from './spans.ts';

const [, HOURS] = TRAFFIC;
const { sizeMs, shape } = MERGED_HOURS;

/** Merges hours once a batch is written, so that each row is written once and not with every batch. */
type Merging = Readonly<{ changed: Changed; flush: () => Promise<void> }>;

/** Four hours of a scope. */
type Pair = Readonly<{ at: string; scope: string }>;

/** Rows that are merged at a time: the hours of a scope with many operations take hundreds of kilobytes. */
const MERGED_AT_A_TIME = 100;

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Writes the rows of the pairs. */
const merge = async (session: DatabaseSession, schema: string, pairs: readonly Pair[]): Promise<void> => {
  const hours = await session.query<Pair & { cells: Buffer }>(
    `select p.at, p.scope, t.cells
     from unnest($1::timestamptz[], $2::uuid[]) as p(at, scope) cross join generate_series(0, ${sizeMs / HOURS.sizeMs - 1}) as hour
     join ${schema}.${HOURS.shape.table} t on t.at = p.at + hour * interval '1 hour' and t.scope = p.scope`,
    [pairs.map(({ at }) => at), pairs.map(({ scope }) => scope)],
  );
  const hoursOf = new Map<string, Cells[]>();
  for (const { at, scope, cells } of hours) {
    const id = `${at} ${scope}`;
    const ofPair = hoursOf.get(id);
    if (ofPair) ofPair.push(decodeCells(cells));
    else hoursOf.set(id, [decodeCells(cells)]);
  }
  const buffer = openRowBuffer<MergedHoursRow>(shape, session, schema);
  for (const { at, scope } of pairs) buffer.preload(at, scope);
  await buffer.load();
  for (const { at, scope } of pairs) {
    const ofPair = hoursOf.get(`${at} ${scope}`);
    const known = buffer.get(at, scope);
    if (ofPair) {
      const cells = sumOfCells(ofPair);
      const services = servicesOf(cells);
      buffer.put({ at, scope, ...storedSums(services), services: encodeCells(services), cells: encodeCells(cells) });
    } else if (known) buffer.remove(known);
  }
  await buffer.flush();
};

/**
 * Opens the merged rows for one batch. Afterwards each row of four hours has a merged one if later calls are stored, whatever the batches
 * were: a rebuild comes to the same.
 */
export const openMerging = (session: DatabaseSession, schema: string): Merging => {
  const changedPairs = new Map<string, { ms: number; pair: Pair }>();
  return {
    changed: (at, { scope }) => void changedPairs.set(`${at} ${scope}`, { ms: at, pair: { at: isoOf(at), scope } }),
    flush: async () => {
      if (changedPairs.size === 0) return;
      const newestOf = (table: string): string => `(select (extract(epoch from max(at)) * 1000)::int8 from ${schema}.${table})`;
      const [found] = await session.query<{ newest: number | null; merged: number | null }>(
        `select ${newestOf(FOUR_HOURS.shape.table)} as newest, ${newestOf(shape.table)} as merged`,
        [],
      );
      const { newest = null, merged: last = null } = found ?? {};
      if (newest === null) return void (await session.query(`delete from ${schema}.${shape.table}`, []));
      const merged = last ?? Number.NEGATIVE_INFINITY;
      // Of the oldest row of four hours, some hours are no longer kept.
      const oldest = newest - FOUR_HOURS.keptMs + sizeMs;
      const again = [...changedPairs.values()].filter(({ ms }) => ms >= oldest && ms <= merged && ms < newest);
      const isCurrent = merged === newest - sizeMs;
      const over = isCurrent
        ? []
        : await session.query<Pair>(
            `select at, scope from ${schema}.${FOUR_HOURS.shape.table} where at >= $1 and at < $2 order by at, scope`,
            [isoOf(Math.max(oldest, merged + sizeMs)), isoOf(newest)],
          );
      const pairs = [...again.map(({ pair }) => pair), ...over];
      for (let from = 0; from < pairs.length; from += MERGED_AT_A_TIME) {
        await merge(session, schema, pairs.slice(from, from + MERGED_AT_A_TIME));
      }
      if (!isCurrent)
        await session.query(`delete from ${schema}.${shape.table} where at < $1 or at >= $2`, [isoOf(oldest), isoOf(newest)]);
    },
  };
};
