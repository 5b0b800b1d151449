import { CALL_QUOTA_NOTICES } from '../limits.ts';

/** Whether calls beyond the limit are refused. */
export type CallQuotaKind = 'soft' | 'hard';

/** How many API calls of a customer are recorded in a calendar month of UTC. */
export type CallQuota = Readonly<{ limit: number; kind: CallQuotaKind }>;

/** A part of a limit, in percent, that was reached in a month (yyyy-mm, UTC). */
export type CallQuotaNotice = Readonly<{ month: string; limit: number; percent: number }>;

/** The month (yyyy-mm, UTC) of an instant (ISO-8601 UTC): a call counts in the month in which it is recorded. */
export const monthOf = (at: string): string => at.slice(0, '2026-01'.length);

/** The first instant of a month (yyyy-mm, UTC), ISO-8601 UTC. */
export const startOfMonth = (month: string): string => `${month}-01T00:00:00.000Z`;

/** The first instant of the month after one (yyyy-mm, UTC), ISO-8601 UTC. */
export const endOfMonth = (month: string): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString();
};

/** The highest notice that so many calls reach, in percent of the limit; 0 before the first. */
export const reachedPercent = (used: number, limit: number): number =>
  CALL_QUOTA_NOTICES.findLast((percent) => used * 100 >= limit * percent) ?? 0;

/** Notices with a newer one of its limit. Those of earlier months are forgotten. */
export const noticesWith = <Notice extends CallQuotaNotice>(notices: readonly Notice[], newer: Notice): Notice[] => [
  ...notices.filter(({ month, limit }) => month === newer.month && limit !== newer.limit),
  newer,
];

/** Whether two quotas are the same. */
export const isSameCallQuota = (one: CallQuota | null, other: CallQuota | null): boolean =>
  one?.limit === other?.limit && one?.kind === other?.kind;

/** A quota as the history shows it; null for none. */
export const callQuotaText = (quota: CallQuota | null): string | null =>
  quota && `${quota.limit.toLocaleString('en-US')} a month (${quota.kind})`;
