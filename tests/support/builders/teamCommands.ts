import type { SessionId, UserId } from '../../../src/domain/ids.ts';
import type { Role } from '../../../src/domain/permissions.ts';
import type {
  AdmitIdentity,
  ConfigureIdentityProvider,
  CreateApiToken,
  FollowUser,
  InviteMember,
} from '../../../src/domain/team/commands.ts';
import type { KeySignIn } from '../../../src/domain/team/events.ts';
import { commandOf } from './command.ts';
import { apiTokenIdOf, identityProviderIdOf, invitationIdOf, noticeIdOf, passkeyIdOf, userIdOf } from './ids.ts';
import { apiTokenCreated, identityProviderConfigured, memberInvited, passkeyAdded, partnerTeam as teamId } from './team.ts';

const of = (name: string) => ({ teamId, userId: userIdOf(name) });

export const inviteMember = (name = 'ana', overrides: Partial<InviteMember['data']> = {}) =>
  commandOf('InviteMember', { ...memberInvited(name).data, ...overrides });
export const withdrawInvitation = (name = 'ana') => commandOf('WithdrawInvitation', of(name));
export const acceptInvitation = (name = 'ana', at = '2026-02-01T12:00:00.000Z', invitation = name) =>
  commandOf('AcceptInvitation', { ...of(name), invitationId: invitationIdOf(invitation) }, { at });
export const changeMemberDetails = (name: string, details: { name: string; email: string }) =>
  commandOf('ChangeMemberDetails', { ...of(name), ...details });
export const changeMemberRole = (name: string, role: Role, by: UserId | null = null) =>
  commandOf('ChangeMemberRole', { ...of(name), role, by });
export const removeMember = (name = 'ana') => commandOf('RemoveMember', of(name));
export const setMemberPassword = (name = 'ana', passwordHash = '$argon2id$ana') =>
  commandOf('SetMemberPassword', { ...of(name), passwordHash });
export const enableSecondFactor = (name = 'ana') =>
  commandOf('EnableSecondFactor', {
    ...of(name),
    secret: 'JBSWY3DPEHPK3PXP',
    recoveryCodeHashes: ['a1'.repeat(32), 'b2'.repeat(32)],
  });
export const disableSecondFactor = (name = 'ana') => commandOf('DisableSecondFactor', of(name));
export const replaceRecoveryCodes = (name = 'ana') =>
  commandOf('ReplaceRecoveryCodes', { ...of(name), recoveryCodeHashes: ['c3'.repeat(32)] });
export const useRecoveryCode = (name = 'ana', recoveryCodeHash = 'a1'.repeat(32)) =>
  commandOf('UseRecoveryCode', { ...of(name), recoveryCodeHash });
export const addPasskey = (name = 'ana', passkey = 'laptop', credentialId = `credential-${passkey}`) =>
  commandOf('AddPasskey', { ...of(name), ...passkeyAdded(name, passkey, { credentialId }).data });
export const removePasskey = (name = 'ana', passkey = 'laptop') =>
  commandOf('RemovePasskey', { ...of(name), passkeyId: passkeyIdOf(passkey) });
export const unlinkIdentity = (name = 'ana') => commandOf('UnlinkIdentity', of(name));
export const expectSecondFactor = (name = 'ana') => commandOf('ExpectSecondFactor', of(name));
export const revokeMemberSessions = (userId: UserId | null, sessionIds: readonly SessionId[] | null = null) =>
  commandOf('RevokeMemberSessions', { teamId, userId, sessionIds });
export const changeSignInPolicy = (keySignIn: KeySignIn, secondFactorRequired = false) =>
  commandOf('ChangeSignInPolicy', { teamId, keySignIn, secondFactorRequired });
export const configureIdentityProvider = (overrides: Partial<ConfigureIdentityProvider['data']> = {}) =>
  commandOf('ConfigureIdentityProvider', { teamId, ...identityProviderConfigured().data, ...overrides });
export const removeIdentityProvider = () => commandOf('RemoveIdentityProvider', { teamId });
export const admitIdentity = (name = 'ana', overrides: Partial<AdmitIdentity['data']> = {}, at = '2026-02-01T12:00:00.000Z') =>
  commandOf(
    'AdmitIdentity',
    {
      ...of(name),
      providerId: identityProviderIdOf(),
      subject: `subject of ${name}`,
      email: `${name}@partner.example`,
      name,
      claimValues: [],
      hasSecondFactor: false,
      portalUser: null,
      ...overrides,
    },
    { at },
  );
export const createApiToken = (name = 'CI export', overrides: Partial<CreateApiToken['data']> = {}, at?: string) => {
  const { createdAt: _createdAt, ...data } = apiTokenCreated(name).data;
  return commandOf('CreateApiToken', { ...data, ...overrides }, at === undefined ? {} : { at });
};
export const revokeApiToken = (name = 'CI export') => commandOf('RevokeApiToken', { teamId, tokenId: apiTokenIdOf(name) });
export const revokeApiTokensOfKey = (createdBefore: string) => commandOf('RevokeApiTokensOfKey', { teamId, createdBefore });
const client = { address: '203.0.113.7', browser: 'Firefox on Linux' } as const;
export const recordKeySignIn = (notice = 'emergency') =>
  commandOf('RecordKeySignIn', { teamId, noticeId: noticeIdOf(notice), day: '20260201', ...client });
export const noticeNewSignIn = (name = 'ana', notice = 'new place') =>
  commandOf('NoticeNewSignIn', { ...of(name), noticeId: noticeIdOf(notice), ...client });
export const noticeWrongCodes = (name = 'ana', notice = 'wrong codes') =>
  commandOf('NoticeWrongCodes', { ...of(name), noticeId: noticeIdOf(notice), ...client });
export const dismissNotices = (name: string, ...notices: readonly string[]) =>
  commandOf('DismissNotices', { ...of(name), noticeIds: notices.map(noticeIdOf) });
export const followUser = (name: string, user: FollowUser['data']['user']) => commandOf('FollowUser', { ...of(name), user });
export const expectOwners = (name: string, role: Role | null, isSuspension = false) =>
  commandOf('ExpectOwners', { ...of(name), role, isSuspension });
