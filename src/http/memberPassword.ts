import type { FastifyRequest } from 'fastify';
import type { ChoosableTenant } from '../contracts/replies.ts';
import type { MemberLoginBody } from '../contracts/team.ts';
import { MAX_TEAMS_OF_ADDRESS } from '../domain/limits.ts';
import type { TenantKind } from '../domain/permissions.ts';
import { tenantOfTeam } from '../domain/team/teamId.ts';
import { networksOf } from '../security/clientNetworks.ts';
import type { GuessKind } from '../security/signInPermits.ts';
import { SignInsBusy } from '../security/signInTurns.ts';
import type { HttpDeps } from './deps.ts';
import { type Evaluation, evaluateGuess, right, tooMany, wrong } from './guesses.ts';
import { bucketOf, type FoundMember, loadMember, nameMember, tenantNameOf } from './memberSignIn.ts';
import { noticeWrongCode } from './notices.ts';
import { actorOfTenant } from './principal.ts';
import { HttpProblem } from './problems/problems.ts';
import { browserOf } from './requests/browser.ts';
import { metaOf } from './requests/meta.ts';

/** The id of a member's tenant; the administration, of which there is one, has none. */
const tenantIdOf = ({ teamId }: FoundMember): string | null => {
  const tenant = tenantOfTeam(teamId);
  if (tenant.kind === 'administration') return null;
  return tenant.kind === 'customer' ? tenant.customerId : tenant.integratorId;
};

/** The tenants of members, by name, for a user who has proved to be each of them. */
const choiceOf = async (deps: HttpDeps, members: readonly FoundMember[]): Promise<ChoosableTenant[]> => {
  const tenants = await Promise.all(
    members.map(async (member) => ({ id: tenantIdOf(member) ?? '', name: await tenantNameOf(deps, member.teamId) })),
  );
  return tenants.toSorted((one, other) => one.name.localeCompare(other.name));
};

/**
 * Members with the same address are of different tenants, and only the right password says which one is meant. The same number of hashes
 * is evaluated whatever the address: neither the work nor the time shows in how many tenants it is known. Throws `tenant_required` where
 * the password is that of several members.
 */
const evaluatePassword = async (
  deps: HttpDeps,
  request: FastifyRequest,
  kind: TenantKind,
  { email, password, tenantId }: MemberLoginBody,
): Promise<Evaluation<FoundMember>> => {
  const source = networksOf(request.ip).address;
  const memberships = await deps.systemQueries.team.byEmail(email, kind);
  const candidates = await Promise.all(memberships.map(({ teamId, userId }) => loadMember(deps, teamId, userId)));
  const members = candidates.filter((candidate) => candidate !== null);
  if (members.length === 1 && members[0]) nameMember(request, members[0]);
  const evaluated = Array.from({ length: kind === 'administration' ? 1 : MAX_TEAMS_OF_ADDRESS }, async (_, index) => {
    const found = members[index];
    const isRight = await deps.passwords.verify(found?.member.passwordHash ?? null, password, source);
    return found && isRight ? [found] : [];
  });
  const proved = (await Promise.all(evaluated)).flat();
  const chosen = proved.filter((found) => tenantId === undefined || tenantIdOf(found) === tenantId);
  if (chosen.length > 1) throw new HttpProblem('tenant_required', { tenants: await choiceOf(deps, chosen) });
  const [found] = chosen;
  if (!found) return wrong('wrong_email_or_password');
  nameMember(request, found);
  return right(found);
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
  { accountGuesses, signInLocations, systemQueries }: HttpDeps,
  request: FastifyRequest,
  kind: TenantKind,
  email: string,
  evaluate: () => Promise<T>,
): Promise<T> => {
  const { address } = networksOf(request.ip);
  const isKnownPlace = async (): Promise<boolean> => {
    const memberships = await systemQueries.team.byEmail(email, kind);
    const userIds = memberships.map(({ userId }) => userId);
    return signInLocations.isKnown(userIds, browserOf(request.headers['user-agent']), address);
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
