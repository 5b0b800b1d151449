import { type RawBuilder, sql } from 'kysely';
import type { CallQuotaState, LicenseCallQuota } from '../../contracts/callQuotas.ts';
import type { CustomerRow } from '../../database/tables/customers.ts';
import { type CallQuota, type CallQuotaNotice, endOfMonth, monthOf, noticesWith } from '../../domain/license/callQuota.ts';

const ALL = 100;

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
  const notice = notices?.find(({ limit, percent }) => limit === quota?.limit && percent > 0);
  return {
    call_quota_month: notice?.month ?? null,
    call_quota_state: notice ? (notice.percent >= ALL ? 'exceeded' : 'near') : null,
  };
};

/** The columns of a row with a newer notice. */
export const withNotice = (
  { call_quota: quota, call_quota_notices: notices }: Readonly<Pick<CustomerRow, 'call_quota' | 'call_quota_notices'>>,
  { month, limit, percent }: CallQuotaNotice,
): Pick<CustomerRow, 'call_quota_notices' | 'call_quota_month' | 'call_quota_state'> => {
  const newer = noticesWith(notices ?? [], { month, limit, percent });
  return { call_quota_notices: newer, ...quotaStateIn(quota, newer) };
};

/** Whether a row `c` of `read.customer` is in a state of its quota at an instant. */
export const inQuotaState = (state: CallQuotaState, at: Date): RawBuilder<boolean> =>
  sql<boolean>`(c.call_quota_month = ${monthOf(at.toISOString())} and c.call_quota_state = ${state})`;
