import { ownerOf } from '../commands/streams.ts';
import type { CustomerId, IntegratorId, TeamId, UserId } from '../domain/ids.ts';
import { teamIdOf } from '../domain/team/teamId.ts';
import type { Policy } from './engine/policy.ts';

/** Destroys the data keys of removed named users, and of all members of a deleted tenant. */
export const eraseMembers = ({
  membersOf,
  destroyKey,
}: {
  /** The members who are in the team now. */
  membersOf: (teamId: TeamId) => Promise<readonly UserId[]>;
  destroyKey: (userId: UserId) => Promise<void>;
}): Policy => {
  const eraseTeam = async (teamId: TeamId): Promise<void> => {
    for (const userId of await membersOf(teamId)) await destroyKey(userId);
  };
  return {
    name: 'eraseMembers',
    categories: ['team', 'customer', 'integrator'],
    react: async ({ event, stream }) => {
      switch (event.type) {
        case 'MemberRemoved':
          await destroyKey(event.data.userId);
          break;
        case 'CustomerDeleted': {
          const customerId: CustomerId = ownerOf.customer(stream);
          await eraseTeam(teamIdOf({ kind: 'customer', customerId }));
          break;
        }
        case 'IntegratorDeleted': {
          const integratorId: IntegratorId = ownerOf.integrator(stream);
          await eraseTeam(teamIdOf({ kind: 'integrator', integratorId }));
          break;
        }
        default:
      }
    },
  };
};
