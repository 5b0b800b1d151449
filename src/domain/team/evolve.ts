import { Map as ImmutableMap, Set as ImmutableSet } from 'immutable';
import type { ApiTokenId, IdentityProviderId, InvitationId, NoticeId, UserId } from '../ids.ts';
import type { Role } from '../permissions.ts';
import type {
  ApiTokenCreated,
  IdentityProviderConfigured,
  KeySignIn,
  MemberInvited,
  MemberProvisioned,
  PasskeyAdded,
  ProviderSettings,
  TeamEvent,
} from './events.ts';

/** An invitation that was not used and not withdrawn. `expiresAt` is ISO-8601 UTC. */
type Invitation = Readonly<{ invitationId: InvitationId; tokenHash: string; expiresAt: string }>;

/** What signs in a member on one host, after the authenticator has verified its user. */
type Passkey = Readonly<Omit<PasskeyAdded['data'], 'userId'>>;

/** A named user of the console. Without a password, passkeys and an identity, nothing signs the member in. */
export type Member = Readonly<{
  userId: UserId;
  status: 'invited' | 'joined';
  name: string;
  email: string;
  role: Role;
  invitation: Invitation | null;
  passwordHash: string | null;
  /** The shared secret of one-time passwords, base32; null without a second factor. */
  secondFactor: string | null;
  /** Hashes of the recovery codes that were not used. */
  recoveryCodeHashes: readonly string[];
  passkeys: readonly Passkey[];
  /** The user's id at the identity provider; null before the first sign-in there. */
  subject: string | null;
  /** The notices that the member has not dismissed. */
  notices: ImmutableSet<NoticeId>;
  /** The last notice of wrong codes, also after the member dismissed it. */
  wrongCodesNotice: NoticeId | null;
}>;

/** Where the members of a tenant sign in with OpenID Connect. */
export type IdentityProvider = ProviderSettings & Readonly<{ providerId: IdentityProviderId }>;

/** How the members of a tenant sign in. */
type SignInPolicy = Readonly<{ keySignIn: KeySignIn; secondFactorRequired: boolean }>;

/** An API token that was not revoked; it may have expired. */
export type ApiToken = Readonly<Omit<ApiTokenCreated['data'], 'teamId'>>;

/** The members and API tokens of a tenant, without the removed and revoked ones, and its sign-in policy. */
export type Team = Readonly<{
  members: ImmutableMap<UserId, Member>;
  tokens: ImmutableMap<ApiTokenId, ApiToken>;
  policy: SignInPolicy;
  provider: IdentityProvider | null;
}>;

/** The policy of a tenant that has not changed it. */
const DEFAULT_POLICY: SignInPolicy = { keySignIn: 'allowed', secondFactorRequired: false };

/** The team of a tenant without named users. */
export const initial: Team = { members: ImmutableMap(), tokens: ImmutableMap(), policy: DEFAULT_POLICY, provider: null };

const invited = ({ data }: MemberInvited, before: Member | undefined): Member => ({
  userId: data.userId,
  status: 'invited',
  name: data.name,
  email: data.email,
  role: data.role,
  invitation: { invitationId: data.invitationId, tokenHash: data.tokenHash, expiresAt: data.expiresAt },
  passwordHash: before?.passwordHash ?? null,
  secondFactor: before?.secondFactor ?? null,
  recoveryCodeHashes: before?.recoveryCodeHashes ?? [],
  passkeys: before?.passkeys ?? [],
  subject: before?.subject ?? null,
  notices: before?.notices ?? ImmutableSet(),
  wrongCodesNotice: before?.wrongCodesNotice ?? null,
});

const provisioned = ({ data }: MemberProvisioned): Member => ({
  userId: data.userId,
  status: 'joined',
  name: data.name,
  email: data.email,
  role: data.role,
  invitation: null,
  passwordHash: null,
  secondFactor: null,
  recoveryCodeHashes: [],
  passkeys: [],
  subject: null,
  notices: ImmutableSet(),
  wrongCodesNotice: null,
});

const providerOf = ({ data }: IdentityProviderConfigured): IdentityProvider => ({
  providerId: data.providerId,
  issuer: data.issuer,
  clientId: data.clientId,
  clientSecret: data.clientSecret,
  domains: data.domains,
  roleClaim: data.roleClaim,
  roles: data.roles,
  defaultRole: data.defaultRole,
  newUsersJoin: data.newUsersJoin,
  secondFactor: data.secondFactor,
});

