import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { type CellKey, TOGETHER } from './cells.ts';
import { type CountedCell, histogramOf } from './counting.ts';
import { openSpanRows } from './rows.ts';
import { type Changed, EVERY_SPAN, type Scope, type Span, scopesAbove } from './spans.ts';

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
  span: Span,
  session: DatabaseSession,
  schema: string,
  counted: readonly CountedCell[],
  integratorOf: (customerId: CustomerId) => IntegratorId | null,
  changed: Changed,
): Promise<void> => {
  const { shape, sizeMs, keptMs } = span;
  const rows = openSpanRows(span, session, schema, changed);
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
  changed: Changed,
): Promise<void> => {
  if (counted.length === 0) return;
  await Promise.all(EVERY_SPAN.map((one) => writeTo(one, session, schema, counted, integratorOf, changed)));
};
