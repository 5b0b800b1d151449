import { CLOSE } from '../../contracts/cli.ts';
import { outOfDate } from '../api/version.ts';
import { type Failure, notSignedIn, refused, unreachable, unreachableAsConfigured } from '../failure.ts';

/** How a connection ended. `lost`: it may be had again. */
export type End = Readonly<
  { kind: 'left' } | { kind: 'lost'; failure: Failure; welcomed: boolean; restarting: boolean } | { kind: 'over'; failure: Failure }
>;

/** The code of access that was taken away; a frame has said so before. */
export const REVOKED = 'revoked';

/** What an ordinary HTTP answer to the request for a socket means. */
export const answered = (status: number, server: string): Failure => {
  if (status === 426) return outOfDate({ server, status });
  if (status === 401) return notSignedIn('session_required', 'Your session has ended');
  if (status === 403) return refused('forbidden', 'This session is not allowed to connect');
  if (status === 408 || status === 429 || status >= 500)
    return unreachable('unavailable', `${server} replied with status ${status}`, { status });
  const hint = 'Check the address. A proxy may be blocking WebSockets.';
  return unreachableAsConfigured('not_latchkey', `${server} replied with status ${status} instead of opening a connection`, {
    hint,
    status,
  });
};

/** Close codes of 44xx are the server's last word. */
export const isFinal = (code: number): boolean => code >= 4400 && code < 4500;

/** Access that was taken away from somebody who was connected; the code says whether signing in again helps. */
export const revokedFor = (code: number, reason: string): Failure => {
  const message = `You were signed out: ${reason}`;
  if (code === CLOSE.noSession) return notSignedIn(REVOKED, message);
  return refused(REVOKED, message, { hint: 'Contact the person who manages your license.' });
};

/** Why the server closed the socket for good. `told` is what a frame said of it before. */
export const closedFor = (code: number, told: string | null, server: string): Failure => {
  if (code === CLOSE.noSession) return notSignedIn('session_required', told ?? 'Your session has ended');
  if (code === CLOSE.forbidden || told !== null) return refused('forbidden', told ?? 'This session is not allowed to connect');
  return outOfDate({ server });
};
