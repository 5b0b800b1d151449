import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type CallQuotaUse, callQuotaUse } from '../../contracts/callQuotas.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { withJitter } from '../../flow/backoff.ts';
import { type Failure, overQuota } from '../failure.ts';
import { readIfExists, writePrivateFile } from '../home/files.ts';
import { isoTime } from '../io.ts';

const FILE = 'quota.json';
/** How often a tool without a live connection asks again whether the quota was raised. */
const ASK_AGAIN_MS = 15 * MINUTE_MS;
/** The tools of a customer do not all send in the first second of a month. */
const SPREAD_MS = 60_000;
const hold = z.object({ until: z.iso.datetime(), quota: callQuotaUse });

/** Sending waits, because the monthly quota of the license is used up. */
export type QuotaHold = Readonly<{ until: number; quota: CallQuotaUse }>;

const whole = (count: number): string => count.toLocaleString('en-US');

/** The failure to report while sending waits. */
export const heldByQuota = ({ quota: { limit, resetsAt } }: Pick<QuotaHold, 'quota'>): Failure =>
  overQuota(
    `The quota of ${whole(limit)} API calls a month is used up until ${resetsAt.slice(0, '2026-01-31'.length)} (UTC), or until it is raised`,
    { hint: 'Ask your service integrator or your administrator to raise the quota.' },
  );

/** Whether calls may be sent: the quota is not used up, is soft, or does not exist. */
export const allowsCalls = (quota: CallQuotaUse | null | undefined): boolean =>
  !quota || quota.kind === 'soft' || quota.used < quota.limit;

/** The hold of a spool's directory. `now` is epoch ms. */
export const openQuotaHold = (directory: string, now: () => number) => {
  const file = join(directory, FILE);
  return {
    /** Null if calls may be sent. */
    read: (): QuotaHold | null => {
      try {
        const { until, quota } = hold.parse(JSON.parse(readIfExists(file) ?? '{}'));
        const end = Date.parse(until);
        // A clock that was set back must not extend the hold.
        return end > now() && end - now() <= ASK_AGAIN_MS ? { until: end, quota } : null;
      } catch {
        return null;
      }
    },
    begin: (quota: CallQuotaUse): void => {
      const untilReset = Math.max(0, Date.parse(quota.resetsAt) - now()) + withJitter(SPREAD_MS);
      try {
        writePrivateFile(file, JSON.stringify({ until: isoTime(now() + Math.min(withJitter(ASK_AGAIN_MS), untilReset)), quota }));
      } catch {
        // On a full disk, the next process asks the server.
      }
    },
    end: (): void => rmSync(file, { force: true }),
  };
};
