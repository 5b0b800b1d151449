import { outcomeOf } from '../../domain/apiCalls/outcome.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { type CallGroup, errorsOf } from '../callCounts/counting.ts';
import { emptyHistogram, encodeHistogram } from '../callCounts/histogram.ts';
import type { Cell, CellKey } from './cells.ts';

/** Calls of a customer that arrived in the minute from `at` (ms since 1970). `buckets` has those of the durations. */
export type CountedCell = Readonly<{ customerId: CustomerId; at: number; cell: Cell; buckets: readonly (readonly number[])[] }>;

/** Empty between two uses. */
const scratch = emptyHistogram();

/** The stored histogram of calls by the buckets of their durations. */
export const histogramOf = (lists: readonly (readonly number[])[]): Buffer => {
  for (const buckets of lists) for (const bucket of buckets) scratch[bucket] = (scratch[bucket] ?? 0) + 1;
  const histogram = encodeHistogram(scratch);
  for (const buckets of lists) for (const bucket of buckets) scratch[bucket] = 0;
  return histogram;
};

type Merged = { customerId: CustomerId; at: number; key: CellKey; calls: number; errors: number; buckets: (readonly number[])[] };

/** The calls of groups by customer, minute of arrival and key, in the order of the groups. */
export const cellsOf = (groups: readonly CallGroup[]): CountedCell[] => {
  const merged = new Map<string, Merged>();
  for (const group of groups) {
    const { customerId, minute: at, service, operation, instanceUrl, buckets } = group;
    const key = { service, operation, instanceUrl, outcome: outcomeOf(group) };
    const id = `${customerId} ${at} ${service} ${key.outcome} ${instanceUrl}\n${operation}`;
    const cell = merged.get(id) ?? { customerId, at, key, calls: 0, errors: 0, buckets: [] };
    merged.set(id, cell);
    cell.calls += buckets.length;
    cell.errors += errorsOf(group);
    cell.buckets.push(buckets);
  }
  return Array.from(merged.values(), ({ customerId, at, key, calls, errors, buckets }) => ({
    customerId,
    at,
    cell: { key, counts: { calls, errors, histogram: histogramOf(buckets) } },
    buckets,
  }));
};
