import type { BucketRow, TrafficRow } from '../../database/tables/usage.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import { addEncoded, emptyHistogram, encodeHistogram, type Histogram } from '../callCounts/histogram.ts';
import { openRowBuffer } from '../engine/rowBuffer.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { type Cell, type Counts, decodeCells, eachOf, TOGETHER, UNDIVIDED } from './cells.ts';
import type { FailedCalls } from './failedCalls.ts';
import { openSpanRows } from './rows.ts';
import { type Changed, EVERY_SPAN, MERGED_HOURS, type Span, scopesAbove, type Traffic } from './spans.ts';

type Own = Readonly<{ at: number; integratorId: IntegratorId | null; cells: readonly Cell[] }>;

/** A customer's cell as the scopes above count it. */
const ofScope = (cell: Cell): Cell => ({ ...cell, key: { ...cell.key, instanceUrl: TOGETHER } });

/** What is stored of the customers themselves. */
const ownRows = async (
  span: Span,
  session: DatabaseSession,
  schema: string,
  customerIds: readonly CustomerId[],
): Promise<Own[]> => {
  type Row = Counts & FailedCalls & { ms: number; integrator_id: IntegratorId | null; cells: TrafficRow['cells'] | null };
  const rows = await session.query<Row>(
    `select (extract(epoch from t.at) * 1000)::int8 as ms, c.integrator_id, t.calls, t.errors, t.histogram,
       t.calls_4xx, t.calls_5xx, t.calls_error, ${'totals' in span ? 't.cells' : 'null::bytea as cells'}
     from ${schema}.${span.shape.table} t left join ${schema}.customer c on c.customer_id = t.scope
     where t.scope = any($1::uuid[])`,
    [[...customerIds]],
  );
  return rows.map(({ ms, integrator_id: integratorId, calls, errors, histogram, cells, ...failed }) => ({
    at: Number(ms),
    integratorId,
    cells: cells
      ? eachOf(decodeCells(cells))
      : [{ key: UNDIVIDED, counts: { calls: Number(calls), errors: Number(errors), histogram }, failed }],
  }));
};

type Totals = { calls: number; errors: number; histogram: Histogram };

/** Counts of the rows by time. */
const totalsOf = (own: readonly Own[]): Map<number, Totals> => {
  const totals = new Map<number, Totals>();
  for (const { at, cells } of own) {
    const total = totals.get(at) ?? { calls: 0, errors: 0, histogram: emptyHistogram() };
    totals.set(at, total);
    for (const { counts } of cells) {
      total.calls += counts.calls;
      total.errors += counts.errors;
      addEncoded(total.histogram, counts.histogram);
    }
  }
  return totals;
};

const eraseFrom = async (
  span: Span,
  session: DatabaseSession,
  schema: string,
  customerIds: readonly CustomerId[],
  changed: Changed,
): Promise<void> => {
  const own = await ownRows(span, session, schema, customerIds);
  const rows = openSpanRows(span, session, schema, changed);
  for (const { at, integratorId } of own) for (const scope of scopesAbove(integratorId)) rows.preload(at, scope);
  await rows.load();
  for (const { at, integratorId, cells } of own) {
    for (const scope of scopesAbove(integratorId)) {
      for (const cell of cells) rows.subtract(at, scope, ofScope(cell));
    }
  }
  await rows.flush();
  if ('totals' in span) await subtractFrom(span.totals, session, schema, own);
  await session.query(`delete from ${schema}.${span.shape.table} where scope = any($1::uuid[])`, [[...customerIds]]);
};

/** Takes calls out of the points of the charts. */
const subtractFrom = async (
  totals: Traffic['totals'],
  session: DatabaseSession,
  schema: string,
  own: readonly Own[],
): Promise<void> => {
  const points = openRowBuffer<BucketRow>(totals, session, schema);
  for (const { at } of own) points.preload(new Date(at).toISOString());
  await points.load();
  for (const [at, { calls, errors, histogram }] of totalsOf(own)) {
    const point = points.get(new Date(at).toISOString());
    if (!point) continue;
    const rest = emptyHistogram();
    addEncoded(rest, point.histogram);
    histogram.forEach((count, bucket) => {
      rest[bucket] = Math.max(0, (rest[bucket] ?? 0) - count);
    });
    points.change(point, { calls: point.calls - calls, errors: point.errors - errors, histogram: encodeHistogram(rest) });
  }
  await points.flush();
};

/** Takes deleted customers' calls out of the breakdowns, and out of the charts' minutes and hours. */
export const eraseTraffic = async (
  session: DatabaseSession,
  schema: string,
  customerIds: readonly CustomerId[],
  changed: Changed,
): Promise<void> => {
  await Promise.all(EVERY_SPAN.map((one) => eraseFrom(one, session, schema, customerIds, changed)));
  await session.query(`delete from ${schema}.${MERGED_HOURS.shape.table} where scope = any($1::uuid[])`, [[...customerIds]]);
};

/** Takes the calls of a customer, which stays, out of those of its integrator. */
export const disownTraffic = async (
  session: DatabaseSession,
  schema: string,
  customerId: CustomerId,
  changed: Changed,
): Promise<void> => {
  for (const span of EVERY_SPAN) {
    const own = await ownRows(span, session, schema, [customerId]);
    const rows = openSpanRows(span, session, schema, changed);
    const disowned = own.flatMap(({ at, integratorId, cells }) => {
      const [, scope] = scopesAbove(integratorId);
      return scope ? [{ at, scope, cells }] : [];
    });
    for (const { at, scope } of disowned) rows.preload(at, scope);
    await rows.load();
    for (const { at, scope, cells } of disowned) {
      for (const cell of cells) rows.subtract(at, scope, ofScope(cell));
    }
    await rows.flush();
  }
};

/** Adds the calls of customers to their integrators, which were unknown or others before. */
export const adoptTraffic = async (
  session: DatabaseSession,
  schema: string,
  customerIds: readonly CustomerId[],
  changed: Changed,
): Promise<void> => {
  for (const span of EVERY_SPAN) {
    const own = await ownRows(span, session, schema, customerIds);
    const rows = openSpanRows(span, session, schema, changed);
    const adopted = own.flatMap(({ at, integratorId, cells }) => {
      const [, scope] = scopesAbove(integratorId);
      return scope ? [{ at, scope, cells }] : [];
    });
    for (const { at, scope } of adopted) rows.preload(at, scope);
    await rows.load();
    for (const { at, scope, cells } of adopted) {
      for (const cell of cells) rows.add(at, scope, ofScope(cell));
    }
    await rows.flush();
  }
};
