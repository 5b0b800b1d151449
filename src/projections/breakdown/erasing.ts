import type { BucketRow, TrafficRow } from '../../database/tables/usage.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import { openRowBuffer } from '../engine/rowBuffer.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { addEncoded, emptyHistogram, encodeHistogram, type Histogram } from '../usage/histogram.ts';
import { type Cell, decodeCells, eachOf, TOGETHER } from './cells.ts';
import { openTrafficRows, scopesAbove, TRAFFIC, type Traffic } from './rows.ts';

type Own = Readonly<{ at: number; integratorId: IntegratorId | null; cells: readonly Cell[] }>;

/** A customer's cell as the scopes above count it. */
const ofScope = ({ key, counts }: Cell): Cell => ({ key: { ...key, instanceUrl: TOGETHER }, counts });

/** What is stored of the customers themselves. */
const ownRows = async (
  { shape }: Traffic,
  session: DatabaseSession,
  schema: string,
  customerIds: readonly CustomerId[],
): Promise<Own[]> => {
  const rows = await session.query<{ ms: number; integrator_id: IntegratorId | null; cells: TrafficRow['cells'] }>(
    `select (extract(epoch from t.at) * 1000)::int8 as ms, c.integrator_id, t.cells
     from ${schema}.${shape.table} t left join ${schema}.customer c on c.customer_id = t.scope
     where t.scope = any($1::uuid[])`,
    [[...customerIds]],
  );
  return rows.map(({ ms, integrator_id: integratorId, cells }) => ({
    at: Number(ms),
    integratorId,
    cells: eachOf(decodeCells(cells)),
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
  traffic: Traffic,
  session: DatabaseSession,
  schema: string,
  customerIds: readonly CustomerId[],
): Promise<void> => {
  const own = await ownRows(traffic, session, schema, customerIds);
  const rows = openTrafficRows(traffic, session, schema);
  const points = openRowBuffer<BucketRow>(traffic.totals, session, schema);
  for (const { at, integratorId } of own) {
    for (const scope of scopesAbove(integratorId)) rows.preload(at, scope);
    points.preload(new Date(at).toISOString());
  }
  await Promise.all([rows.load(), points.load()]);
  for (const { at, integratorId, cells } of own) {
    for (const scope of scopesAbove(integratorId)) {
      for (const cell of cells) rows.subtract(at, scope, ofScope(cell));
    }
  }
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
  await Promise.all([rows.flush(), points.flush()]);
  await session.query(`delete from ${schema}.${traffic.shape.table} where scope = any($1::uuid[])`, [[...customerIds]]);
};

/** Takes deleted customers' calls out of the breakdowns, and out of the charts' minutes and hours. */
export const eraseTraffic = async (session: DatabaseSession, schema: string, customerIds: readonly CustomerId[]): Promise<void> => {
  await Promise.all(TRAFFIC.map((one) => eraseFrom(one, session, schema, customerIds)));
};

/** Takes the calls of a customer, which stays, out of those of its integrator. */
export const disownTraffic = async (session: DatabaseSession, schema: string, customerId: CustomerId): Promise<void> => {
  for (const traffic of TRAFFIC) {
    const own = await ownRows(traffic, session, schema, [customerId]);
    const rows = openTrafficRows(traffic, session, schema);
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
export const adoptTraffic = async (session: DatabaseSession, schema: string, customerIds: readonly CustomerId[]): Promise<void> => {
  for (const traffic of TRAFFIC) {
    const own = await ownRows(traffic, session, schema, customerIds);
    const rows = openTrafficRows(traffic, session, schema);
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
