import type { DomainEvent } from '../event.ts';
import type { ApiTokenId, IdentityProviderId, InvitationId, NoticeId, PasskeyId, SessionId, TeamId, UserId } from '../ids.ts';
import type { Permission, Role } from '../permissions.ts';

/**
 * Whether the tenant's key signs in: always, as an emergency access that every owner is notified of, or not at all.
 */
export type KeySignIn = 'allowed' | 'break_glass' | 'off';

/** `tokenHash` is the SHA-256 of the link's token, hex. `expiresAt` is ISO-8601 UTC. */
export type MemberInvited = DomainEvent<
  'MemberInvited',
  {
    teamId: TeamId;
    userId: UserId;
    invitationId: InvitationId;
    name: string;
    email: string;
    role: Role;
    tokenHash: string;
    expiresAt: string;
  }
>;
export type InvitationWithdrawn = DomainEvent<'InvitationWithdrawn', { userId: UserId; invitationId: InvitationId }>;
export type MemberJoined = DomainEvent<'MemberJoined', { userId: UserId; invitationId: InvitationId }>;
export type MemberDetailsChanged = DomainEvent<'MemberDetailsChanged', { userId: UserId; name: string; email: string }>;
export type MemberRoleChanged = DomainEvent<'MemberRoleChanged', { userId: UserId; role: Role }>;
/** The member's data key is destroyed afterwards. */
export type MemberRemoved = DomainEvent<'MemberRemoved', { userId: UserId }>;
/** `passwordHash` is argon2id in PHC format. */
export type MemberPasswordSet = DomainEvent<'MemberPasswordSet', { userId: UserId; passwordHash: string }>;
/** `secret` is the shared secret of the one-time passwords, base32. The codes are kept as hashes. */
export type SecondFactorEnabled = DomainEvent<
  'SecondFactorEnabled',
  { userId: UserId; secret: string; recoveryCodeHashes: readonly string[] }
>;
export type SecondFactorDisabled = DomainEvent<'SecondFactorDisabled', { userId: UserId }>;
export type RecoveryCodesReplaced = DomainEvent<'RecoveryCodesReplaced', { userId: UserId; recoveryCodeHashes: readonly string[] }>;
export type RecoveryCodeUsed = DomainEvent<'RecoveryCodeUsed', { userId: UserId; recoveryCodeHash: string }>;
/**
 * `credentialId` is what the authenticator calls the passkey and `publicKey` its COSE key, both base64url. `host` is the host name on
 * which it signs in, `transports` how browsers reach it (WebAuthn), and `isBackedUp` says that a provider keeps a copy of it.
 */
export type PasskeyAdded = DomainEvent<
  'PasskeyAdded',
  {
    userId: UserId;
    passkeyId: PasskeyId;
    credentialId: string;
    publicKey: string;
    name: string;
    host: string;
    transports: readonly string[];
    isBackedUp: boolean;
  }
>;
export type PasskeyRemoved = DomainEvent<'PasskeyRemoved', { userId: UserId; passkeyId: PasskeyId }>;
/**
 * `sessionIds` is null if all sessions of the member were revoked. `userId` is null for sessions of the tenant's key, and where
 * `sessionIds` is null too, for all sessions of the tenant.
 */
export type MemberSessionsRevoked = DomainEvent<
  'MemberSessionsRevoked',
  { userId: UserId | null; sessionIds: readonly SessionId[] | null }
>;
export type SignInPolicyChanged = DomainEvent<'SignInPolicyChanged', { keySignIn: KeySignIn; secondFactorRequired: boolean }>;

/** A value of the role claim, and the role of the users who have it. */
type ClaimedRole = Readonly<{ value: string; role: Role }>;
/**
 * Whether a sign-in by the identity provider counts as one with a second factor: never, if the provider says so (`amr` has `mfa`), or always.
 */
