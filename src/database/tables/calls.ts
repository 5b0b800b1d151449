import type { CustomerId } from '../../domain/ids.ts';
import { bytea, date, defineTable, int4, int8, type RowOf, uuid } from './defineTable.ts';

/**
 * The index of a customer's recorded calls by the UTC day on which they were made. Chunks are numbered from 0 in the order in which the
 * calls were counted, and the last one grows until it is full. `records` is written and read by `projections/calls/records.ts`;
 * `early` and `late` have a bit for each quarter of an hour of the first and the second half of the day in which a call was made.
 */
export const callChunkTable = defineTable('usage.call_chunk', {
  key: ['day', 'customer_id', 'chunk'],
  columns: {
    early: int8(),
    late: int8(),
    customer_id: uuid<CustomerId>(),
    day: date(),
    chunk: int4(),
    errors: int4(),
    records: bytea(),
  },
});

/** A chunk of the index of calls, in a projection's memory. */
export type CallChunkRow = RowOf<typeof callChunkTable>;
