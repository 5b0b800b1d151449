import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FinishOpenIdBody } from '../contracts/identityProvider.ts';
import type { TeamId, UserId } from '../domain/ids.ts';
import { MAX_NAME, MAX_OPENID_SIGN_INS } from '../domain/limits.ts';
import type { TenantKind } from '../domain/permissions.ts';
import type { AdmitIdentity } from '../domain/team/commands.ts';
import type { IdentityProvider } from '../domain/team/evolve.ts';
import { isSecondFactor, memberOfIdentity } from '../domain/team/identity.ts';
import { tenantKindOf, tenantOfTeam } from '../domain/team/teamId.ts';
import type { Identity } from '../outbound/openIdIdentity.ts';
import type { OpenIdState } from '../security/openIdStates.ts';
import { sha256Of } from '../security/sha256.ts';
import type { HttpDeps, Settle } from './deps.ts';
import { type Evaluation, evaluateGuess, right, wrong } from './guesses.ts';
import { bucketOf, type FoundMember } from './memberSignIn.ts';
import { preparePortalUser } from './openIdPortalUsers.ts';
import { actorOfTenant } from './principal.ts';
import { HttpProblem } from './problems/problems.ts';
import { accepted } from './replies.ts';
import { metaOf, newIdFor } from './requests/meta.ts';
import type { Origins } from './requests/origins.ts';

type Deps = HttpDeps & { origins: Origins; settle: Settle };

/** The sign-in screens, to which identity providers send browsers back. */
const RETURN_PATH: Record<TenantKind, string> = {
  administration: '/admin/login',
  integrator: '/service-integrator/login',
  customer: '/portal/login',
};

const guessOf = (kind: TenantKind) => (kind === 'administration' ? 'admin' : 'key');

/** The redirect address of the tenants of a kind, on the host that the request is for. */
export const redirectUriOf = (origins: Origins, request: FastifyRequest, kind: TenantKind): string =>
  `${origins.ownOriginOf(request)}${RETURN_PATH[kind]}`;

/** Cookies with such a name are sent to no other host and, by browsers, not without TLS. */
const cookiePrefix = (isTls: boolean): string => (isTls ? '__Host-latchkey_openid_' : 'latchkey_openid_');

/** Each sign-in of a browser has its own cookie, so that one in another tab does not end it. */
const cookieName = (isTls: boolean, state: string): string => `${cookiePrefix(isTls)}${sha256Of(state).slice(0, 16)}`;

/** The screen itself sends the cookie, after the browser came back, so it may be as strict as that of the session. */
const cookieOptions = (secure: boolean) => ({ path: '/', httpOnly: true, sameSite: 'strict', secure }) as const;

const OTHER_USER = 'You signed in to the identity provider with another account. Confirm with the account of this session.';

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** The provider of a team if it names the domain and the domain is verified; null otherwise. */
const providerOf = async (
  { commands, emailDomains }: HttpDeps,
  kind: TenantKind,
  domain: string,
): Promise<{ teamId: TeamId; provider: IdentityProvider } | null> => {
  const teamId = await emailDomains.holderOf(kind, domain);
  if (teamId === null) return null;
  const { provider } = (await commands.teams.load(teamId)).state;
  return provider?.domains.includes(domain) ? { teamId, provider } : null;
};

/** Starts a sign-in: returns the address at the identity provider of the email address, and gives the browser its state. Throws problems. */
export const beginOpenIdSignIn = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  kind: TenantKind,
  email: string,
): Promise<string> => {
  const { teamId, provider } = await evaluateGuess(request, deps, {
    kind: guessOf(kind),
    evaluate: async () => {
      const found = await providerOf(deps, kind, domainOf(email));
      return found ? right(found) : wrong('openid_domain_unknown');
    },
  });
  return start(deps, request, reply, { teamId, provider, email, session: null });
};

type Start = Readonly<{ teamId: TeamId; provider: IdentityProvider; email: string; session: string | null }>;

const start = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { teamId, provider, email, session }: Start,
): Promise<string> => {
  const redirectUri = redirectUriOf(deps.origins, request, tenantKindOf(teamId));
  const { state, sealed } = deps.openIdStates.begin({ teamId, providerId: provider.providerId, redirectUri, session });
  const begun = await deps.openId.begin(provider, state, email);
  if (!begun.ok) throw new HttpProblem('openid_failed', { text: begun.detail });
  const secure = deps.origins.isTls(request);
  const others = Object.keys(request.cookies).filter((name) => name.startsWith(cookiePrefix(secure)));
  if (others.length >= MAX_OPENID_SIGN_INS) for (const name of others) reply.clearCookie(name, cookieOptions(secure));
  reply.setCookie(cookieName(secure, state.state), sealed, { ...cookieOptions(secure), expires: new Date(state.expiresAt) });
  return begun.value;
};

type Expected = Readonly<{ kind: TenantKind; session: string | null }>;