type ProviderFactor = 'never' | 'reported' | 'always';
/** The settings of an identity provider. */
export type ProviderSettings = Readonly<{
  /** The exact identifier of the provider, an address. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Domains of email addresses, in lower case. Each counts only once its ownership is verified. */
  domains: readonly string[];
  /** The claim with the roles; null where roles are changed here only. */
  roleClaim: string | null;
  roles: readonly ClaimedRole[];
  /** The role of users whose claim has no mapped value, and of new ones without a claim; null refuses them. */
  defaultRole: Role | null;
  /** Whether users who are not invited join at their first sign-in. */
  newUsersJoin: boolean;
  secondFactor: ProviderFactor;
}>;
/** The provider was added, or its settings changed; another issuer or client is another provider. */
export type IdentityProviderConfigured = DomainEvent<
  'IdentityProviderConfigured',
  ProviderSettings & { providerId: IdentityProviderId }
>;
/** The data key of the provider's secret is destroyed afterwards, and no member is linked any more. */
export type IdentityProviderRemoved = DomainEvent<'IdentityProviderRemoved', { providerId: IdentityProviderId }>;
/** A user of the identity provider joined without an invitation. */
export type MemberProvisioned = DomainEvent<
  'MemberProvisioned',
  { teamId: TeamId; userId: UserId; name: string; email: string; role: Role }
>;
/** `subject` is the provider's own id of the user, which it never gives to another one. */
export type IdentityLinked = DomainEvent<'IdentityLinked', { userId: UserId; providerId: IdentityProviderId; subject: string }>;
/** The account at the identity provider no longer signs in the member. */
export type IdentityUnlinked = DomainEvent<'IdentityUnlinked', { userId: UserId }>;
/**
 * `networks` are CIDR blocks, separated by commas; empty if requests may come from any address. `tokenHash` is the SHA-256 of the token,
 * hex. `createdBy` is null where a session of the tenant's key created it. Times are ISO-8601 UTC.
 */
export type ApiTokenCreated = DomainEvent<
  'ApiTokenCreated',
  {
    teamId: TeamId;
    tokenId: ApiTokenId;
    name: string;
    scopes: readonly Permission[];
    expiresAt: string;
    networks: string;
    tokenHash: string;
    createdBy: UserId | null;
    createdAt: string;
  }
>;
export type ApiTokenRevoked = DomainEvent<'ApiTokenRevoked', { tokenId: ApiTokenId }>;
/** What a member is notified of: a sign-in with the key in an emergency, a sign-in from a new location, or wrong codes. */
export type NoticeKind = 'break_glass' | 'new_sign_in' | 'wrong_codes';
/**
 * The key signed in while the policy is `break_glass`. `owners` are the members who are notified. `day` (yyyymmdd, UTC) names the key
 * that seals the administration's address; it is destroyed after the retention of sign-ins.
 */
export type BreakGlassUsed = DomainEvent<
  'BreakGlassUsed',
  { noticeId: NoticeId; owners: readonly UserId[]; day: string; address: string | null; browser: string | null }
>;
/** A member signed in with a browser, or from an address, that the member had not used lately, and is notified. */
export type NewSignInNoticed = DomainEvent<
  'NewSignInNoticed',
  { userId: UserId; noticeId: NoticeId; address: string | null; browser: string | null }
>;
/** Wrong codes followed the right password of a member, who is notified. The address and browser are those of the last one. */
export type WrongCodesNoticed = DomainEvent<
  'WrongCodesNoticed',
  { userId: UserId; noticeId: NoticeId; address: string | null; browser: string | null }
>;
/** A member dismissed notices in the console, which then lists them no longer. */
export type NoticesDismissed = DomainEvent<'NoticesDismissed', { userId: UserId; noticeIds: readonly NoticeId[] }>;

/** The events of the team of a tenant. */
export type TeamEvent =
  | MemberInvited
  | InvitationWithdrawn
  | MemberJoined
  | MemberDetailsChanged
  | MemberRoleChanged
  | MemberRemoved
  | MemberPasswordSet
  | SecondFactorEnabled
  | SecondFactorDisabled
  | RecoveryCodesReplaced
  | RecoveryCodeUsed
  | PasskeyAdded
  | PasskeyRemoved
  | MemberSessionsRevoked
  | SignInPolicyChanged
  | IdentityProviderConfigured
  | IdentityProviderRemoved
  | MemberProvisioned
  | IdentityLinked
  | IdentityUnlinked
  | ApiTokenCreated
  | ApiTokenRevoked
  | BreakGlassUsed
  | NewSignInNoticed
  | WrongCodesNoticed
  | NoticesDismissed;
