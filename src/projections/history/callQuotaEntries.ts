import { callQuotaText } from '../../domain/license/callQuota.ts';
import type { Projection } from '../engine/projection.ts';
import type { MainRows } from '../main/rows.ts';
import { record } from './entries.ts';

type CustomerHandlers = Exclude<Projection<MainRows>['on']['customer'], 'ignored'>;

/** Entries for the monthly quota of API calls. */
export const callQuotaEntries: Pick<CustomerHandlers, 'CallQuotaSet' | 'CallQuotaReached' | 'CallQuotaUseLowered'> = {
  CallQuotaSet: (recorded, rows) =>
    record(recorded, rows, {
      customerId: recorded.subject,
      now: { callQuota: callQuotaText(recorded.event.data.quota) },
      before: { callQuota: callQuotaText(rows.customers.get(recorded.subject)?.call_quota ?? null) },
    }),
  CallQuotaReached: (recorded, rows) => record(recorded, rows, { customerId: recorded.subject, now: { ...recorded.event.data } }),
  CallQuotaUseLowered: (recorded, rows) =>
    record(recorded, rows, { customerId: recorded.subject, now: { ...recorded.event.data } }),
};
