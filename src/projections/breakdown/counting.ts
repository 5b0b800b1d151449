import type { RecordedCall } from '../../domain/apiCalls/events.ts';
import { outcomeOf } from '../../domain/apiCalls/outcome.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { emptyHistogram, encodeHistogram } from '../usage/histogram.ts';
import type { Cell, CellKey } from './cells.ts';

const MINUTE_MS = 60_000;

/** Calls of a batch with one key. `order` is that of the first calls of all keys of the batch. */
type Counted = CellKey & { order: number; errors: number; buckets: number[] };

/** Calls of a customer that arrived in the minute from `at` (ms since 1970). */
export type CountedCell = Readonly<{ customerId: CustomerId; at: number; order: number; cell: Cell }>;

/** The calls of one batch by customer, minute of arrival and key. Built for hundreds of thousands of calls a second. */
export type CellCounts = Readonly<{
  /** Counts calls of the customer that arrived at the instant; `bucket` is that of the duration. */
  counterOf: (customerId: CustomerId, at: string) => (call: RecordedCall, bucket: number) => void;
  /** Drops the calls of a customer, and returns what was dropped. */
  forget: (customerId: CustomerId) => CountedCell[];
  /** In the order of their first calls. */
  all: () => CountedCell[];
}>;

/** Empty between two uses. */
const scratch = emptyHistogram();

const cellOf = ({ service, operation, instanceUrl, outcome, errors, buckets }: Counted): Cell => {
  for (const bucket of buckets) scratch[bucket] = (scratch[bucket] ?? 0) + 1;
  const histogram = encodeHistogram(scratch);
  for (const bucket of buckets) scratch[bucket] = 0;
  return { key: { service, operation, instanceUrl, outcome }, counts: { calls: buckets.length, errors, histogram } };
};

type Minute = Map<string, Counted[]>;

export const createCellCounts = (): CellCounts => {
  const customers = new Map<CustomerId, Map<number, Minute>>();
  let order = 0;

  const minuteOf = (customerId: CustomerId, at: string): Minute => {
    const minutes = customers.get(customerId) ?? new Map<number, Minute>();
    customers.set(customerId, minutes);
    const start = Math.floor(Date.parse(at) / MINUTE_MS) * MINUTE_MS;
    const minute = minutes.get(start) ?? new Map<string, Counted[]>();
    minutes.set(start, minute);
    return minute;
  };

  /** A loop, since a callback for each call would cost as much as the search. */
  const find = (minute: Minute, call: RecordedCall): Counted => {
    const outcome = outcomeOf(call);
    const { operation, service, instanceUrl } = call;
    const known = minute.get(operation);
    if (known) {
      for (const one of known)
        if (one.instanceUrl === instanceUrl && one.outcome === outcome && one.service === service) return one;
    }
    const added: Counted = { order: order++, service, operation, instanceUrl, outcome, errors: 0, buckets: [] };
    if (known) known.push(added);
    else minute.set(operation, [added]);
    return added;
  };

  const countedOf = (customerId: CustomerId): CountedCell[] =>
    [...(customers.get(customerId) ?? [])].flatMap(([at, minute]) =>
      [...minute.values()].flat().map((counted) => ({ customerId, at, order: counted.order, cell: cellOf(counted) })),
    );

  return {
    counterOf: (customerId, at) => {
      const minute = minuteOf(customerId, at);
      return (call, bucket) => {
        const counted = find(minute, call);
        if (!call.ok) counted.errors += 1;
        counted.buckets.push(bucket);
      };
    },
    forget: (customerId) => {
      const dropped = countedOf(customerId);
      customers.delete(customerId);
      return dropped;
    },
    all: () => [...customers.keys()].flatMap(countedOf).sort((one, other) => one.order - other.order),
  };
};
