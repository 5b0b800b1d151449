import { type RawBuilder, sql } from 'kysely';
import type { ChartFilter } from '../../contracts/charts.ts';
import { BINARY } from '../../database/binary.ts';
import type { Database } from '../../database/database.ts';
import type { TrafficKind } from '../../database/tables/usage.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import type { Bytes } from '../callCounts/bytes.ts';
import { EVERYTHING } from '../scope.ts';
import type { CellKey } from './cells.ts';
import type { FailedColumn } from './failedCalls.ts';
import type { Period } from './resolutions.ts';
import { FOUR_HOURS, MERGED_HOURS, type Span, TRAFFIC, type Traffic } from './spans.ts';

const [, HOURS] = TRAFFIC;

/**
 * The calls of a scope in the span that begins at `ms` since 1970. `histogram` is null where it is not stored or not read, `cells` are
 * empty where they are not read; one of both is read.
 */
export type StoredRow = Readonly<{
  ms: number;
  scope: string;
  calls: number;
  errors: number;
  histogram: Bytes | null;
  cells: Bytes;
}>;

/** Which scopes are ranked, by which of their calls, and how many are found. */
type Ranking = Readonly<{ kind: TrafficKind; integratorId: string | undefined; by: 'calls' | FailedColumn; count: number }>;

/**
 * Scopes with the calls by which they are ranked, those with the most first, and with the most rows that they can have in the period.
 * `isExact` is false if rows that a version before wrote lack what is ranked.
 */
type Ranked = Readonly<{ ranked: readonly Readonly<{ scope: string; calls: number; rows: number }>[]; isExact: boolean }>;

/** Whether a filter compares what cells are divided by. */
export const dividesCells = ({ service, operation, outcome, instance }: ChartFilter): boolean =>
  [service, operation, outcome, instance].some((value) => value !== undefined);

/** Whether a cell passes a filter. Cells that are counted together pass none of a single operation or instance. */
export const passes = ({ service, operation, outcome, instance }: ChartFilter, key: CellKey): boolean =>
  (service === undefined || key.service === service) &&
  (operation === undefined || key.operation === operation) &&
  (outcome === undefined || key.outcome === outcome) &&
  (instance === undefined || key.instanceUrl === instance);

/** The integrator of a customer with calls; null for none. */
export const integratorOf = async (db: Database, customer: CustomerId): Promise<IntegratorId | null> => {
  const row = await db.selectFrom('usage.customer').select('integrator_id').where('customer_id', '=', customer).executeTakeFirst();
  return row?.integrator_id ?? null;
};

/** The scope that contains all calls of a filter and no fewer; null if no customer fits. */
export const scopeOfFilter = async (db: Database, { customer, integrator }: ChartFilter): Promise<string | null> => {
  if (customer === undefined) return integrator ?? EVERYTHING;
  return integrator === undefined || (await integratorOf(db, customer)) === integrator ? customer : null;
};

/** Whether the sums of four hours have all calls that the hours have, and the time of which hours are merged; null for none. */
type Longer = Readonly<{ hasFourHours: boolean; merged: Period | null }>;

/**
 * Which longer rows there are. After an upgrade to the first version with them, those of calls before are missing until the read models
 * are rebuilt.
 */
export const findLonger = async (db: Database): Promise<Longer> => {
  const bound = (of: 'min' | 'max', { shape }: Pick<Span | typeof MERGED_HOURS, 'shape'>) =>
    sql`(select ${sql.raw(of)}(at) from ${sql.table(shape.name)})`;
  const { rows } = await sql<{ hasFourHours: boolean | null; first: Date | null; last: Date | null }>`
    select ${bound('min', FOUR_HOURS)} <= ${bound('min', HOURS)} as "hasFourHours",
      ${bound('min', MERGED_HOURS)} as first, ${bound('max', MERGED_HOURS)} as last`.execute(db);
  const { hasFourHours = null, first = null, last = null } = rows[0] ?? {};
  const merged = first && last && { from: first.getTime(), to: last.getTime() + MERGED_HOURS.sizeMs };
  return { hasFourHours: hasFourHours ?? false, merged };
};

const FLOAT_BYTES = 8;
const INT_BYTES = 4;
const NULL_LENGTH = -1;

/** Rows of a scope as `readSpan` packs them. */
type PackedRows = readonly Readonly<{ scope: string; packed: Buffer }>[];

