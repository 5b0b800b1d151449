import { CLOSE } from '../../contracts/cli.ts';
import { outOfDate } from '../api/version.ts';
import { type Failure, notSignedIn, refused, unreachable, unreachableAsConfigured } from '../failure.ts';

/** How a connection ended. `left`: by the user. `lost`: it can be reopened. `over`: permanently. */
export type End = Readonly<
  { kind: 'left' } | { kind: 'lost'; failure: Failure; welcomed: boolean; restarting: boolean } | { kind: 'over'; failure: Failure }
>;

/** The code of revoked access, which a frame has reported before. */
export const REVOKED = 'revoked';

/** The failure for a WebSocket handshake that is answered with an HTTP status. */
export const handshakeFailure = (status: number, server: string): Failure => {
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

/** Whether a close code (44xx) is permanent, so that reconnecting is pointless. */
export const isFinal = (code: number): boolean => code >= 4400 && code < 4500;

/** The failure for access that is revoked during a connection. The code says whether a new sign-in helps. */
export const revokedFor = (code: number, reason: string): Failure => {
  const message = `You were signed out: ${reason}`;
  if (code === CLOSE.noSession) return notSignedIn(REVOKED, message);
  return refused(REVOKED, message, { hint: 'Contact the person who manages your license.' });
};

/** No floating seat is free: a later attempt may take one. */
export const NO_SEAT = 'seat_limit_reached';
/** The reasons of close frames after which the session stays: the user has no floating seat, or the license has expired. */
const SIGNED_IN_CODES = [NO_SEAT, 'seat_released', 'license_expired'] as const;

/** The failure of a user who stays signed in; null for another close. `cause` is the reason of the close frame. */
export const signedInFailure = (cause: string, reason: string | null): Failure | null => {
  const code = SIGNED_IN_CODES.find((one) => one === cause);
  return code === undefined || reason === null ? null : refused(code, reason);
};

/** The failure for a permanent close. `reason` is from a preceding frame. */
export const closedFor = (code: number, reason: string | null, server: string): Failure => {
  if (code === CLOSE.noSession) return notSignedIn('session_required', reason ?? 'Your session has ended');
  if (code === CLOSE.forbidden || reason !== null) return refused('forbidden', reason ?? 'This session is not allowed to connect');
  return outOfDate({ server });
};
