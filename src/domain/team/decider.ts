import { accept, type Decider, type Decision, refuse } from '../decider.ts';
import { OWNERS_WITHOUT_KEY } from '../limits.ts';
import { type ApiTokenRefusal, createApiToken, revokeApiToken, revokeApiTokensOfKey } from './apiTokens.ts';
import type { ChangeSignInPolicy, ExpectOwners, TeamCommand } from './commands.ts';
import { decideMember, invite, type MemberRefusal } from './decideMember.ts';
import { decideKeySignIn } from './decideNotices.ts';
import type { TeamEvent } from './events.ts';
import { evolve, initial, type Team } from './evolve.ts';
import { followUser } from './followUser.ts';
import { admitIdentity, configureProvider, type IdentityRefusal, removal } from './identity.ts';
import { hasSecondFactor, isProtected, joinedOwners, ownersRefusal } from './signInMethods.ts';

/** Why a command to a team is refused. */
export type TeamRefusal = 'key_sign_in_off' | 'members_without_second_factor' | MemberRefusal | IdentityRefusal | ApiTokenRefusal;

type Decided = Decision<TeamEvent, TeamRefusal>;

const expectOwners = ({ data: { teamId, userId, role, isSuspension } }: ExpectOwners, team: Team): Decided => {
  const member = team.members.get(userId);
  const isKeyOff = team.policy.keySignIn === 'off';
  if (!member || (isSuspension && !isKeyOff)) return accept();
  const refusal = ownersRefusal(teamId, team, member, role === null ? null : { ...member, role });
  if (!refusal) return accept();
  return refuse(isKeyOff ? 'owners_without_second_factor' : refusal);
};

/** The key can always be allowed again, and a second factor is required once all members have one, so that nobody is locked out. */
const changePolicy = ({ data: { teamId, keySignIn, secondFactorRequired } }: ChangeSignInPolicy, team: Team): Decided => {
  const { policy } = team;
  if (keySignIn === policy.keySignIn && secondFactorRequired === policy.secondFactorRequired) return accept();
  const owners = joinedOwners(teamId, team).filter(hasSecondFactor);
  if (keySignIn === 'off' && owners.length < OWNERS_WITHOUT_KEY) return refuse('owners_without_second_factor');
  const isLocked = team.members.some((member) => member.status === 'joined' && !isProtected(member, team));
  if (secondFactorRequired && !policy.secondFactorRequired && isLocked) return refuse('members_without_second_factor');
  return accept({ type: 'SignInPolicyChanged', data: { keySignIn, secondFactorRequired } });
};

const decide = (command: TeamCommand, team: Team): Decided => {
  switch (command.type) {
    case 'InviteMember':
      return invite(command, team);
    case 'FollowUser':
      return accept(...followUser(command, team));
    case 'ExpectOwners':
      return expectOwners(command, team);
    case 'ChangeSignInPolicy':
      return changePolicy(command, team);
    case 'ConfigureIdentityProvider':
      return configureProvider(command, team);
    case 'RemoveIdentityProvider':
      return team.provider ? accept(removal(team.provider)) : accept();
    case 'AdmitIdentity': {
      const { teamId } = command.data;
      return admitIdentity(command, team, (member, role) => ownersRefusal(teamId, team, member, { ...member, role }) === null);
    }
    case 'RecordKeySignIn':
      return decideKeySignIn(command, team, joinedOwners(command.data.teamId, team));
    case 'RevokeMemberSessions': {
      const { userId, sessionIds } = command.data;
      if (userId !== null && !team.members.has(userId)) return refuse('member_not_found');
      if (sessionIds?.length === 0) return accept();
      return accept({ type: 'MemberSessionsRevoked', data: { userId, sessionIds } });
    }
    case 'CreateApiToken':
      return createApiToken(command, team);
    case 'RevokeApiToken':
      return revokeApiToken(command, team);
    case 'RevokeApiTokensOfKey':
      return revokeApiTokensOfKey(command, team);
    default: {
      const member = team.members.get(command.data.userId);
      return member ? decideMember(command, team, member) : refuse('member_not_found');
    }
  }
};

/** The named users of one tenant: their roles, what signs them in, and the sign-in policy; and the tenant's API tokens. */
export const teamDecider: Decider<TeamCommand, Team, TeamEvent, TeamRefusal> = { initial, decide, evolve };
