import { accept, type Decision } from '../decider.ts';
import { isSameCallQuota, reachedPercent } from '../license/callQuota.ts';
import type { CallQuotaCommand } from './commands.ts';
import type { CallQuotaReached, CallQuotaSet, CallQuotaUseLowered } from './events.ts';
import type { Customer } from './state.ts';

/** The event that gives a license another quota; none if it is the same. */
export const callQuotaChanged = (wanted: Customer['callQuota'], quota: Customer['callQuota']): CallQuotaSet[] =>
  isSameCallQuota(wanted, quota)
    ? []
    : [{ type: 'CallQuotaSet', data: { quota: wanted && { limit: wanted.limit, kind: wanted.kind } } }];

/**
 * A notice is recorded once for each month and limit. One that is higher includes those below it. Only voids lower the use: a lower one
 * without them is of a restored database that lacks claims.
 */
export const decideCallQuota = (
  command: CallQuotaCommand,
  { callQuota, callQuotaNotices, voids }: Customer,
): Decision<CallQuotaSet | CallQuotaReached | CallQuotaUseLowered, never> => {
  if (command.type === 'SetCallQuota') return accept(...callQuotaChanged(command.data.quota, callQuota));
  const { month, used, countedVoids } = command.data;
  if (callQuota === null || countedVoids < voids || callQuotaNotices.some((notice) => notice.month > month)) return accept();
  const { limit, kind } = callQuota;
  const percent = reachedPercent(used, limit);
  const last = callQuotaNotices.find((notice) => notice.month === month && notice.limit === limit) ?? { percent: 0, voids: 0 };
  const data = { month, limit, kind, percent };
  if (percent > last.percent) return accept({ type: 'CallQuotaReached', data });
  return percent < last.percent && voids > last.voids ? accept({ type: 'CallQuotaUseLowered', data }) : accept();
};
