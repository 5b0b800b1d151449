import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SignIn, SignInRecorder } from '../../commands/signIns.ts';
import type { CustomerId, IntegratorId, UserId } from '../../domain/ids.ts';
import type { SignInOutcome } from '../../domain/signIns/events.ts';
import type { SignInMethod } from '../../domain/signIns/methods.ts';
import { clientAddressOf, networksOf } from '../../security/clientNetworks.ts';
import { HttpProblem } from '../problems/problems.ts';
import type { Counters } from './metrics.ts';

/** The account of a sign-in's key, as soon as it is known. */
type Account = Readonly<{ customerId?: CustomerId; integratorId?: IntegratorId; userId?: UserId }>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the routes that sign in. */
    signInAccount: Account | null;
    signInProblem: string | null;
    /** How an accepted sign-in was made. */
    signInMethod: SignInMethod | null;
    /** Whether the key signed in while only emergencies allow it. */
    isBreakGlass: boolean;
  }
}

/** Names the account of a sign-in for the record; of a rejected one too, where the key was right. */
export const nameAccount = (request: FastifyRequest, account: Account): void => {
  request.signInAccount = { ...request.signInAccount, ...account };
};

/** Marks a sign-in with the key that only emergencies allow. */
export const markBreakGlass = (request: FastifyRequest): void => {
  request.isBreakGlass = true;
};

const reasonOf = ({ signInProblem, isBreakGlass }: FastifyRequest, outcome: SignInOutcome): string | null => {
  if (outcome !== 'accepted') return signInProblem;
  return isBreakGlass ? 'break_glass' : null;
};

/** Replies that ask for more after a right key: neither accepted nor rejected. */
const UNFINISHED: ReadonlySet<string> = new Set([
  'password_required',
  'tenant_required',
  'code_required',
  'machine_approval_required',
]);

/** What a reply says about a sign-in; null where nothing was decided. */
const outcomeOf = (status: number, problem: string | null): SignInOutcome | null => {
  if (status === 200) return 'accepted';
  if (status === 429) return 'throttled';
  if (problem !== null && UNFINISHED.has(problem)) return null;
  return status === 401 || status === 403 || status === 409 ? 'rejected' : null;
};

/** What a body has that is sent by one method only. The first that it has counts. */
const METHOD_FIELDS: readonly (readonly [field: string, method: SignInMethod])[] = [
  ['assertion', 'passkey'],
  ['deviceCode', 'device_code'],
  ['state', 'openid'],
  ['adminKey', 'key'],
  ['masterLicenseKey', 'key'],
  ['username', 'key'],
  ['email', 'password'],
  ['password', 'portal_password'],
  ['licenseKey', 'key'],
];

/** How a client signed in, or tried to with a body that its contract has accepted; null where that is unknown. */
const methodOf = ({ signInMethod, body }: FastifyRequest): SignInMethod | null => {
  if (signInMethod !== null || typeof body !== 'object' || body === null) return signInMethod;
  return METHOD_FIELDS.find(([field]) => field in body && body[field as keyof typeof body] !== undefined)?.[1] ?? null;
};

const KEY_FIELDS = ['adminKey', 'licenseKey', 'masterLicenseKey'] as const;

/** The key that a sign-in was sent with, of a body that its contract has accepted. */
const keyOf = ({ body }: FastifyRequest): string | null => {
  if (typeof body !== 'object' || body === null) return null;
  for (const [name, value] of Object.entries(body)) {
    if (KEY_FIELDS.some((field) => field === name) && typeof value === 'string') return value;
  }
  return null;
};

/** Counts and records every sign-in of every audience and outcome. `fingerprint` identifies a key without disclosing it. */
export const recordSignIns = (
  app: FastifyInstance,
  { count }: Counters,
  { signIns, fingerprint }: { signIns: Pick<SignInRecorder, 'record'>; fingerprint: (key: string) => string },
): void => {
  app.decorateRequest('signInAccount', null);
  app.decorateRequest('signInProblem', null);
  app.decorateRequest('signInMethod', null);
  app.decorateRequest('isBreakGlass', false);
  app.addHook('onError', (request, _reply, error, done) => {
    if (error instanceof HttpProblem) request.signInProblem = error.code;
    done();
  });
  app.addHook('onResponse', (request, reply, next) => {
    next();
    const { signIn: audience, isSignInCheck } = request.routeOptions.config;
    const outcome = audience === undefined ? null : outcomeOf(reply.statusCode, request.signInProblem);
    if (audience === undefined || outcome === null || (isSignInCheck && outcome === 'accepted')) return;
    count(outcome === 'accepted' ? 'latchkey_sign_ins_accepted_total' : 'latchkey_sign_ins_refused_total');
    if (outcome === 'throttled') count('latchkey_sign_ins_throttled_total');
    const key = keyOf(request);
    const entry: SignIn = {
      audience,
      outcome,
      reason: reasonOf(request, outcome),
      method: methodOf(request),
      address: clientAddressOf(request.ip),
      network: networksOf(request.ip).network,
      customerId: request.signInAccount?.customerId ?? null,
      integratorId: request.signInAccount?.integratorId ?? null,
      userId: request.signInAccount?.userId ?? null,
      fingerprint: key === null ? null : fingerprint(key),
    };
    signIns.record(entry);
  });
};
