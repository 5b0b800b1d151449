import { revocationsOfMember, revocationsOfRole } from './apiTokens.ts';
import type { FollowUser } from './commands.ts';
import type { TeamEvent } from './events.ts';
import type { Team } from './evolve.ts';

/**
 * The events by which a member becomes what the user of the customer is now: removed, renamed or of another role. What another stream
 * says already has no conditions; a user who is no member, or no longer, needs nothing.
 */
export const followUser = ({ data: { teamId, userId, user } }: FollowUser, team: Team): TeamEvent[] => {
  const member = team.members.get(userId);
  if (!member) return [];
  if (user === null) return [{ type: 'MemberRemoved', data: { userId } }, ...revocationsOfMember(team, userId)];
  const { name, email, role } = user;
  const events: TeamEvent[] = [];
  if (name !== member.name || email !== member.email) events.push({ type: 'MemberDetailsChanged', data: { userId, name, email } });
  if (role !== member.role) {
    events.push({ type: 'MemberRoleChanged', data: { userId, role } }, ...revocationsOfRole(teamId, team, userId, role));
  }
  return events;
};
