import type { SessionId, TeamId, UserId } from '../../../src/domain/ids.ts';
import type {
  ApiTokenCreated,
  ApiTokenRevoked,
  BreakGlassUsed,
  IdentityLinked,
  IdentityProviderConfigured,
  IdentityProviderRemoved,
  IdentityUnlinked,
  InvitationWithdrawn,
  MemberDetailsChanged,
  MemberInvited,
  MemberJoined,
  MemberPasswordSet,
  MemberProvisioned,
  MemberRemoved,
  MemberRoleChanged,
  MemberSessionsRevoked,
  NewSignInNoticed,
  NoticesDismissed,
  PasskeyAdded,
  PasskeyRemoved,
  RecoveryCodesReplaced,
  RecoveryCodeUsed,
  SecondFactorDisabled,
  SecondFactorEnabled,
  SignInPolicyChanged,
  WrongCodesNoticed,
} from '../../../src/domain/team/events.ts';
import { teamIdOf } from '../../../src/domain/team/teamId.ts';
import { apiTokenIdOf, identityProviderIdOf, integratorIdOf, invitationIdOf, noticeIdOf, passkeyIdOf, userIdOf } from './ids.ts';

export const partnerTeam: TeamId = teamIdOf({ kind: 'integrator', integratorId: integratorIdOf() });
const hashes = ['a1'.repeat(32), 'b2'.repeat(32)] as const;

export const memberInvited = (name = 'ana', overrides: Partial<MemberInvited['data']> = {}): MemberInvited => ({
  type: 'MemberInvited',
  data: {
    teamId: partnerTeam,
    userId: userIdOf(name),
    invitationId: invitationIdOf(name),
    name,
    email: `${name}@partner.example`,
    role: 'owner',
    tokenHash: '0f'.repeat(32),
    expiresAt: '2026-02-07T12:00:00.000Z',
    ...overrides,
  },
});
export const invitationWithdrawn = (name = 'ana'): InvitationWithdrawn => ({
  type: 'InvitationWithdrawn',
  data: { userId: userIdOf(name), invitationId: invitationIdOf(name) },
});
export const memberJoined = (name = 'ana'): MemberJoined => ({
  type: 'MemberJoined',
  data: { userId: userIdOf(name), invitationId: invitationIdOf(name) },
});
export const memberDetailsChanged = (name = 'ana', change: Partial<MemberDetailsChanged['data']> = {}): MemberDetailsChanged => ({
  type: 'MemberDetailsChanged',
  data: { userId: userIdOf(name), name: 'Ana Ruiz', email: 'ana.ruiz@partner.example', ...change },
});
export const memberRoleChanged = (name = 'ana', role: MemberRoleChanged['data']['role'] = 'manager'): MemberRoleChanged => ({
  type: 'MemberRoleChanged',
  data: { userId: userIdOf(name), role },
});
export const memberRemoved = (name = 'ana'): MemberRemoved => ({ type: 'MemberRemoved', data: { userId: userIdOf(name) } });
export const memberPasswordSet = (name = 'ana', passwordHash = '$argon2id$ana'): MemberPasswordSet => ({
  type: 'MemberPasswordSet',
  data: { userId: userIdOf(name), passwordHash },
});
export const secondFactorEnabled = (name = 'ana'): SecondFactorEnabled => ({
  type: 'SecondFactorEnabled',
  data: { userId: userIdOf(name), secret: 'JBSWY3DPEHPK3PXP', recoveryCodeHashes: hashes },
});
export const secondFactorDisabled = (name = 'ana'): SecondFactorDisabled => ({
  type: 'SecondFactorDisabled',
  data: { userId: userIdOf(name) },
});
export const recoveryCodesReplaced = (name = 'ana'): RecoveryCodesReplaced => ({
  type: 'RecoveryCodesReplaced',
  data: { userId: userIdOf(name), recoveryCodeHashes: ['c3'.repeat(32)] },
});
export const recoveryCodeUsed = (name = 'ana'): RecoveryCodeUsed => ({
  type: 'RecoveryCodeUsed',
  data: { userId: userIdOf(name), recoveryCodeHash: hashes[0] },
});
export const passkeyAdded = (name = 'ana', passkey = 'laptop', overrides: Partial<PasskeyAdded['data']> = {}): PasskeyAdded => ({
  type: 'PasskeyAdded',
  data: {
    userId: userIdOf(name),
    passkeyId: passkeyIdOf(passkey),
    credentialId: `credential-${passkey}`,
    publicKey: `key-${passkey}`,
    name: passkey,
    host: 'licenses.partner.example',
    transports: ['internal'],
    isBackedUp: true,
    ...overrides,
  },
});
export const passkeyRemoved = (name = 'ana', passkey = 'laptop'): PasskeyRemoved => ({
  type: 'PasskeyRemoved',
  data: { userId: userIdOf(name), passkeyId: passkeyIdOf(passkey) },
});
export const memberSessionsRevoked = (
  userId: UserId | null = userIdOf('ana'),
  sessionIds: readonly SessionId[] | null = null,
): MemberSessionsRevoked => ({
  type: 'MemberSessionsRevoked',
  data: { userId, sessionIds },
});
export const signInPolicyChanged = (
  keySignIn: SignInPolicyChanged['data']['keySignIn'] = 'off',
  secondFactorRequired = false,
): SignInPolicyChanged => ({ type: 'SignInPolicyChanged', data: { keySignIn, secondFactorRequired } });

