import { caseless } from '../caseless.ts';
import { accept, type Decider, type Decision, refuse } from '../decider.ts';
import type { TeamId } from '../ids.ts';
import { MAX_MEMBERS, MAX_PASSKEYS, OWNERS_WITHOUT_KEY } from '../limits.ts';
import { FULL_ROLE, ROLES, type Role } from '../permissions.ts';
import {
  type ApiTokenRefusal,
  createApiToken,
  revocationsOfMember,
  revocationsOfRole,
  revokeApiToken,
  revokeApiTokensOfKey,
} from './apiTokens.ts';
import type {
  AcceptInvitation,
  AddPasskey,
  ChangeMemberDetails,
  ChangeMemberRole,
  ChangeSignInPolicy,
  ExpectOwners,
  InviteMember,
  MemberCommand,
  TeamCommand,
} from './commands.ts';
import { decideKeySignIn, decideNotice } from './decideNotices.ts';
import type { TeamEvent } from './events.ts';
import { evolve, initial, type Member, type Team } from './evolve.ts';
import { followUser } from './followUser.ts';
import { admitIdentity, configureProvider, type IdentityRefusal, isProviderProtected, removal } from './identity.ts';
import { tenantKindOf } from './teamId.ts';

/** Why a command to a team is refused. */
export type TeamRefusal =
  | 'member_not_found'
  | 'member_exists'
  | 'member_email_taken'
  | 'member_limit_reached'
  | 'role_unknown'
  | 'own_role'
  | 'last_owner'
  | 'invitation_not_found'
  | 'invitation_expired'
  | 'wrong_code'
  | 'second_factor_required'
  | 'key_sign_in_off'
  | 'owners_without_second_factor'
  | 'members_without_second_factor'
  | 'passkey_exists'
  | 'passkey_not_found'
  | 'passkey_limit_reached'
  | 'last_sign_in_method'
  | IdentityRefusal
  | ApiTokenRefusal;

type Decided = Decision<TeamEvent, TeamRefusal>;

const fullRoleOf = (teamId: TeamId): Role => FULL_ROLE[tenantKindOf(teamId)];

const isRoleOf = (teamId: TeamId, role: Role): boolean => (ROLES[tenantKindOf(teamId)] as readonly Role[]).includes(role);

/** Whether the member can sign in by more than a password: with one-time passwords, or by a passkey, which verifies its user itself. */
const hasSecondFactor = ({ passwordHash, secondFactor, passkeys }: Member): boolean =>
  (passwordHash !== null && secondFactor !== null) || passkeys.length > 0;

/** Whether something signs in the member. */
const canSignIn = ({ passwordHash, passkeys, subject }: Member): boolean =>
  passwordHash !== null || passkeys.length > 0 || subject !== null;

/** Whether each way in which the member can sign in has a second factor, or is refused without one. */
const isProtected = (member: Member, team: Team): boolean =>
  hasSecondFactor(member) || (member.passwordHash === null && isProviderProtected(member, team));

const joinedOwners = (teamId: TeamId, { members }: Team): Member[] =>
  [...members.values()].filter(({ status, role }) => status === 'joined' && role === fullRoleOf(teamId));

/** Whether the team still has the owners that its policy needs once `member` is changed to `after`, or removed if null. */
const keepsOwners = (teamId: TeamId, team: Team, { userId }: Member, after: Member | null): TeamRefusal | null => {
  const owners = joinedOwners(teamId, team);
  const later = joinedOwners(teamId, {
    ...team,
    members: after ? team.members.set(userId, after) : team.members.delete(userId),
  });
  if (owners.length > 0 && later.length === 0) return 'last_owner';
  if (team.policy.keySignIn !== 'off') return null;
  return later.filter(hasSecondFactor).length < OWNERS_WITHOUT_KEY ? 'owners_without_second_factor' : null;
};

const isEmailTaken = ({ members }: Team, email: string, but: Member | undefined): boolean =>
  members.some((member) => member.userId !== but?.userId && caseless(member.email) === caseless(email));

/** A member who joined is not invited again; an invited one gets a new invitation instead of the former. */
const invite = ({ data }: InviteMember, team: Team): Decided => {
  const before = team.members.get(data.userId);
  if (before?.status === 'joined') return refuse('member_exists');
  if (before?.invitation?.invitationId === data.invitationId) return accept();
  if (!isRoleOf(data.teamId, data.role)) return refuse('role_unknown');
  if (isEmailTaken(team, data.email, before)) return refuse('member_email_taken');
  if (!before && team.members.size >= MAX_MEMBERS) return refuse('member_limit_reached');
  return accept({
    type: 'MemberInvited',
    data: {
      teamId: data.teamId,
      userId: data.userId,
      invitationId: data.invitationId,
      name: data.name,
      email: data.email,
      role: data.role,
      tokenHash: data.tokenHash,
      expiresAt: data.expiresAt,
    },
  });
};

const join = ({ data, meta }: AcceptInvitation, { userId, invitation }: Member): Decided => {
  if (invitation?.invitationId !== data.invitationId) return refuse('invitation_not_found');
  if (Date.parse(meta.at) >= Date.parse(invitation.expiresAt)) return refuse('invitation_expired');
  return accept({ type: 'MemberJoined', data: { userId, invitationId: data.invitationId } });
};

const changeDetails = ({ data: { name, email } }: ChangeMemberDetails, team: Team, member: Member): Decided => {
  if (name === member.name && email === member.email) return accept();
  if (isEmailTaken(team, email, member)) return refuse('member_email_taken');
  return accept({ type: 'MemberDetailsChanged', data: { userId: member.userId, name, email } });
};

