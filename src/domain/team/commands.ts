import type { Command } from '../decider.ts';
import type { ApiTokenId, IdentityProviderId, InvitationId, NoticeId, PasskeyId, SessionId, TeamId, UserId } from '../ids.ts';
import type { Permission, Role } from '../permissions.ts';
import type { KeySignIn, PasskeyAdded, ProviderSettings } from './events.ts';

type OfTeam<Data extends object = object> = Data & { teamId: TeamId };
type OfMember<Data extends object = object> = Data & { teamId: TeamId; userId: UserId };

/** Invites a new member, or a member who has not joined once more: only the newest invitation is valid. */
export type InviteMember = Command<
  'InviteMember',
  OfMember<{
    invitationId: InvitationId;
    name: string;
    email: string;
    role: Role;
    tokenHash: string;
    expiresAt: string;
  }>
>;
type WithdrawInvitation = Command<'WithdrawInvitation', OfMember>;
/** Uses an invitation, which must be valid at the command's `at`. */
export type AcceptInvitation = Command<'AcceptInvitation', OfMember<{ invitationId: InvitationId }>>;
export type ChangeMemberDetails = Command<'ChangeMemberDetails', OfMember<{ name: string; email: string }>>;
/** `by` is the member who changes the role; null for a key or a policy. */
export type ChangeMemberRole = Command<'ChangeMemberRole', OfMember<{ role: Role; by: UserId | null }>>;
type RemoveMember = Command<'RemoveMember', OfMember>;
type SetMemberPassword = Command<'SetMemberPassword', OfMember<{ passwordHash: string }>>;
type EnableSecondFactor = Command<'EnableSecondFactor', OfMember<{ secret: string; recoveryCodeHashes: readonly string[] }>>;
type DisableSecondFactor = Command<'DisableSecondFactor', OfMember>;
type ReplaceRecoveryCodes = Command<'ReplaceRecoveryCodes', OfMember<{ recoveryCodeHashes: readonly string[] }>>;
/** Uses up a recovery code. Of concurrent uses of one code, one is accepted. */
type UseRecoveryCode = Command<'UseRecoveryCode', OfMember<{ recoveryCodeHash: string }>>;
/** Adds what an authenticator has proven to be a passkey of the member. */
export type AddPasskey = Command<'AddPasskey', OfMember<PasskeyAdded['data']>>;
type RemovePasskey = Command<'RemovePasskey', OfMember<{ passkeyId: PasskeyId }>>;
/** Ends that the identity provider signs in the member, until the member signs in there again. */
type UnlinkIdentity = Command<'UnlinkIdentity', OfMember>;
/** Changes nothing: refuses the commands that are sent with it if the policy asks for a second factor that the member does not have. */
type ExpectSecondFactor = Command<'ExpectSecondFactor', OfMember>;
/** All sessions, or those of `sessionIds`, of one member, or of the tenant's key if `userId` is null. */
type RevokeMemberSessions = Command<
  'RevokeMemberSessions',
  OfTeam<{ userId: UserId | null; sessionIds: readonly SessionId[] | null }>
>;
/** Makes the member of a customer what the portal user of the same id is, whatever the rules of a team; null removes the member. */
export type FollowUser = Command<'FollowUser', OfMember<{ user: Readonly<{ name: string; email: string; role: Role }> | null }>>;
/**
 * Changes nothing: refuses if too few owners would be left with the user in this role, or without the user. A suspended user may come
 * back: `isSuspension` refuses only while sign-in with the key is off.
 */
export type ExpectOwners = Command<'ExpectOwners', OfMember<{ role: Role | null; isSuspension: boolean }>>;
export type ChangeSignInPolicy = Command<'ChangeSignInPolicy', OfTeam<{ keySignIn: KeySignIn; secondFactorRequired: boolean }>>;

/** Adds the identity provider, or changes it. `providerId` is used for a new one; without a secret the former one is kept. */
export type ConfigureIdentityProvider = Command<
  'ConfigureIdentityProvider',
  OfTeam<Omit<ProviderSettings, 'clientSecret'> & { providerId: IdentityProviderId; clientSecret: string | null }>
>;
type RemoveIdentityProvider = Command<'RemoveIdentityProvider', OfTeam>;
/**
 * A user of the identity provider signs in: is linked to a member at first, joins if that is allowed, and gets the role of the claim.
 * `userId` is used for a new member. The email address is verified by the provider, and its domain by us. `portalUser` is the user of a
 * customer who signs in, whose id is `userId`; null for a new one, and for other tenants.
 */
export type AdmitIdentity = Command<
  'AdmitIdentity',
  OfMember<{
    providerId: IdentityProviderId;
    subject: string;
    email: string;
    name: string;
    /** The values of the role claim. */
    claimValues: readonly string[];
    /** Whether the provider reports a second factor. */
    hasSecondFactor: boolean;
    portalUser: Readonly<{ name: string; email: string; role: Role }> | null;
  }>
>;
/**
 * Creates an API token that expires at most a year after the command's `at`. `createdBy` is the member who creates it; null for the
 * tenant's key. The other fields are those of the event.
 */
export type CreateApiToken = Command<
  'CreateApiToken',
  OfTeam<{
    tokenId: ApiTokenId;
    name: string;
    scopes: readonly Permission[];
    expiresAt: string;
    networks: string;
    tokenHash: string;
    createdBy: UserId | null;
  }>
>;
export type RevokeApiToken = Command<'RevokeApiToken', OfTeam<{ tokenId: ApiTokenId }>>;
/** Revokes the tokens that sessions of the tenant's key created before a time, ISO-8601 UTC. */
export type RevokeApiTokensOfKey = Command<'RevokeApiTokensOfKey', OfTeam<{ createdBefore: string }>>;
/** Refused or recorded as the policy says. `day` as in `BreakGlassUsed`. */
export type RecordKeySignIn = Command<
  'RecordKeySignIn',
  OfTeam<{ noticeId: NoticeId; day: string; address: string | null; browser: string | null }>
>;
type Notice = OfMember<{ noticeId: NoticeId; address: string | null; browser: string | null }>;
type NoticeNewSignIn = Command<'NoticeNewSignIn', Notice>;
type NoticeWrongCodes = Command<'NoticeWrongCodes', Notice>;
type DismissNotices = Command<'DismissNotices', OfMember<{ noticeIds: readonly NoticeId[] }>>;

/** Commands about what a member is notified of. */
export type NoticeCommand = NoticeNewSignIn | NoticeWrongCodes | DismissNotices;

/** Commands about one member who is in the team already. */
export type MemberCommand =
  | WithdrawInvitation
  | AcceptInvitation
  | ChangeMemberDetails
  | ChangeMemberRole
  | RemoveMember
  | SetMemberPassword
  | EnableSecondFactor
  | DisableSecondFactor
  | ReplaceRecoveryCodes
  | UseRecoveryCode
  | AddPasskey
  | RemovePasskey
  | UnlinkIdentity
  | ExpectSecondFactor
  | NoticeCommand;

/** All commands to a team. */
export type TeamCommand =
  | InviteMember
  | MemberCommand
  | FollowUser
  | ExpectOwners
  | RevokeMemberSessions
  | ChangeSignInPolicy
  | ConfigureIdentityProvider
  | RemoveIdentityProvider
  | AdmitIdentity
  | CreateApiToken
  | RevokeApiToken
  | RevokeApiTokensOfKey
  | RecordKeySignIn;
