import { ownerIdIn } from '../commands/streams.ts';
import type { PublicMachineId, UserId } from '../domain/ids.ts';
import { SESSION_ENDING_TYPES, sessionsEndedBy } from '../security/endedSessions.ts';
import type { Sessions } from '../security/sessions.ts';
import { type Policy, policyOn } from './engine/policy.ts';

/** How far the clocks of two nodes may be apart: a session opened this much later may still be an older one. */
const SKEW_MS = 5_000;

type Deps = Readonly<{
  sessions: Pick<Sessions, 'end'>;
  /** Names a user's machine as sessions do, without its machine id. */
  publicMachineIdOf: (userId: UserId, machineId: string) => PublicMachineId;
}>;

/**
 * Ends the sessions, and with them the sockets, of users and tenants that may no longer sign in. It ends only sessions from before the
 * event: a repeated reaction must not end sessions that were opened after a reactivation.
 */
export const endSessions = ({ sessions, publicMachineIdOf }: Deps): Policy =>
  policyOn({
    name: 'endSessions',
    eventTypes: SESSION_ENDING_TYPES,
    react: async (recorded) => {
      const ended = sessionsEndedBy(recorded.event, ownerIdIn(recorded.stream), { publicMachineIdOf });
      if (!ended) return;
      const openedBefore = Date.parse(recorded.meta.at) + SKEW_MS;
      await sessions.end({ ...ended.match, openedBefore }, ended.reason, { isRepeatable: true });
    },
  });
