import type { FastifyRequest } from 'fastify';
import type { NewPasskey, PasskeyAssertion, PasskeyCreationReply, PasskeyRequestReply } from '../contracts/passkeys.ts';
import { unconfirmed } from '../contracts/team.ts';
import type { PasskeyId, TeamId, UserId } from '../domain/ids.ts';
import { PASSKEY_CHALLENGE_MS } from '../domain/limits.ts';
import type { TenantKind } from '../domain/permissions.ts';
import type { AddPasskey } from '../domain/team/commands.ts';
import type { Member } from '../domain/team/evolve.ts';
import { tenantKindOf } from '../domain/team/teamId.ts';
import type { Ceremony } from '../security/passkeyChallenges.ts';
import { PASSKEY_ALGORITHMS, userHandleOf, userIdOfHandle } from '../security/passkeys.ts';
import type { HttpDeps } from './deps.ts';
import { type Evaluation, evaluateGuess, right, wrong } from './guesses.ts';
import { bucketOf, confirmMember, type FoundMember, loadMember, nameMember } from './memberSignIn.ts';
import { HttpProblem } from './problems/problems.ts';
import { found } from './replies.ts';
import { newIdFor } from './requests/meta.ts';
import type { Origins, Site } from './requests/origins.ts';
import { expectRecent } from './requests/reauthentication.ts';
import { validationProblem } from './requests/validation.ts';

type Deps = HttpDeps & Readonly<{ origins: Origins }>;
/** A ceremony on the site of the request. */
type Purpose = Omit<Ceremony, 'host'>;

const SIGN_IN: Purpose = { purpose: 'sign_in', subject: '' };

/** The site of a request. Throws `passkeys_unavailable`. */
const siteOf = ({ origins }: Deps, request: FastifyRequest): Site => found(origins.siteOf(request), 'passkeys_unavailable');

const descriptorsOf = ({ passkeys }: Pick<Member, 'passkeys'>, { host }: Site) =>
  passkeys
    .filter((passkey) => passkey.host === host)
    .map(({ credentialId, transports }) => ({ type: 'public-key' as const, id: credentialId, transports: [...transports] }));

/** What a browser needs to use a passkey: any one for a sign-in, one of the member's own otherwise. */
const requestOptions = (deps: Deps, request: FastifyRequest, purpose: Purpose, member: Pick<Member, 'passkeys'>) => {
  const site = siteOf(deps, request);
  return {
    challenge: deps.passkeys.newChallenge({ ...purpose, host: site.host }),
    rpId: site.host,
    timeout: PASSKEY_CHALLENGE_MS,
    userVerification: 'required' as const,
    allowCredentials: descriptorsOf(member, site),
  } satisfies PasskeyRequestReply['options'];
};

/** Options for a sign-in, which are the same for each client. */
export const signInOptions = (deps: Deps, request: FastifyRequest): PasskeyRequestReply['options'] =>
  requestOptions(deps, request, SIGN_IN, { passkeys: [] });

/** Options to confirm a change of the session's own sign-in. */
export const confirmOptions = (deps: Deps, request: FastifyRequest, member: Member): PasskeyRequestReply['options'] =>
  requestOptions(deps, request, confirmation(request), member);

/** What a browser needs to create a passkey of a member. */
export const creationOptions = (
  deps: Deps,
  request: FastifyRequest,
  purpose: Purpose,
  member: Member,
): PasskeyCreationReply['options'] => {
  const site = siteOf(deps, request);
  return {
    challenge: deps.passkeys.newChallenge({ ...purpose, host: site.host }),
    rp: { id: site.host, name: deps.settings.productName },
    user: { id: userHandleOf(member.userId), name: member.email, displayName: member.name },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: PASSKEY_CHALLENGE_MS,
    excludeCredentials: descriptorsOf(member, site),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  };
};

const sessionOf = (request: FastifyRequest): string => found(request.session, 'session_required').hash;
const confirmation = (request: FastifyRequest): Purpose => ({ purpose: 'confirm', subject: sessionOf(request) });

/** The ceremony in which the member of a session adds a passkey. */
export const additionOf = (request: FastifyRequest): Purpose => ({ purpose: 'add', subject: sessionOf(request) });
/** The ceremony in which an invited member joins. */
export const joiningOf = (invitationId: string): Purpose => ({ purpose: 'join', subject: invitationId });