/** The state of this browser's sign-in, used up. Null where it is another one's, of another kind of tenant, used or expired. */
const usedState = async (
  deps: Deps,
  request: FastifyRequest,
  expected: Expected,
  returned: string,
): Promise<OpenIdState | null> => {
  const sealed = request.cookies[cookieName(deps.origins.isTls(request), returned)];
  const state = sealed === undefined ? null : deps.openIdStates.open(sealed);
  if (state === null || state.state !== returned || state.session !== expected.session) return null;
  if (tenantKindOf(state.teamId) !== expected.kind) return null;
  return (await deps.openIdStates.use(state)) ? state : null;
};

const currentProvider = async ({ commands }: HttpDeps, { teamId, providerId }: OpenIdState): Promise<IdentityProvider | null> => {
  const { provider } = (await commands.teams.load(teamId)).state;
  return provider?.providerId === providerId ? provider : null;
};

type Returned = Readonly<{ teamId: TeamId; provider: IdentityProvider; identity: Identity }>;

const evaluateReturn = async (
  deps: Deps,
  request: FastifyRequest,
  expected: Expected,
  { state: returned, ...parameters }: FinishOpenIdBody,
): Promise<Evaluation<Returned>> => {
  const state = await usedState(deps, request, expected, returned);
  const provider = state && (await currentProvider(deps, state));
  if (!state || !provider) return wrong('openid_state_invalid');
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const finished = await deps.openId.finish(provider, state, { ...Object.fromEntries(given), state: returned });
  if (!finished.ok) throw new HttpProblem('openid_failed', { text: finished.detail });
  return right({ teamId: state.teamId, provider, identity: finished.value });
};

/** Links the user, lets a new one join and changes the role, as the team decides. */
const admit = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { teamId, provider, identity }: Returned,
): Promise<FoundMember> => {
  const { commands } = deps;
  const { subject, email, name, hasSecondFactor } = identity;
  const tenant = tenantOfTeam(teamId);
  const { state: before } = await commands.teams.load(teamId);
  const newUserId = newIdFor(request, 'member') as UserId;
  const userId = memberOfIdentity(before, identity)?.userId ?? newUserId;
  const admission: AdmitIdentity = {
    type: 'AdmitIdentity',
    data: {
      teamId,
      userId: newUserId,
      providerId: provider.providerId,
      subject,
      email,
      name: name.slice(0, MAX_NAME),
      claimValues: provider.roleClaim === null ? [] : identity.valuesOf(provider.roleClaim),
      hasSecondFactor,
      portalUser: null,
    },
    meta: metaOf(request, actorOfTenant(tenant, userId)),
  };
  const changes = tenant.kind === 'customer' ? await preparePortalUser(deps, reply, tenant.customerId, admission) : [admission];
  const { state: team, position } = accepted(await commands.teams.handle(changes));
  await deps.settle(reply, position);
  const member = team.members.find((one) => one.subject === subject);
  if (!member) throw new Error('The user of the identity provider was admitted, but is no member');
  return { teamId, team, member };
};

const forget = ({ origins }: Deps, request: FastifyRequest, reply: FastifyReply, { state }: FinishOpenIdBody): void => {
  const secure = origins.isTls(request);
  reply.clearCookie(cookieName(secure, state), cookieOptions(secure));
};

/** Starts that the user of a session authenticates again at the identity provider; returns the address there. Throws `proof_unavailable`. */
export const beginOpenIdProof = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { teamId, team, member }: FoundMember,
  session: string,
): Promise<string> => {
  const { provider } = team;
  if (provider === null || member.subject === null) throw new HttpProblem('proof_unavailable');
  return start(deps, request, reply, { teamId, provider, email: member.email, session });
};

/** Checks that the user of a session has just authenticated at the identity provider. Throws `identity_of_other` for another user. */
export const finishOpenIdProof = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { teamId, team, member }: FoundMember,
  { session, returned }: { session: string; returned: FinishOpenIdBody },
): Promise<void> => {
  forget(deps, request, reply, returned);
  const { identity, provider } = await evaluateGuess(request, deps, {
    bucket: bucketOf(member.userId),
    evaluate: () => evaluateReturn(deps, request, { kind: tenantKindOf(teamId), session }, returned),
  });
  if (identity.subject !== member.subject) throw new HttpProblem('identity_of_other', { text: OTHER_USER });
  if (team.policy.secondFactorRequired && !isSecondFactor(provider, identity.hasSecondFactor)) {
    throw new HttpProblem('identity_without_second_factor');
  }
};

/** The member whom the parameters of the redirect sign in. Throws problems, of which the screen shows the text. */
export const finishOpenIdSignIn = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  kind: TenantKind,
  body: FinishOpenIdBody,
): Promise<FoundMember> => {
  forget(deps, request, reply, body);
  const returned = await evaluateGuess(request, deps, {
    kind: guessOf(kind),
    evaluate: () => evaluateReturn(deps, request, { kind, session: null }, body),
  });
  const { teamId, identity } = returned;
  if (identity.email === '' || !identity.isEmailVerified) throw new HttpProblem('openid_email_unverified');
  if ((await providerOf(deps, kind, domainOf(identity.email)))?.teamId !== teamId) throw new HttpProblem('openid_domain_foreign');
  return admit(deps, request, reply, returned);
};
