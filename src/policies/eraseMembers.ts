import { ownerOf } from '../commands/streams.ts';
import type { CustomerId, IntegratorId, TeamId, UserId } from '../domain/ids.ts';
import type { Team } from '../domain/team/evolve.ts';
import { teamIdOf, tenantKindOf } from '../domain/team/teamId.ts';
import { customerOwner, identityProviderOwner, type Owner, teamOwner, userOwner } from '../security/owner.ts';
import type { SessionMatch } from '../security/session.ts';
import { type Policy, policyOn } from './engine/policy.ts';

/**
 * Destroys the data keys of removed named users and identity providers, and of all in the team of a deleted tenant with its API tokens, and
 * forgets from where they signed in. A customer's member whose portal user stays keeps the data key, which the removal of the user destroys.
 */
export const eraseMembers = ({
  teamOf,
  destroyKey,
  forgetTokenUses,
  forgetSignInLocations,
  forgetPasskeyUses,
  releaseDomains,
  forgetClients,
  forgetReplies,
}: {
  /** The team as it is now. */
  teamOf: (teamId: TeamId) => Promise<Team>;
  destroyKey: (owner: Owner) => Promise<void>;
  /** Deletes the addresses from which a team's API tokens were used. */
  forgetTokenUses: (teamId: TeamId) => Promise<void>;
  /** Deletes from where a member signed in. */
  forgetSignInLocations: (userId: UserId) => Promise<void>;
  /** Forgets when the passkeys of a named user were used. */
  forgetPasskeyUses: (userId: UserId) => Promise<void>;
  /** Releases the email domains that the team has verified. */
  releaseDomains: (teamId: TeamId) => Promise<void>;
  /** Erases the addresses and browsers of sessions, also of those that have ended. */
  forgetClients: (match: SessionMatch) => Promise<void>;
  /** Deletes the stored replies to repeated requests that contain data of the owner. */
  forgetReplies: (owner: Owner) => Promise<void>;
}): Policy => {
  const forgetUses = async (userId: UserId): Promise<void> => {
    await forgetSignInLocations(userId);
    await forgetPasskeyUses(userId);
    await forgetClients({ userId });
  };
  const eraseMember = async (userId: UserId): Promise<void> => {
    await destroyKey(userOwner(userId));
    await forgetUses(userId);
  };
  const eraseTeam = async (teamId: TeamId): Promise<void> => {
    const { members, provider } = await teamOf(teamId);
    for (const userId of members.keys()) await eraseMember(userId);
    if (provider) await destroyKey(identityProviderOwner(provider.providerId));
    await destroyKey(teamOwner(teamId));
    await forgetTokenUses(teamId);
    await releaseDomains(teamId);
  };
  return policyOn({
    name: 'eraseMembers',
    eventTypes: ['MemberRemoved', 'UserRemoved', 'IdentityProviderRemoved', 'CustomerDeleted', 'IntegratorDeleted'],
    react: async ({ event, stream }) => {
      switch (event.type) {
        case 'MemberRemoved':
          if (tenantKindOf(ownerOf.team(stream)) === 'customer') await forgetUses(event.data.userId);
          else await eraseMember(event.data.userId);
          break;
        case 'UserRemoved':
          await eraseMember(event.data.userId);
          // Replies about a user are stored under the key of the customer.
          await forgetReplies(customerOwner(ownerOf.customer(stream)));
          break;
        case 'IdentityProviderRemoved':
          await destroyKey(identityProviderOwner(event.data.providerId));
          break;
        case 'CustomerDeleted': {
          const customerId: CustomerId = ownerOf.customer(stream);
          await eraseTeam(teamIdOf({ kind: 'customer', customerId }));
          await forgetClients({ customerId });
          break;
        }
        case 'IntegratorDeleted': {
          const integratorId: IntegratorId = ownerOf.integrator(stream);
          await eraseTeam(teamIdOf({ kind: 'integrator', integratorId }));
          await forgetClients({ kind: 'integrator', integratorId });
          break;
        }
      }
    },
  });
};