/** The command that adds a new passkey of a member. Throws `passkey_not_confirmed` and `passkey_expired`. */
export const addition = async (
  deps: Deps,
  request: FastifyRequest,
  purpose: Purpose,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
  { name, registration }: NewPasskey,
): Promise<Omit<AddPasskey, 'meta'>> => {
  const { host, origins } = siteOf(deps, request);
  const created = await deps.passkeys.created(registration, { ...purpose, host, origins });
  if (created === 'expired') throw new HttpProblem('passkey_expired');
  if (created === 'rejected') throw new HttpProblem('passkey_not_confirmed');
  const { credentialId, publicKey, isBackedUp, counter } = created;
  const passkeyId = newIdFor(request, 'passkey') as PasskeyId;
  await deps.passkeys.start(passkeyId, userId, counter);
  const { transports } = registration;
  return {
    type: 'AddPasskey',
    data: { teamId, userId, passkeyId, credentialId, publicKey, name, host, transports, isBackedUp },
  };
};

/** Evaluates whether a passkey of the member signed the assertion. Throws `passkey_expired`, which is no wrong guess. */
const evaluate = async (
  deps: Deps,
  request: FastifyRequest,
  purpose: Purpose,
  assertion: PasskeyAssertion,
  candidate: FoundMember | null,
): Promise<FoundMember | null> => {
  const { host, origins } = siteOf(deps, request);
  const passkey = candidate?.member.passkeys.find(({ credentialId }) => credentialId === assertion.credentialId);
  if (!candidate || !passkey) return null;
  const verdict = await deps.passkeys.use(assertion, passkey, candidate.member.userId, { ...purpose, host, origins });
  if (verdict === 'expired') throw new HttpProblem('passkey_expired');
  return verdict === 'accepted' ? { ...candidate, passkeyId: passkey.passkeyId } : null;
};

/** The member of a kind of tenant whose passkey signed the assertion. Every wrong one gets the same reply. Throws problems. */
export const signInByPasskey = async (
  deps: Deps,
  request: FastifyRequest,
  kind: TenantKind,
  assertion: PasskeyAssertion,
): Promise<FoundMember> =>
  evaluateGuess(request, deps, {
    kind: kind === 'administration' ? 'admin' : 'key',
    evaluate: async (): Promise<Evaluation<FoundMember>> => {
      const userId = userIdOfHandle(assertion.userHandle);
      const membership = userId && (await deps.systemQueries.team.byUserId(userId));
      const isHere = membership !== null && tenantKindOf(membership.teamId) === kind;
      const candidate = isHere ? await loadMember(deps, membership.teamId, membership.userId) : null;
      if (candidate) nameMember(request, candidate);
      const member = await evaluate(deps, request, SIGN_IN, assertion, candidate);
      return member ? right(member) : wrong('wrong_passkey');
    },
  });

/** What confirms a change of the own sign-in: the password, an assertion by an own passkey, or a recent authentication. */
type Confirmation = Readonly<{
  currentPassword?: string | undefined;
  assertion?: PasskeyAssertion | undefined;
  recentAuthentication?: true | undefined;
}>;

/** Confirms a change by a recent authentication, for members who have neither a password nor a passkey on this host. */
const confirmByRecency = async (
  deps: Deps,
  request: FastifyRequest,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
): Promise<FoundMember> => {
  const candidate = found(await loadMember(deps, teamId, userId), 'member_required');
  const host = deps.origins.siteOf(request)?.host;
  const { passwordHash, passkeys } = candidate.member;
  if (passwordHash !== null || passkeys.some((passkey) => passkey.host === host)) {
    throw validationProblem([{ path: unconfirmed.path.join('.'), message: unconfirmed.message }]);
  }
  await expectRecent(deps, found(request.session, 'session_required'));
  return candidate;
};

/** Confirms a change of the own sign-in. Throws `wrong_own_password`, `wrong_own_passkey` or `reauthentication_required`. */
export const confirmChange = async (
  deps: Deps,
  request: FastifyRequest,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
  { currentPassword, assertion, recentAuthentication }: Confirmation,
): Promise<FoundMember> => {
  if (recentAuthentication) return confirmByRecency(deps, request, { teamId, userId });
  if (assertion === undefined) return confirmMember(deps, request, teamId, userId, currentPassword ?? '');
  return evaluateGuess(request, deps, {
    bucket: bucketOf(userId),
    evaluate: async () => {
      const candidate = await loadMember(deps, teamId, userId);
      const member = await evaluate(deps, request, confirmation(request), assertion, candidate);
      return member ? right(member) : wrong('wrong_own_passkey');
    },
  });
};