/** Adds the packed rows of a scope. */
const unpack = (scope: string, buffer: Buffer, rows: StoredRow[]): void => {
  let at = 0;
  const float = (): number => {
    at += FLOAT_BYTES;
    return buffer.readDoubleBE(at - FLOAT_BYTES);
  };
  const length = (): number => {
    at += INT_BYTES;
    return buffer.readInt32BE(at - INT_BYTES);
  };
  const bytes = (size: number): Bytes => {
    at += size;
    return { buffer, start: at - size, end: at };
  };
  while (at < buffer.length) {
    const [ms, calls, errors, ofHistogram, ofCells] = [float(), float(), float(), length(), length()];
    const histogram = ofHistogram === NULL_LENGTH ? null : bytes(ofHistogram);
    rows.push({ ms, scope, calls, errors, histogram, cells: bytes(ofCells) });
  }
};

/** The rows that `readRows` read. */
export const rowsIn = (read: PackedRows): StoredRow[] => {
  const rows: StoredRow[] = [];
  for (const { scope, packed } of read) unpack(scope, packed, rows);
  return rows;
};

/** Rows with the calls of a scope. */
type Readable = Pick<Span | typeof MERGED_HOURS, 'shape' | 'sizeMs'>;

/** What is read of rows beside their sums; both may be null. */
type Stored = Readonly<{ histogram: RawBuilder<unknown>; cells: RawBuilder<unknown> }>;

/** How many rows of a scope are packed into one value. */
const PACKED_ROWS = 24;

/**
 * Rows are packed, since thousands of rows one by one take twice as long. `offset 0` has each row packed before the rows are grouped:
 * otherwise PostgreSQL sorts whole rows, with columns that are not read.
 */
const readSpan = async (
  db: Database,
  { shape, sizeMs }: Readable,
  { from, to }: Period,
  scopes: readonly string[],
  { histogram, cells }: Stored,
): Promise<PackedRows> => {
  if (scopes.length === 0) return [];
  const { rows } = await sql<PackedRows[number]>`${BINARY}
    select p.scope::text as scope, string_agg(p.packed, '') as packed
    from (
      select t.scope, date_bin(make_interval(secs => ${(PACKED_ROWS * sizeMs) / 1000}), t.at, 'epoch') as pack,
        float8send(date_part('epoch', t.at) * 1000) || float8send(t.calls) || float8send(t.errors)
          || int4send(coalesce(length(${histogram}), ${NULL_LENGTH})) || int4send(coalesce(length(${cells}), 0))
          || coalesce(${histogram}, '') || coalesce(${cells}, '') as packed
      from generate_series(${new Date(from)}::timestamptz, ${new Date(to - 1)}::timestamptz, make_interval(secs => ${sizeMs / 1000})) as s(at)
      join ${sql.table(shape.name)} t on t.at = s.at and t.scope = any(${[...scopes]}::uuid[])
      offset 0) p
    group by p.scope, p.pack`.execute(db);
  return rows;
};

/** The whole spans of a period for which there are rows, if any, and the rest at both ends. */
const divided = (
  period: Period,
  { sizeMs }: Pick<Readable, 'sizeMs'>,
  rows: Period | null,
): Readonly<{ whole: Period | null; ends: readonly Period[] }> => {
  const from = Math.ceil(Math.max(period.from, rows?.from ?? Number.POSITIVE_INFINITY) / sizeMs) * sizeMs;
  const to = Math.floor(Math.min(period.to, rows?.to ?? Number.NEGATIVE_INFINITY) / sizeMs) * sizeMs;
  if (from >= to) return { whole: null, ends: [period] };
  const ends = [
    { from: period.from, to: from },
    { from: to, to: period.to },
  ];
  return { whole: { from, to }, ends: ends.filter((end) => end.from < end.to) };
};

/** From so many rows of a scope on, two statements take less time than one. */
const MANY_ROWS = 100;

/** Each half of a long period by a statement of its own, at the same time. Each reads all scopes, so that they agree in each row. */
const readRows = async (
  db: Database,
  span: Readable,
  { from, to }: Period,
  scopes: readonly string[],
  stored: Stored,
): Promise<PackedRows> => {
  const { sizeMs } = span;
  if ((to - from) / sizeMs < MANY_ROWS) return readSpan(db, span, { from, to }, scopes, stored);
  const middle = Math.floor((from + to) / 2 / sizeMs) * sizeMs;
  const halves = [
    { from, to: middle },
    { from: middle, to },
  ];
  return (await Promise.all(halves.map((half) => readSpan(db, span, half, scopes, stored)))).flat();
};

