import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { IntegratorId, InvitationId, PasskeyId, TeamId, UserId } from '../domain/ids.ts';
import type { Role } from '../domain/permissions.ts';
import type { SignInMethod } from '../domain/signIns/methods.ts';
import type { Member, Team } from '../domain/team/evolve.ts';
import { tenantOfTeam } from '../domain/team/teamId.ts';
import { networksOf } from '../security/clientNetworks.ts';
import { invitationHash } from '../security/invitations.ts';
import type { Session, SessionOwner } from '../security/session.ts';
import { completeSignIn } from './completeSignIn.ts';
import type { HttpDeps } from './deps.ts';
import { evaluateGuess, right, wrong } from './guesses.ts';
import { noticePlace } from './notices.ts';
import { portalMemberOf } from './portalMembers.ts';
import { HttpProblem, type ProblemCode } from './problems/problems.ts';
import { found } from './replies.ts';
import { nameAccount } from './requests/signIns.ts';

/** A member, and the team that the member is in. `passkeyId` is the passkey that found the member, if one did. */
export type FoundMember = Readonly<{ teamId: TeamId; team: Team; member: Member; passkeyId?: PasskeyId }>;

/** Names a member for the record of sign-ins, also of a rejected one. */
export const nameMember = (request: FastifyRequest, { teamId, member: { userId } }: FoundMember): void => {
  const tenant = tenantOfTeam(teamId);
  nameAccount(request, {
    userId,
    ...(tenant.kind === 'integrator' && { integratorId: tenant.integratorId }),
    ...(tenant.kind === 'customer' && { customerId: tenant.customerId }),
  });
};

/** What the tenant of a team is called. Throws `invitation_not_found` for a deleted one. */
export const tenantNameOf = async ({ systemQueries, settings }: HttpDeps, teamId: TeamId): Promise<string> => {
  const tenant = tenantOfTeam(teamId);
  if (tenant.kind === 'administration') return settings.productName;
  if (tenant.kind === 'customer') {
    return found(await systemQueries.customers.get(tenant.customerId), 'invitation_not_found').customer.name;
  }
  const integrator = await systemQueries.integrators.get(tenant.integratorId);
  return found(integrator, 'invitation_not_found').serviceIntegrator.companyName;
};

/** A name for the guesses of one member's own secrets, whatever address they come from. */
export const bucketOf = (userId: UserId): string => `member:${userId}`;

/** A member who has joined; null if there is none. */
export const loadMember = async ({ commands }: HttpDeps, teamId: TeamId, userId: UserId): Promise<FoundMember | null> => {
  const { state: team } = await commands.teams.load(teamId);
  const member = team.members.get(userId);
  return member?.status === 'joined' ? { teamId, team, member } : null;
};

/** Whether a member may still sign in: a removal, another role, password or identity, or the passkey's removal is either found here or ends the session. */
const isCurrent = async (deps: HttpDeps, { teamId, member, passkeyId }: FoundMember): Promise<boolean> => {
  const now = await loadMember(deps, teamId, member.userId);
  if (now === null || now.member.role !== member.role) return false;
  if (now.member.passwordHash !== member.passwordHash || now.member.subject !== member.subject) return false;
  return passkeyId === undefined || now.member.passkeys.some((passkey) => passkey.passkeyId === passkeyId);
};

/** Why a service integrator and its members may not sign in: `unknown` for a deleted one. Null where they may. */
export const integratorRefusal = async (
  { commands }: HttpDeps,
  integratorId: IntegratorId,
  unknown: ProblemCode,
): Promise<ProblemCode | null> => {
  const { state } = await commands.integrators.load(integratorId);
  switch (state.status) {
    case 'active':
      return null;
    case 'suspended':
      return 'integrator_suspended';
    case 'churned':
      return 'integrator_closed';
    default:
      return unknown;
  }
};

type MemberSession = Readonly<{ owner: Extract<SessionOwner, { kind: 'admin' | 'integrator' | 'customer' }>; role: Role }>;

/** The session that a member may have now. The role of a customer's member is that of the portal user. Throws where there is none. */
const sessionOfMember = async (deps: HttpDeps, { teamId, member: { userId, role } }: FoundMember): Promise<MemberSession> => {
  const tenant = tenantOfTeam(teamId);
  switch (tenant.kind) {
    case 'administration':
      return { owner: { kind: 'admin', userId }, role };
    case 'integrator': {
      const refusal = await integratorRefusal(deps, tenant.integratorId, 'wrong_email_or_password');
      if (refusal) throw new HttpProblem(refusal);
      return { owner: { kind: 'integrator', integratorId: tenant.integratorId, userId }, role };
    }
    case 'customer': {
      const { customerId } = tenant;
      const user = portalMemberOf((await deps.commands.customers.load(customerId)).state, userId);
      return { owner: { kind: 'customer', customerId, integratorId: user.integratorId, userId }, role: user.role };
    }
  }
};

/** Opens the session of a member whose proof of `method` was right. Throws where the member or the tenant may not sign in. */
export const completeMemberSignIn = async (
  deps: HttpDeps,
  request: FastifyRequest,
  found: FoundMember,
  method: SignInMethod,
): Promise<{ token: string; session: Session }> => {
  nameMember(request, found);
  const { owner, role } = await sessionOfMember(deps, found);
  const check = async (): Promise<void> => {
    const now = await sessionOfMember(deps, found);
    if (now.role !== role || !(await isCurrent(deps, found))) throw new HttpProblem('wrong_email_or_password');
    await noticePlace(deps, request, { teamId: found.teamId, userId: found.member.userId });
  };
  const signedIn = await completeSignIn(deps, request, { owner, role, method, check });
  // The reply leaves out what the role may not see.
  request.session = signedIn.session;
  return signedIn;
};

/** Evaluates the own password again, before a change of what signs in. Throws `wrong_own_password`. */
export const confirmMember = async (
  deps: HttpDeps,
  request: FastifyRequest,
  teamId: TeamId,
  userId: UserId,
  password: string,
): Promise<FoundMember> =>
  evaluateGuess(request, deps, {
    bucket: bucketOf(userId),
    evaluate: async () => {
      const found = await loadMember(deps, teamId, userId);
      const isRight = await deps.passwords.verify(found?.member.passwordHash ?? null, password, networksOf(request.ip).address);
      return found && isRight ? right(found) : wrong('wrong_own_password');
    },
  });

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** The member whom the token of an invitation is for. Throws `invitation_not_found` and `invitation_expired`. */
export const evaluateInvitation = async (deps: HttpDeps, request: FastifyRequest, token: string): Promise<FoundMember> =>
  evaluateGuess(request, deps, {
    evaluate: async () => {
      const [invitationId = '', secret = ''] = token.split('.');
      const membership = await deps.systemQueries.team.byInvitation(invitationId as InvitationId);
      if (!membership) return wrong('invitation_not_found');
      const { state: team } = await deps.commands.teams.load(membership.teamId);
      const member = team.members.get(membership.userId);
      const invitation = member?.invitation;
      if (!member || invitation?.invitationId !== invitationId) return wrong('invitation_not_found');
      if (!isSame(invitation.tokenHash, invitationHash(secret))) return wrong('invitation_not_found');
      if (deps.now() >= Date.parse(invitation.expiresAt)) throw new HttpProblem('invitation_expired');
      return right({ teamId: membership.teamId, team, member });
    },
  });
