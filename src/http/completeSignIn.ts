import type { FastifyRequest } from 'fastify';
import type { SessionKind } from '../database/tables/sessions.ts';
import type { Role } from '../domain/permissions.ts';
import type { SignInMethod } from '../domain/signIns/methods.ts';
import { clientAddressOf } from '../security/clientNetworks.ts';
import type { Session, SessionClient, SessionOwner } from '../security/session.ts';
import type { HttpDeps } from './deps.ts';
import { browserOf } from './requests/browser.ts';
import { tokenOf } from './requests/guard.ts';

/** What a request says about its client. */
const clientOf = (request: FastifyRequest): SessionClient => ({
  address: clientAddressOf(request.ip),
  browser: browserOf(request.headers['user-agent']),
});

/** Ends the session of a browser that signs in again: the new token replaces the only copy of the former one. Tools send none. */
const endReplaced = async ({ sessions }: Pick<HttpDeps, 'sessions'>, request: FastifyRequest, kind: SessionKind): Promise<void> => {
  const token = kind === 'cli' ? null : tokenOf(request, kind);
  const replaced = token === null ? null : await sessions.resolve(token);
  if (replaced?.found && replaced.session.owner.kind === kind) await sessions.end({ hash: replaced.session.hash }, 'signed_out');
};

/**
 * The end of every sign-in: opens a new session, then checks on the write side that its owner may have it. A change since the evaluation
 * of the key or password is either found by the check or ends the session. Where `check` throws, the session ends and the error is thrown.
 */
export const completeSignIn = async <Checked>(
  { sessions }: Pick<HttpDeps, 'sessions'>,
  request: FastifyRequest,
  {
    owner,
    role = null,
    method,
    check,
  }: Readonly<{ owner: SessionOwner; role?: Role | null; method: SignInMethod; check: () => Promise<Checked> }>,
): Promise<{ token: string; session: Session; checked: Checked }> => {
  request.signInMethod = method;
  const { token, session } = await sessions.open(owner, { role, method, client: clientOf(request) });
  const checked = await check().catch(async (error: unknown) => {
    await sessions.end({ hash: session.hash }, 'signed_out');
    throw error;
  });
  await endReplaced({ sessions }, request, owner.kind);
  return { token, session, checked };
};
