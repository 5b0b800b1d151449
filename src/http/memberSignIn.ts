import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { MemberLoginBody } from '../contracts/team.ts';
import type { IntegratorId, InvitationId, PasskeyId, TeamId, UserId } from '../domain/ids.ts';
import type { Role, TenantKind } from '../domain/permissions.ts';
import type { SignInMethod } from '../domain/signIns/methods.ts';
import type { Member, Team } from '../domain/team/evolve.ts';
import { tenantOfTeam } from '../domain/team/teamId.ts';
import { networksOf } from '../security/clientNetworks.ts';
import { invitationHash } from '../security/invitations.ts';
import type { Session, SessionOwner } from '../security/session.ts';
import type { GuessKind } from '../security/signInPermits.ts';
import { SignInsBusy } from '../security/signInTurns.ts';
import { completeSignIn } from './completeSignIn.ts';

import type { HttpDeps } from './deps.ts';
import { noticePlace, noticeWrongCode } from './notices.ts';
import { portalMemberOf } from './portalMembers.ts';
import { actorOfTenant } from './principal.ts';
import { HttpProblem, type ProblemCode } from './problems/problems.ts';
import { browserOf } from './requests/browser.ts';
import { metaOf } from './requests/meta.ts';
import { nameAccount } from './requests/signIns.ts';
import { type Evaluation, evaluateGuess, right, tooMany, wrong } from './routes/signIn.ts';

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

/** A name for the guesses of one member's own secrets, whatever address they come from. */
export const bucketOf = (userId: UserId): string => `member:${userId}`;

/** A member who has joined; null if there is none. */
export const loadMember = async ({ commands }: HttpDeps, teamId: TeamId, userId: UserId): Promise<FoundMember | null> => {
  const { state: team } = await commands.teams.load(teamId);
  const member = team.members.get(userId);
  return member?.status === 'joined' ? { teamId, team, member } : null;
};

/** Members with the same address are of different tenants: the first whose password it is signs in. */
const evaluatePassword = async (
  deps: HttpDeps,
  request: FastifyRequest,
  kind: TenantKind,
  { email, password }: MemberLoginBody,
): Promise<Evaluation<FoundMember>> => {
  const source = networksOf(request.ip).address;
  const places = await deps.systemQueries.team.byEmail(email, kind);
  const candidates = await Promise.all(places.map(({ teamId, userId }) => loadMember(deps, teamId, userId)));
  const members = candidates.filter((candidate) => candidate !== null);
  // An unknown address takes as long as a known one.
  if (members.length === 0) await deps.passwords.verify(null, password, source);
  // Where several tenants have the address, only the right password says which one is meant.
  if (members.length === 1 && members[0]) nameMember(request, members[0]);
  for (const found of members) {
    if (!(await deps.passwords.verify(found.member.passwordHash, password, source))) continue;
    nameMember(request, found);
    return right(found);
  }
  return wrong('wrong_email_or_password');
};

/** Whether a code is the member's one-time password of now, or a recovery code; either is used up. */
const useCode = async (
  deps: HttpDeps,
  request: FastifyRequest,
  { teamId, member }: FoundMember,
  code: string,
): Promise<boolean> => {
  const { userId, secondFactor } = member;
  if (secondFactor === null) return true;
  if (await deps.oneTimePasswords.use(userId, secondFactor, code)) return true;
  const recoveryCodeHash = deps.oneTimePasswords.hashOf(code);
  if (!member.recoveryCodeHashes.includes(recoveryCodeHash)) return false;
  const meta = metaOf(request, actorOfTenant(tenantOfTeam(teamId), userId));
  const outcome = await deps.commands.teams.handle({
    type: 'UseRecoveryCode',
    data: { teamId, userId, recoveryCodeHash },
    meta,
  });
  return outcome.accepted;
};

/** Uses up the code of a member who has a second factor; others need none. Throws `code_required`, `wrong_code` and `passkey_required`. */
export const confirmSecondFactor = async (
  deps: HttpDeps,
  request: FastifyRequest,
  found: FoundMember,
  code: string | undefined,
  kind: GuessKind = 'key',
): Promise<FoundMember> => {
  if (found.member.secondFactor === null) {
    // The policy counts a passkey as second factor, which the password alone is not.
    if (found.team.policy.secondFactorRequired) throw new HttpProblem('passkey_required');
    return found;
  }
  if (code === undefined) throw new HttpProblem('code_required');
  return evaluateGuess(request, deps, {
    kind,
    bucket: bucketOf(found.member.userId),
    evaluate: async () => ((await useCode(deps, request, found, code)) ? right(found) : wrong('wrong_code')),
  }).catch(async (error: unknown) => {
    // Not while the guess is evaluated: a failure there would give its permit back.
    const isWrong = error instanceof HttpProblem && error.code === 'wrong_code';
    if (isWrong) await noticeWrongCode(deps, request, { teamId: found.teamId, userId: found.member.userId });
    throw error;
  });
};

/** Evaluates a guess of one account's password, in turn where the account has many wrong ones, and counts it if it is wrong. */
const guessPassword = async <T>(
  { accountGuesses, memberPlaces, systemQueries }: HttpDeps,
  request: FastifyRequest,
  kind: TenantKind,
  email: string,
  evaluate: () => Promise<T>,
): Promise<T> => {
  const { address } = networksOf(request.ip);
  const isKnownPlace = async (): Promise<boolean> => {
    const places = await systemQueries.team.byEmail(email, kind);
    const userIds = places.map(({ userId }) => userId);
    return memberPlaces.isKnown(userIds, browserOf(request.headers['user-agent']), address);
  };
  try {
    return await accountGuesses.run({ kind, email, address, isKnownPlace }, evaluate);
  } catch (error) {
    if (error instanceof SignInsBusy) throw tooMany({ granted: false, retryAfter: 1 });
    if (error instanceof HttpProblem && error.code === 'wrong_email_or_password') await accountGuesses.failed({ kind, email });
    throw error;
  }
};

/** The member of a kind of tenant whose email address, password and code these are. Throws problems. */
export const signInMember = async (
  deps: HttpDeps,
  request: FastifyRequest,
  kind: TenantKind,
  body: MemberLoginBody,
): Promise<FoundMember> => {
  const guess = kind === 'administration' ? 'admin' : 'key';
  const found = await guessPassword(deps, request, kind, body.email, () =>
    evaluateGuess(request, deps, { kind: guess, evaluate: () => evaluatePassword(deps, request, kind, body) }),
  );
  return confirmSecondFactor(deps, request, found, body.code, guess);
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
      const place = await deps.systemQueries.team.byInvitation(invitationId as InvitationId);
      if (!place) return wrong('invitation_not_found');
      const { state: team } = await deps.commands.teams.load(place.teamId);
      const member = team.members.get(place.userId);
      const invitation = member?.invitation;
      if (!member || invitation?.invitationId !== invitationId) return wrong('invitation_not_found');
      if (!isSame(invitation.tokenHash, invitationHash(secret))) return wrong('invitation_not_found');
      if (deps.now() >= Date.parse(invitation.expiresAt)) throw new HttpProblem('invitation_expired');
      return right({ teamId: place.teamId, team, member });
    },
  });
