import type { ApiCallsReply } from '../../contracts/apiCalls.ts';
import type { CallQuotaUse, CallsRefused } from '../../contracts/callQuotas.ts';
import type { RecordedCall } from '../../domain/apiCalls/events.ts';
import type { Range } from '../../projections/usage/ranges.ts';
import { HttpProblem } from '../problems/problems.ts';

/** Sequences of the calls that are recorded. The sequences of rejected calls stay free, so that corrected ones can take them. */
export const recordedRanges = (first: number, calls: readonly (RecordedCall | null)[]): Range[] => {
  const ranges: Range[] = [];
  let from = 0;
  for (let index = 0; index <= calls.length; index++) {
    if (calls[index]) continue;
    if (index > from) ranges.push([first + from, first + index - 1]);
    from = index + 1;
  }
  return ranges;
};

/** The calls of a batch up to the last one that fits: `granted` ones and the sequences of rejected ones between them. */
export const fitting = (calls: readonly (RecordedCall | null)[], granted: number): readonly (RecordedCall | null)[] => {
  let left = granted;
  const end = calls.findIndex((call) => call !== null && left-- === 0);
  return end === -1 ? calls : calls.slice(0, end);
};

const whole = (count: number): string => count.toLocaleString('en-US');

/** What a refused batch is answered with. The calls before `refusedFrom` are done: recorded, known already, or rejected. */
export const quotaExceeded = (
  { limit, kind, used, resetsAt }: CallQuotaUse,
  {
    sent,
    refusedFrom,
    ...done
  }: Pick<ApiCallsReply, 'accepted' | 'duplicates' | 'rejected'> & { sent: number; refusedFrom: number },
): HttpProblem => {
  const calls: CallsRefused = { ...done, refusedFrom, quota: { limit, kind, used, resetsAt } };
  return new HttpProblem('quota_exceeded', {
    text:
      `The quota of ${whole(limit)} API calls a month is used up: ${whole(done.accepted)} of ${whole(sent)} calls were recorded. ` +
      `Keep the others until ${resetsAt.slice(0, '2026-01-31'.length)} (UTC), or ask your service integrator or your administrator to raise the quota.`,
    calls,
  });
};
