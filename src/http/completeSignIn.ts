import type { FastifyRequest } from 'fastify';
import type { Role } from '../domain/permissions.ts';
import type { SignInMethod } from '../domain/signIns/methods.ts';
import { clientAddressOf } from '../security/clientNetworks.ts';
import type { Session, SessionClient, SessionOwner } from '../security/session.ts';
import type { HttpDeps } from './deps.ts';
import { teamOf } from './principal.ts';
import { browserOf } from './requests/browser.ts';
import { tokenOf } from './requests/guard.ts';

/** What a request says about its client. */
const clientOf = (request: FastifyRequest): SessionClient => ({
  address: clientAddressOf(request.ip),
  browser: browserOf(request.headers['user-agent']),
});

/**
 * Ends the session of a browser that signs in to the same tenant again: the new token replaces the only copy of the former one. Another
 * window that shows another tenant continues with the new session, as it does when that one is stored. Tools send no token.
 */
const endReplaced = async (
  { sessions }: Pick<HttpDeps, 'sessions'>,
  request: FastifyRequest,
  owner: SessionOwner,
): Promise<void> => {
  if (owner.kind === 'cli') return;
  const token = tokenOf(request, owner.kind);
  const replaced = token === null ? null : await sessions.resolve(token);
  if (!replaced?.found) return;
  const { hash, owner: former } = replaced.session;
  if (former.kind === owner.kind && teamOf(former) === teamOf(owner)) await sessions.end({ hash }, 'signed_out');
};

/**
 * The end of every sign-in: opens a new session, then checks on the write side that its owner may have it. A change since the evaluation
 * of the key or password is either found by the check or ends the session. Where `check` throws, the session ends and the error is thrown.
 * Events that `check` appends name the session.
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
  request.openedSession = session;
  const checked = await check().catch(async (error: unknown) => {
    await sessions.end({ hash: session.hash }, 'signed_out');
    throw error;
  });
  await endReplaced({ sessions }, request, owner);
  return { token, session, checked };
};
