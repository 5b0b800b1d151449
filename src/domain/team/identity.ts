import { caseless } from '../caseless.ts';
import { accept, type Decision, refuse } from '../decider.ts';
import { MAX_MEMBERS } from '../limits.ts';
import { ROLES, type Role } from '../permissions.ts';
import { revocationsOfRole } from './apiTokens.ts';
import type { AdmitIdentity, ConfigureIdentityProvider } from './commands.ts';
import type { IdentityProviderRemoved, TeamEvent } from './events.ts';
import type { IdentityProvider, Member, Team } from './evolve.ts';
import { tenantKindOf } from './teamId.ts';

/** Why a command about the identity provider or one of its users is refused. */
export type IdentityRefusal =
  | 'identity_provider_not_found'
  | 'identity_provider_secret_required'
  | 'role_unknown'
  | 'identity_without_member'
  | 'identity_of_other'
  | 'identity_without_role'
  | 'identity_without_second_factor'
  | 'invitation_expired'
  | 'member_limit_reached';

type Decided = Decision<TeamEvent, IdentityRefusal>;

/** The event that a provider is removed. */
export const removal = ({ providerId }: IdentityProvider): IdentityProviderRemoved => ({
  type: 'IdentityProviderRemoved',
  data: { providerId },
});

/** Whether both have the same settings. */
const isSame = (one: IdentityProvider, other: IdentityProvider): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Another issuer or client is another provider: it does not get the secret, and members are linked again, because a subject is unique
 * for one client of one issuer.
 */
export const configureProvider = ({ data }: ConfigureIdentityProvider, { provider }: Team): Decided => {
  const offered: readonly Role[] = ROLES[tenantKindOf(data.teamId)];
  const named = [...data.roles.map(({ role }) => role), ...(data.defaultRole === null ? [] : [data.defaultRole])];
  if (named.some((role) => !offered.includes(role))) return refuse('role_unknown');
  const before = provider?.issuer === data.issuer && provider.clientId === data.clientId ? provider : null;
  const clientSecret = data.clientSecret ?? before?.clientSecret ?? null;
  if (clientSecret === null) return refuse('identity_provider_secret_required');
  const after: IdentityProvider = {
    providerId: before?.providerId ?? data.providerId,
    issuer: data.issuer,
    clientId: data.clientId,
    clientSecret,
    domains: data.domains,
    roleClaim: data.roleClaim,
    roles: data.roles.map(({ value, role }) => ({ value, role })),
    defaultRole: data.defaultRole,
    newUsersJoin: data.newUsersJoin,
    secondFactor: data.secondFactor,
  };
  if (before && isSame(before, after)) return accept();
  const configured = { type: 'IdentityProviderConfigured', data: after } as const;
  return provider && !before ? accept<TeamEvent>(removal(provider), configured) : accept(configured);
};

/** Whether a sign-in counts as one with a second factor; `isReported` is what the provider says. */
export const isSecondFactor = ({ secondFactor }: IdentityProvider, isReported: boolean): boolean =>
  secondFactor === 'always' || (secondFactor === 'reported' && isReported);

/** Whether members of a team with a provider sign in there with a second factor, or are refused. */
export const isProviderProtected = ({ subject }: Member, { provider }: Team): boolean =>
  subject !== null && provider !== null && provider.secondFactor !== 'never';

/** The member whom a user of the identity provider is linked to, or else the one with the email address; null for a new one. */
export const memberOfIdentity = ({ members }: Team, { subject, email }: { subject: string; email: string }): Member | null =>
  members.find((member) => member.subject === subject) ??
  members.find((member) => caseless(member.email) === caseless(email)) ??
  null;

/** Null where the claim decides nothing; the role with the most permissions of those that its values give. */
const claimedRole = ({ data: { teamId, claimValues } }: AdmitIdentity, provider: IdentityProvider): Role | null | 'none' => {
  if (provider.roleClaim === null) return null;
  const given = provider.roles.filter(({ value }) => claimValues.includes(value)).map(({ role }) => role);
  const order: readonly Role[] = ROLES[tenantKindOf(teamId)];
  return order.find((role) => given.includes(role)) ?? provider.defaultRole ?? 'none';
};

const provision = ({ data }: AdmitIdentity, team: Team, provider: IdentityProvider, role: Role | null): Decided => {
  const { teamId, userId, providerId, subject, portalUser } = data;
  if (!provider.newUsersJoin) return refuse('identity_without_member');
  const first = role ?? portalUser?.role ?? provider.defaultRole;
  if (first === null) return refuse('identity_without_role');
  if (team.members.size >= MAX_MEMBERS) return refuse('member_limit_reached');
  const { name, email } = portalUser ?? data;
  return accept(
    { type: 'MemberProvisioned', data: { teamId, userId, name, email, role: first } },
    { type: 'IdentityLinked', data: { userId, providerId, subject } },
  );
};

/** An invited member joins by the first sign-in while the invitation is valid. */
const link = ({ data: { providerId, subject }, meta }: AdmitIdentity, member: Member): Decided => {
  const { userId, invitation } = member;
  if (member.subject === subject) return accept();
  if (member.subject !== null) return refuse('identity_of_other');
  const linked = { type: 'IdentityLinked', data: { userId, providerId, subject } } as const;
  if (member.status === 'joined') return accept(linked);
  if (!invitation) return refuse('identity_without_member');
  if (Date.parse(meta.at) >= Date.parse(invitation.expiresAt)) return refuse('invitation_expired');
  return accept<TeamEvent>({ type: 'MemberJoined', data: { userId, invitationId: invitation.invitationId } }, linked);
};

/**
 * Decides a sign-in by the identity provider. `mayHave` says whether a member may get a role: the last owner stays one, whatever
 * the claim says.
 */
export const admitIdentity = (command: AdmitIdentity, team: Team, mayHave: (member: Member, role: Role) => boolean): Decided => {
  const { data } = command;
  const { provider, policy } = team;
  if (provider?.providerId !== data.providerId) return refuse('identity_provider_not_found');
  if (policy.secondFactorRequired && !isSecondFactor(provider, data.hasSecondFactor))
    return refuse('identity_without_second_factor');
  const role = claimedRole(command, provider);
  if (role === 'none') return refuse('identity_without_role');
  const member = data.portalUser ? team.members.get(data.userId) : memberOfIdentity(team, data);
  if (!member) return provision(command, team, provider, role);
  const linked = link(command, member);
  if (!linked.accepted || role === null || role === member.role || !mayHave(member, role)) return linked;
  const revocations = revocationsOfRole(data.teamId, team, member.userId, role);
  return accept<TeamEvent>(...linked.events, { type: 'MemberRoleChanged', data: { userId: member.userId, role } }, ...revocations);
};
