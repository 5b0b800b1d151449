import { type RawBuilder, sql } from 'kysely';
import type { CallQuotaState, LicenseCallQuota } from '../../contracts/callQuotas.ts';
import type { CustomerRow } from '../../database/tables/customers.ts';
import type { CallQuotaReached } from '../../domain/customer/events.ts';
import { type CallQuota, type CallQuotaNotice, endOfMonth, monthOf } from '../../domain/license/callQuota.ts';

const ALL = 100;

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

/** The columns of a row that lists are filtered by: what the newest notice of its quota says. */
export const quotaStateIn = (
  quota: CallQuota | null,
  notices: readonly CallQuotaNotice[] | null,
): Pick<CustomerRow, 'call_quota_month' | 'call_quota_state'> => {
  const notice = notices?.find(({ limit }) => limit === quota?.limit);
  return {
    call_quota_month: notice?.month ?? null,
    call_quota_state: notice ? (notice.percent >= ALL ? 'exceeded' : 'near') : null,
  };
};

/** Whether a row `c` of `read.customer` is in a state of its quota at an instant. */
export const inQuotaState = (state: CallQuotaState, at: Date): RawBuilder<boolean> =>
  sql<boolean>`(c.call_quota_month = ${monthOf(at.toISOString())} and c.call_quota_state = ${state})`;
