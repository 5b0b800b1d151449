import { accept, type Decision } from '../decider.ts';
import { isSameCallQuota, reachedPercent } from '../license/callQuota.ts';
import type { CallQuotaCommand } from './commands.ts';
import type { CallQuotaReached, CallQuotaSet } from './events.ts';
import type { Customer } from './state.ts';

/** The event that gives a license another quota; none if it is the same. */
export const callQuotaChanged = (wanted: Customer['callQuota'], quota: Customer['callQuota']): CallQuotaSet[] =>
  isSameCallQuota(wanted, quota)
    ? []
    : [{ type: 'CallQuotaSet', data: { quota: wanted && { limit: wanted.limit, kind: wanted.kind } } }];

/** A notice is recorded once for each month and limit. One that is higher includes those below it. */
export const decideCallQuota = (
  command: CallQuotaCommand,
  { callQuota, callQuotaNotices }: Customer,
): Decision<CallQuotaSet | CallQuotaReached, never> => {
  if (command.type === 'SetCallQuota') return accept(...callQuotaChanged(command.data.quota, callQuota));
  if (callQuota === null) return accept();
  const { month, used } = command.data;
  const { limit, kind } = callQuota;
  const percent = reachedPercent(used, limit);
  const announced = callQuotaNotices.find((notice) => notice.month === month && notice.limit === limit)?.percent ?? 0;
  return percent <= announced ? accept() : accept({ type: 'CallQuotaReached', data: { month, limit, kind, percent } });
};
