import { UNLIMITED_SEATS } from '../../domain/limits.ts';
import { NO_SEAT } from '../connect/endings.ts';
import { EXIT } from '../exit.ts';
import type { Failure } from '../failure.ts';
import type { Profile } from '../home/profiles.ts';
import type { Spool } from '../recording/spool.ts';
import { counted } from '../terminal/text.ts';

/** What queued calls wait for; null if they can be sent. */
export type Blocker = 'quota' | 'seat' | null;

/** What the calls of a spool wait for. `session` is the current one, null if it is not known. */
export const blockerOf = (spool: Spool, session: Pick<Profile, 'seat' | 'lease'> | null): Blocker => {
  if (spool.quota.read() !== null) return 'quota';
  if (session === null || session.lease !== null) return null;
  const { allocated, floating } = session.seat;
  return floating && allocated !== UNLIMITED_SEATS && floating.leased >= allocated ? 'seat' : null;
};

/** What the calls wait for after a failure to send them. */
export const blockerAfter = ({ exit, code }: Failure): Blocker => {
  if (exit === EXIT.overQuota) return 'quota';
  return code === NO_SEAT ? 'seat' : null;
};

/** "3 calls, waiting for the quota" */
export const describeQueued = (spooled: number, blocker: Blocker): string => {
  const calls = counted(spooled, 'call');
  if (blocker === null) return calls;
  return `${calls}, waiting for ${blocker === 'quota' ? 'the quota' : 'a floating seat'}`;
};

/** When queued calls are sent. */
export const nextAttempt = (spooled: number, blocker: Blocker): string => {
  const [They, them] = spooled === 1 ? ['It', 'it'] : ['They', 'them'];
  if (blocker === 'quota') return `${They}'ll be sent with a later call, once the quota allows it.`;
  if (blocker === 'seat') return `${They}'ll be sent with a later call, once a floating seat is free: latchkey connect --wait`;
  return `Run latchkey flush to send ${them}, or record another call.`;
};