const withoutLinks = (team: Team): Team => ({ ...team, members: team.members.map((member) => ({ ...member, subject: null })) });

type OfMember = Exclude<
  TeamEvent,
  {
    type:
      | 'MemberInvited'
      | 'MemberProvisioned'
      | 'MemberRemoved'
      | 'MemberSessionsRevoked'
      | 'SignInPolicyChanged'
      | 'IdentityProviderConfigured'
      | 'IdentityProviderRemoved'
      | 'ApiTokenCreated'
      | 'ApiTokenRevoked'
      | 'BreakGlassUsed';
  }
>;
const evolveMember = (member: Member, event: OfMember): Member => {
  switch (event.type) {
    case 'InvitationWithdrawn':
      return { ...member, invitation: null };
    case 'MemberJoined':
      return { ...member, status: 'joined', invitation: null };
    case 'MemberDetailsChanged':
      return { ...member, name: event.data.name, email: event.data.email };
    case 'MemberRoleChanged':
      return { ...member, role: event.data.role };
    case 'MemberPasswordSet':
      return { ...member, passwordHash: event.data.passwordHash };
    case 'SecondFactorEnabled':
      return { ...member, secondFactor: event.data.secret, recoveryCodeHashes: event.data.recoveryCodeHashes };
    case 'SecondFactorDisabled':
      return { ...member, secondFactor: null, recoveryCodeHashes: [] };
    case 'RecoveryCodesReplaced':
      return { ...member, recoveryCodeHashes: event.data.recoveryCodeHashes };
    case 'IdentityLinked':
      return { ...member, subject: event.data.subject };
    case 'IdentityUnlinked':
      return { ...member, subject: null };
    case 'RecoveryCodeUsed': {
      const { recoveryCodeHash } = event.data;
      return { ...member, recoveryCodeHashes: member.recoveryCodeHashes.filter((hash) => hash !== recoveryCodeHash) };
    }
    case 'PasskeyAdded': {
      const { userId: _userId, ...passkey } = event.data;
      return { ...member, passkeys: [...member.passkeys, passkey] };
    }
    case 'NewSignInNoticed':
      return { ...member, notices: member.notices.add(event.data.noticeId) };
    case 'WrongCodesNoticed': {
      const { noticeId } = event.data;
      return { ...member, notices: member.notices.add(noticeId), wrongCodesNotice: noticeId };
    }
    case 'NoticesDismissed':
      return { ...member, notices: member.notices.subtract(event.data.noticeIds) };
    case 'PasskeyRemoved':
      return { ...member, passkeys: member.passkeys.filter(({ passkeyId }) => passkeyId !== event.data.passkeyId) };
  }
};

const notified = (members: Team['members'], userId: UserId, noticeId: NoticeId): Team['members'] => {
  const member = members.get(userId);
  return member ? members.set(userId, { ...member, notices: member.notices.add(noticeId) }) : members;
};

/** Total: an event about a member who is not in the team changes nothing. */
export const evolve = (team: Team, event: TeamEvent): Team => {
  const { members } = team;
  switch (event.type) {
    case 'MemberInvited': {
      const { userId } = event.data;
      return { ...team, members: members.set(userId, invited(event, members.get(userId))) };
    }
    case 'MemberProvisioned':
      return { ...team, members: members.set(event.data.userId, provisioned(event)) };
    case 'IdentityProviderConfigured':
      return { ...team, provider: providerOf(event) };
    case 'IdentityProviderRemoved':
      return { ...withoutLinks(team), provider: null };
    case 'MemberRemoved':
      return { ...team, members: members.delete(event.data.userId) };
    case 'MemberSessionsRevoked':
      return team;
    case 'SignInPolicyChanged': {
      const { keySignIn, secondFactorRequired } = event.data;
      return { ...team, policy: { keySignIn, secondFactorRequired } };
    }
    case 'ApiTokenCreated': {
      const { teamId: _teamId, ...token } = event.data;
      return { ...team, tokens: team.tokens.set(token.tokenId, token) };
    }
    case 'ApiTokenRevoked':
      return { ...team, tokens: team.tokens.delete(event.data.tokenId) };
    case 'BreakGlassUsed': {
      const { noticeId, owners } = event.data;
      return { ...team, members: owners.reduce((all, userId) => notified(all, userId, noticeId), members) };
    }
    default: {
      const member = members.get(event.data.userId);
      return member ? { ...team, members: members.set(member.userId, evolveMember(member, event)) } : team;
    }
  }
};
