import type { LicenseCallQuota } from '../../contracts/callQuotas.ts';
import type { CustomerRow } from '../../database/tables/customers.ts';
import { type CallQuota, type CallQuotaNotice, endOfMonth, monthOf } from '../../domain/customer/callQuota.ts';
import type { CallQuotaReached } from '../../domain/customer/events.ts';

/** The notices of a row with one more. Those of earlier months are removed. */
export const withNotice = (
  { call_quota_notices: notices }: Readonly<Pick<CustomerRow, 'call_quota_notices'>>,
  { month, limit, percent }: CallQuotaReached['data'],
): CallQuotaNotice[] => [
  ...(notices ?? []).filter((notice) => notice.month === month && notice.limit !== limit),
  { month, limit, percent },
];

/** The quota of a license as replies have it at an instant (ISO-8601 UTC). Without a quota there is no field. */
export const shownCallQuota = (
  quota: CallQuota | null,
  notices: readonly CallQuotaNotice[] | null,
  at: string,
): { callQuota?: LicenseCallQuota } => {
  if (quota === null) return {};
  const { limit, kind } = quota;
  const month = monthOf(at);
  const reached = notices?.find((notice) => notice.month === month && notice.limit === limit)?.percent ?? 0;
  return { callQuota: { limit, kind, reached, resetsAt: endOfMonth(month) } };
};