/** Members may give up permissions, as long as an owner remains, but not give themselves more. Their API tokens keep no more either. */
const changeRole = ({ data: { teamId, role, by } }: ChangeMemberRole, team: Team, member: Member): Decided => {
  const { userId } = member;
  if (role === member.role) return accept();
  if (!isRoleOf(teamId, role)) return refuse('role_unknown');
  const order: readonly Role[] = ROLES[tenantKindOf(teamId)];
  if (by === userId && order.indexOf(role) < order.indexOf(member.role)) return refuse('own_role');
  const refusal = keepsOwners(teamId, team, member, { ...member, role });
  if (refusal) return refuse(refusal);
  return accept<TeamEvent>({ type: 'MemberRoleChanged', data: { userId, role } }, ...revocationsOfRole(teamId, team, userId, role));
};

/** Why a member's ways to sign in may not become these. */
const methodsRefusal = (teamId: TeamId, team: Team, before: Member, after: Member): TeamRefusal | null => {
  if (canSignIn(before) && !canSignIn(after)) return 'last_sign_in_method';
  if (team.policy.secondFactorRequired && isProtected(before, team) && !isProtected(after, team)) return 'second_factor_required';
  return keepsOwners(teamId, team, before, after);
};

/** A request that is repeated adds nothing. */
const addPasskey = ({ data }: AddPasskey, { userId, status, passkeys }: Member): Decided => {
  if (status !== 'joined') return refuse('member_not_found');
  if (passkeys.some(({ passkeyId }) => passkeyId === data.passkeyId)) return accept();
  if (passkeys.some(({ credentialId }) => credentialId === data.credentialId)) return refuse('passkey_exists');
  if (passkeys.length >= MAX_PASSKEYS) return refuse('passkey_limit_reached');
  const { passkeyId, credentialId, publicKey, name, host, transports, isBackedUp } = data;
  return accept({
    type: 'PasskeyAdded',
    data: { userId, passkeyId, credentialId, publicKey, name, host, transports, isBackedUp },
  });
};

const decideMember = (command: MemberCommand, team: Team, member: Member): Decided => {
  const { userId } = member;
  switch (command.type) {
    case 'WithdrawInvitation': {
      const { invitation } = member;
      if (member.status === 'joined') return refuse('member_exists');
      if (!invitation) return accept();
      return accept({ type: 'InvitationWithdrawn', data: { userId, invitationId: invitation.invitationId } });
    }
    case 'AcceptInvitation':
      return join(command, member);
    case 'ChangeMemberDetails':
      return changeDetails(command, team, member);
    case 'ChangeMemberRole':
      return changeRole(command, team, member);
    case 'RemoveMember': {
      const refusal = keepsOwners(command.data.teamId, team, member, null);
      if (refusal) return refuse(refusal);
      return accept<TeamEvent>({ type: 'MemberRemoved', data: { userId } }, ...revocationsOfMember(team, userId));
    }
    case 'SetMemberPassword': {
      if (member.status !== 'joined') return refuse('member_not_found');
      return accept({ type: 'MemberPasswordSet', data: { userId, passwordHash: command.data.passwordHash } });
    }
    case 'EnableSecondFactor': {
      if (member.status !== 'joined') return refuse('member_not_found');
      const { secret, recoveryCodeHashes } = command.data;
      return accept({ type: 'SecondFactorEnabled', data: { userId, secret, recoveryCodeHashes } });
    }
    case 'DisableSecondFactor': {
      if (member.secondFactor === null) return accept();
      const refusal = methodsRefusal(command.data.teamId, team, member, { ...member, secondFactor: null });
      return refusal ? refuse(refusal) : accept({ type: 'SecondFactorDisabled', data: { userId } });
    }
    case 'AddPasskey':
      return addPasskey(command, member);
    case 'RemovePasskey': {
      const { teamId, passkeyId } = command.data;
      const passkeys = member.passkeys.filter((passkey) => passkey.passkeyId !== passkeyId);
      if (passkeys.length === member.passkeys.length) return refuse('passkey_not_found');
      const refusal = methodsRefusal(teamId, team, member, { ...member, passkeys });
      return refusal ? refuse(refusal) : accept({ type: 'PasskeyRemoved', data: { userId, passkeyId } });
    }
    case 'NoticeNewSignIn':
    case 'NoticeWrongCodes':
    case 'DismissNotices':
      return decideNotice(command, member);
    case 'ExpectSecondFactor':
      return team.policy.secondFactorRequired && !isProtected(member, team) ? refuse('second_factor_required') : accept();
    case 'ReplaceRecoveryCodes': {
      if (member.secondFactor === null) return refuse('second_factor_required');
      const { recoveryCodeHashes } = command.data;
      return accept({ type: 'RecoveryCodesReplaced', data: { userId, recoveryCodeHashes } });
    }
    case 'UseRecoveryCode': {
      const { recoveryCodeHash } = command.data;
      if (!member.recoveryCodeHashes.includes(recoveryCodeHash)) return refuse('wrong_code');
      return accept({ type: 'RecoveryCodeUsed', data: { userId, recoveryCodeHash } });
    }
  }
};

const expectOwners = ({ data: { teamId, userId, role } }: ExpectOwners, team: Team): Decided => {
  const member = team.members.get(userId);
  if (!member || team.policy.keySignIn !== 'off') return accept();
  const refusal = keepsOwners(teamId, team, member, role === null ? null : { ...member, role });
  return refusal ? refuse('owners_without_second_factor') : accept();
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
      return admitIdentity(command, team, (member, role) => keepsOwners(teamId, team, member, { ...member, role }) === null);
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
