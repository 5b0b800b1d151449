import { caseless } from '../caseless.ts';
import { accept, type Decision, refuse } from '../decider.ts';
import type { TeamId } from '../ids.ts';
import { MAX_MEMBERS, MAX_PASSKEYS } from '../limits.ts';
import { ROLES, type Role } from '../permissions.ts';
import { revocationsOfMember, revocationsOfRole } from './apiTokens.ts';
import type {
  AcceptInvitation,
  AddPasskey,
  ChangeMemberDetails,
  ChangeMemberRole,
  InviteMember,
  MemberCommand,
} from './commands.ts';
import { decideNotice } from './decideNotices.ts';
import type { TeamEvent } from './events.ts';
import type { Member, Team } from './evolve.ts';
import { isProtected, methodsRefusal, ownersRefusal, type SignInRefusal } from './signInMethods.ts';
import { tenantKindOf } from './teamId.ts';

/** Why a command about one named user is refused. */
export type MemberRefusal =
  | 'member_not_found'
  | 'member_exists'
  | 'member_email_taken'
  | 'member_limit_reached'
  | 'role_unknown'
  | 'own_role'
  | 'invitation_not_found'
  | 'invitation_expired'
  | 'wrong_code'
  | 'passkey_exists'
  | 'passkey_not_found'
  | 'passkey_limit_reached'
  | SignInRefusal;

type Decided = Decision<TeamEvent, MemberRefusal>;

const isRoleOf = (teamId: TeamId, role: Role): boolean => (ROLES[tenantKindOf(teamId)] as readonly Role[]).includes(role);

const isEmailTaken = ({ members }: Team, email: string, but: Member | undefined): boolean =>
  members.some((member) => member.userId !== but?.userId && caseless(member.email) === caseless(email));

/** A member who joined is not invited again; an invited one gets a new invitation instead of the former. */
export const invite = ({ data }: InviteMember, team: Team): Decided => {
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
  const refusal = ownersRefusal(teamId, team, member, { ...member, role });
  if (refusal) return refuse(refusal);
  return accept<TeamEvent>({ type: 'MemberRoleChanged', data: { userId, role } }, ...revocationsOfRole(teamId, team, userId, role));
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

/** Decides about a member whom the team has. */
export const decideMember = (command: MemberCommand, team: Team, member: Member): Decided => {
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
      const refusal = ownersRefusal(command.data.teamId, team, member, null);
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
    case 'UnlinkIdentity': {
      if (member.subject === null) return accept();
      const refusal = methodsRefusal(command.data.teamId, team, member, { ...member, subject: null });
      return refusal ? refuse(refusal) : accept({ type: 'IdentityUnlinked', data: { userId } });
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
