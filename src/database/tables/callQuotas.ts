import type { CustomerId } from '../../domain/ids.ts';
import { date, defineTable, int4, int8, ranges, text, timestamptz, uuid } from './defineTable.ts';

/** The lock of a customer's claims in a month, and the last notice that a policy was asked for. */
export const callQuotaMonthTable = defineTable('ops.call_quota_month', {
  key: ['customer_id', 'month'],
  columns: { customer_id: uuid<CustomerId>(), month: date(), noticed_limit: int8(), noticed_percent: int4() },
});

/** The sequences of a source that were claimed in a month, whether or not they are recorded yet. */
export const callClaimTable = defineTable('ops.call_claim', {
  key: ['customer_id', 'month', 'source_id'],
  columns: { customer_id: uuid<CustomerId>(), month: date(), source_id: text(), claimed: ranges(), claimed_at: timestamptz() },
});