export const identityProviderConfigured = (
  overrides: Partial<IdentityProviderConfigured['data']> = {},
): IdentityProviderConfigured => ({
  type: 'IdentityProviderConfigured',
  data: {
    providerId: identityProviderIdOf(),
    issuer: 'https://login.partner.example',
    clientId: 'latchkey',
    clientSecret: 'Hx7-client-secret',
    domains: ['partner.example'],
    roleClaim: 'groups',
    roles: [
      { value: 'licensing', role: 'manager' },
      { value: 'it', role: 'owner' },
    ],
    defaultRole: null,
    newUsersJoin: false,
    secondFactor: 'reported',
    ...overrides,
  },
});
export const identityProviderRemoved = (name?: string): IdentityProviderRemoved => ({
  type: 'IdentityProviderRemoved',
  data: { providerId: identityProviderIdOf(name) },
});
export const memberProvisioned = (name = 'ana', overrides: Partial<MemberProvisioned['data']> = {}): MemberProvisioned => ({
  type: 'MemberProvisioned',
  data: { teamId: partnerTeam, userId: userIdOf(name), name, email: `${name}@partner.example`, role: 'manager', ...overrides },
});
export const identityUnlinked = (name = 'ana'): IdentityUnlinked => ({
  type: 'IdentityUnlinked',
  data: { userId: userIdOf(name) },
});
export const identityLinked = (name = 'ana', subject = `subject of ${name}`): IdentityLinked => ({
  type: 'IdentityLinked',
  data: { userId: userIdOf(name), providerId: identityProviderIdOf(), subject },
});
export const apiTokenCreated = (name = 'CI export', overrides: Partial<ApiTokenCreated['data']> = {}): ApiTokenCreated => ({
  type: 'ApiTokenCreated',
  data: {
    teamId: partnerTeam,
    tokenId: apiTokenIdOf(name),
    name,
    scopes: ['customers:read', 'customers:write'],
    expiresAt: '2026-07-31T12:00:00.000Z',
    networks: '203.0.113.0/24',
    tokenHash: 'd4'.repeat(32),
    createdBy: userIdOf('ana'),
    createdAt: '2026-01-31T12:00:00.000Z',
    ...overrides,
  },
});
export const apiTokenRevoked = (name = 'CI export'): ApiTokenRevoked => ({
  type: 'ApiTokenRevoked',
  data: { tokenId: apiTokenIdOf(name) },
});
const client = { address: '203.0.113.7', browser: 'Firefox on Linux' } as const;
export const breakGlassUsed = (notice = 'emergency', owners: readonly string[] = ['ana']): BreakGlassUsed => ({
  type: 'BreakGlassUsed',
  data: { noticeId: noticeIdOf(notice), owners: owners.map(userIdOf), day: '20260201', ...client },
});
export const newSignInNoticed = (name = 'ana', notice = 'new place'): NewSignInNoticed => ({
  type: 'NewSignInNoticed',
  data: { userId: userIdOf(name), noticeId: noticeIdOf(notice), ...client },
});
export const wrongCodesNoticed = (name = 'ana', notice = 'wrong codes'): WrongCodesNoticed => ({
  type: 'WrongCodesNoticed',
  data: { userId: userIdOf(name), noticeId: noticeIdOf(notice), ...client },
});
export const noticesDismissed = (name = 'ana', ...notices: readonly string[]): NoticesDismissed => ({
  type: 'NoticesDismissed',
  data: { userId: userIdOf(name), noticeIds: (notices.length > 0 ? notices : ['new place']).map(noticeIdOf) },
});
