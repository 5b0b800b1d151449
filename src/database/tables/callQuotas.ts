import type { CustomerId } from '../../domain/ids.ts';
import { date, defaulted, defineTable, position, ranges, text, timestamptz, uuid } from './defineTable.ts';

/** The lock of a customer's claims in a month. */
export const callQuotaMonthTable = defineTable('ops.call_quota_month', {
  key: ['customer_id', 'month'],
  columns: { customer_id: uuid<CustomerId>(), month: date() },
});

/**
 * The sequences of a source that were claimed in a month, whether or not they are recorded yet. The voids up to the position `after_void`
 * are taken into account: what they freed is not among the sequences, unless it was claimed again.
 */
export const callClaimTable = defineTable('ops.call_claim', {
  key: ['customer_id', 'month', 'source_id'],
  columns: {
    customer_id: uuid<CustomerId>(),
    month: date(),
    source_id: text(),
    claimed: ranges(),
    claimed_at: timestamptz(),
    after_void: defaulted(position()),
  },
});
