import type { SeatKind } from '../../domain/enumerations.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { defineTable, int4, int8, type RowOf, text, timestamptz, uuid } from './defineTable.ts';

const counts = {
  held: int4(),
  /** -1 is unlimited. */
  seat_limit: int4(),
  peak: int4(),
  held_ms: int8(),
  above_limit_ms: int8(),
};

/** The seats of a customer in the quarters of an hour in which they changed, from `at` on; without the last of these quarters. */
export const seatQuarterTable = defineTable('read.seat_quarter', {
  key: ['customer_id', 'kind', 'at'],
  owners: ['customer_id'],
  isLog: true,
  columns: { customer_id: uuid<CustomerId>(), kind: text<SeatKind>(), at: timestamptz(), ...counts },
});

/** A quarter of an hour in a projection's memory. */
export type SeatQuarterRow = RowOf<typeof seatQuarterTable>;

/** The last quarter of an hour in which the seats of a customer changed, counted up to the last change. */
export const seatCountTable = defineTable('read.seat_count', {
  key: ['customer_id', 'kind'],
  owners: ['customer_id'],
  columns: { customer_id: uuid<CustomerId>(), kind: text<SeatKind>(), at: timestamptz(), counted_to: timestamptz(), ...counts },
});

/** The last quarter of an hour in a projection's memory. */
export type SeatCountRow = RowOf<typeof seatCountTable>;
