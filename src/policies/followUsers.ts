import type { Commands } from '../commands/commands.ts';
import { ownerOf } from '../commands/streams.ts';
import { isRegistered, memberDetailsOf } from '../domain/customer/state.ts';
import type { EventMeta } from '../domain/event.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import { teamIdOf, tenantOfTeam } from '../domain/team/teamId.ts';
import { type Policy, policyOn } from './engine/policy.ts';

/**
 * Keeps the members of a customer's team what the portal users of the same ids are now: name, email address and role; a deactivated
 * or removed user is removed. It reads the user instead of the event, so a repeated reaction changes nothing. A new member is compared too, because the
 * user may have changed at the same moment.
 */
export const followUsers = ({ commands }: { commands: Pick<Commands, 'customers' | 'teams'> }): Policy => {
  const follow = async (customerId: CustomerId, userId: UserId, meta: EventMeta): Promise<void> => {
    const teamId = teamIdOf({ kind: 'customer', customerId });
    const { state: team } = await commands.teams.load(teamId);
    if (!team.members.has(userId)) return;
    const { state } = await commands.customers.load(customerId);
    if (!isRegistered(state)) return;
    const user = memberDetailsOf(state, userId);
    await commands.teams.handle({ type: 'FollowUser', data: { teamId, userId, user }, meta });
  };
  return policyOn({
    name: 'followUsers',
    eventTypes: [
      'UserDetailsChanged',
      'UserRoleChanged',
      'UserDeactivated',
      'UserRemoved',
      'MemberInvited',
      'MemberProvisioned',
      'MemberRoleChanged',
    ],
    react: async (recorded, { metaFor }) => {
      const { event, stream } = recorded;
      switch (event.type) {
        case 'UserDetailsChanged':
        case 'UserRoleChanged':
        case 'UserDeactivated':
        case 'UserRemoved':
          return follow(ownerOf.customer(stream), event.data.userId, metaFor(recorded));
        case 'MemberInvited':
        case 'MemberProvisioned': {
          const tenant = tenantOfTeam(event.data.teamId);
          if (tenant.kind === 'customer') await follow(tenant.customerId, event.data.userId, metaFor(recorded));
          return;
        }
        case 'MemberRoleChanged': {
          // A sign-in with OpenID Connect sets the role that the user had, which may have changed since.
          const tenant = tenantOfTeam(ownerOf.team(stream));
          if (tenant.kind === 'customer') await follow(tenant.customerId, event.data.userId, metaFor(recorded));
          return;
        }
      }
    },
  });
};