/** By what a chart divides or filters calls: outcomes alone, services as well, or also operations or instances. */
export type Division = 'outcome' | 'service' | 'operation';

/** Which cells are read; with `withWhole`, the durations of all calls of a row, too. */
type WantedCells = Readonly<{ division: Division; withWhole: boolean }>;

/**
 * The calls of the scopes in the period with their cells; by four hours in the part of it of which hours are merged. A row is read by
 * one statement for all scopes.
 */
export const readCells = async (
  db: Database,
  traffic: Traffic,
  merged: Period | null,
  period: Period,
  scopes: readonly string[],
  { division, withWhole }: WantedCells,
): Promise<PackedRows> => {
  const histogram = withWhole ? sql`t.histogram` : sql`null::bytea`;
  const cells = division === 'outcome' ? sql`coalesce(t.outcomes, t.cells)` : sql`t.cells`;
  const ofMerged = division === 'operation' ? sql`t.cells` : sql`t.services`;
  const { whole, ends } = divided(period, MERGED_HOURS, merged);
  const parts = [
    ...(whole ? [readRows(db, MERGED_HOURS, whole, scopes, { histogram, cells: ofMerged })] : []),
    ...ends.map((end) => readRows(db, traffic, end, scopes, { histogram, cells })),
  ];
  return (await Promise.all(parts)).flat();
};

/** All calls of the scopes in the period. These rows are small, so a second statement would cost more than it saves. */
export const readTotals = (db: Database, span: Span, period: Period, scopes: readonly string[]): Promise<PackedRows> =>
  readSpan(db, span, period, scopes, {
    histogram: sql`t.histogram`,
    cells: 'totals' in span ? sql`case when t.histogram is null then t.cells end` : sql`null::bytea`,
  });

/** A period in parts: the whole spans of longer rows, if there are some, and the rest at both ends. */
const partsOf = (traffic: Traffic, longer: Span | null, period: Period): [Span, Period][] => {
  if (!longer) return [[traffic, period]];
  const { whole, ends } = divided(period, longer, period);
  return [...(whole ? [[longer, whole] satisfies [Span, Period]] : []), ...ends.map((end): [Span, Period] => [traffic, end])];
};

/**
 * The scopes with the most calls in the period, or with the most calls of an outcome; of an integrator, if one is given. Rows without
 * the calls of an outcome count with all failed calls. `longer` has fewer rows of the same calls.
 */
export const mostActive = async (
  db: Database,
  traffic: Traffic,
  longer: Span | null,
  period: Period,
  { kind, integratorId, by, count }: Ranking,
): Promise<Ranked> => {
  const ofIntegrator = integratorId
    ? sql`and t.scope in (select customer_id from usage.customer where integrator_id = ${integratorId})`
    : sql``;
  const counted = sql.ref(`t.${by}`);
  const parts = partsOf(traffic, longer, period).map(
    ([{ shape, sizeMs }, { from, to }]) => sql`
      select t.scope, coalesce(${counted}, t.errors) as counted, ${counted} is not null as is_exact,
        ${sql.lit(sizeMs / traffic.sizeMs)} as rows
      from ${sql.table(shape.name)} t
      where t.at >= ${new Date(from)} and t.at < ${new Date(to)} and t.kind = ${kind} ${ofIntegrator}`,
  );
  const { rows } = await sql<{ scope: string; calls: number; rows: number; isExact: boolean }>`
    select t.scope, sum(t.counted)::float8 as calls, sum(t.rows)::int4 as rows, bool_and(bool_and(t.is_exact)) over () as "isExact"
    from (${sql.join(parts, sql` union all `)}) t
    group by t.scope order by sum(t.counted) desc, t.scope limit ${count}`.execute(db);
  return { ranked: rows, isExact: rows.every(({ isExact }) => isExact) };
};

/** Names of customers and integrators by id. */
export const namesOf = async (db: Database, ids: readonly string[]): Promise<Record<string, string>> => {
  if (ids.length === 0) return {};
  const { rows } = await sql<{ id: string; name: string }>`
    select customer_id as id, name from read.customer where customer_id = any(${[...ids]}::uuid[])
    union all
    select integrator_id, company_name from read.integrator where integrator_id = any(${[...ids]}::uuid[])`.execute(db);
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
};
