import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReauthenticateBody } from '../contracts/sessions.ts';
import { isRegistered } from '../domain/customer/state.ts';
import { networksOf } from '../security/clientNetworks.ts';
import type { SessionOwner } from '../security/session.ts';
import type { HttpDeps, Settle } from './deps.ts';
import { evaluateGuess, right, wrong } from './guesses.ts';
import { confirmSecondFactor } from './memberPassword.ts';
import { confirmMember, type FoundMember, loadMember } from './memberSignIn.ts';
import { finishOpenIdProof } from './openIdSignIn.ts';
import { confirmChange } from './passkeys.ts';
import { teamOf } from './principal.ts';
import { HttpProblem } from './problems/problems.ts';
import { found } from './replies.ts';
import type { Origins } from './requests/origins.ts';

/** The owner of a session of the console. */
export type ConsoleOwner = Exclude<SessionOwner, { kind: 'cli' }>;
type Deps = HttpDeps & Readonly<{ origins: Origins }>;
type Method = ReauthenticateBody['method'];
type BodyOf<M extends Method> = Extract<ReauthenticateBody, { method: M }>;

/** What a session can authenticate again with, and whether a code is part of it. */
export type Proofs = Readonly<{ methods: readonly Method[]; codeRequired: boolean }>;

const memberOf = async (deps: HttpDeps, owner: ConsoleOwner): Promise<FoundMember | null> =>
  owner.userId === undefined ? null : loadMember(deps, teamOf(owner), owner.userId);

/** The named user of a session. Throws `proof_unavailable` where a key signed in. */
export const memberOfSession = async (deps: HttpDeps, owner: ConsoleOwner): Promise<FoundMember> =>
  found(await memberOf(deps, owner), 'proof_unavailable');

const stateOfCustomer = async ({ commands }: HttpDeps, { customerId }: Extract<ConsoleOwner, { kind: 'customer' }>) => {
  const { state } = await commands.customers.load(customerId);
  if (!isRegistered(state)) throw new HttpProblem('session_required');
  return state;
};

/** What signs in a named user, on the host of the request. */
const proofsOfMember = ({ origins }: Deps, request: FastifyRequest, { member, team }: FoundMember): Proofs => {
  const host = origins.siteOf(request)?.host;
  const methods: Method[] = [
    ...(member.passkeys.some((passkey) => passkey.host === host) ? (['passkey'] as const) : []),
    ...(member.passwordHash === null ? [] : (['password'] as const)),
    ...(member.subject === null || team.provider === null ? [] : (['openid'] as const)),
  ];
  return { methods, codeRequired: member.passwordHash !== null && member.secondFactor !== null };
};

/** API tokens prove nothing and are not asked. Named users prove it by what signs them in, others by the key, and customers with a portal password by that. */
export const proofsOf = async (deps: Deps, request: FastifyRequest, owner: ConsoleOwner): Promise<Proofs> => {
  if (owner.tokenId !== undefined) return { methods: [], codeRequired: false };
  if (owner.userId !== undefined) {
    const member = await memberOf(deps, owner);
    return member ? proofsOfMember(deps, request, member) : { methods: [], codeRequired: false };
  }
  if (owner.kind !== 'customer') return { methods: ['key'], codeRequired: false };
  const { passwordHash } = await stateOfCustomer(deps, owner);
  return { methods: [passwordHash === null ? 'key' : 'portal_password'], codeRequired: false };
};

/** Compares a key of the tenant with the one that signs in now. */
const proveKey = async (deps: HttpDeps, request: FastifyRequest, owner: ConsoleOwner, { key }: BodyOf<'key'>): Promise<void> => {
  const isEqual = (valid: string): boolean => deps.keys.digest(valid).compare(deps.keys.digest(key)) === 0;
  switch (owner.kind) {
    case 'admin':
      await evaluateGuess(request, deps, {
        kind: 'admin',
        evaluate: async () => {
          const isRight = await deps.verifyAdminKey(key, networksOf(request.ip).address);
          return isRight ? right(true) : wrong('wrong_admin_key');
        },
      });
      return;
    case 'integrator':
      await evaluateGuess(request, deps, {
        evaluate: async () => {
          const { state } = await deps.commands.integrators.load(owner.integratorId);
          const isRight = 'masterLicenseKey' in state && isEqual(state.masterLicenseKey);
          return isRight ? right(true) : wrong('unknown_master_license_key');
        },
      });
      return;
    case 'customer': {
      const { licenseKey } = await stateOfCustomer(deps, owner);
      await evaluateGuess(request, deps, {
        evaluate: async () => (isEqual(licenseKey) ? right(true) : wrong('unknown_license_key')),
      });
    }
  }
};

/** One budget for each customer, shared with the change of its password. */
const provePortalPassword = async (
  deps: HttpDeps,
  request: FastifyRequest,
  owner: ConsoleOwner,
  { password }: BodyOf<'portal_password'>,
): Promise<void> => {
  if (owner.kind !== 'customer') throw new HttpProblem('proof_unavailable');
  const { customerId } = owner;
  const { passwordHash } = await stateOfCustomer(deps, owner);
  await evaluateGuess(request, deps, {
    kind: 'password',
    bucket: `password:${customerId}`,
    evaluate: async () =>
      (await deps.passwords.verify(passwordHash, password, customerId)) ? right(true) : wrong('wrong_own_password'),
  });
};

const provePassword = async (
  deps: HttpDeps,
  request: FastifyRequest,
  owner: ConsoleOwner,
  { password, code }: BodyOf<'password'>,
): Promise<void> => {
  const { teamId, member } = await memberOfSession(deps, owner);
  const confirmed = await confirmMember(deps, request, teamId, member.userId, password);
  await confirmSecondFactor(deps, request, confirmed, code);
};

const provePasskey = async (deps: Deps, request: FastifyRequest, owner: ConsoleOwner, { assertion }: BodyOf<'passkey'>) => {
  const { teamId, member } = await memberOfSession(deps, owner);
  await confirmChange(deps, request, { teamId, userId: member.userId }, { assertion });
};

/** Checks what a session authenticates again with. Throws the problem of a wrong proof, and `proof_unavailable` for another one. */
export const prove = async (
  deps: Deps & { settle: Settle },
  request: FastifyRequest,
  reply: FastifyReply,
  owner: ConsoleOwner,
  body: ReauthenticateBody,
): Promise<void> => {
  const { methods } = await proofsOf(deps, request, owner);
  if (!methods.includes(body.method)) throw new HttpProblem('proof_unavailable');
  switch (body.method) {
    case 'key':
      return proveKey(deps, request, owner, body);
    case 'portal_password':
      return provePortalPassword(deps, request, owner, body);
    case 'password':
      return provePassword(deps, request, owner, body);
    case 'passkey':
      return provePasskey(deps, request, owner, body);
    case 'openid': {
      const session = found(request.session, 'session_required').hash;
      const returning = { session, returned: body.returned };
      return finishOpenIdProof(deps, request, reply, await memberOfSession(deps, owner), returning);
    }
  }
};
