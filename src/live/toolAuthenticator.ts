import { CLOSE, hello } from '../contracts/cli.ts';
import { connectionId } from '../contracts/fields.ts';
import type { Actor } from '../domain/event.ts';
import type { HttpDeps } from '../http/deps.ts';
import { actorOf } from '../http/principal.ts';
import { HttpProblem } from '../http/problems/problems.ts';
import { locatedActor } from '../http/requests/meta.ts';
import type { ToolSession } from '../http/tool.ts';
import type { Session } from '../security/session.ts';
import { describeTools } from './describeTools.ts';
import type { FloatingSeats } from './floatingSeats.ts';
import type { Connection } from './leases.ts';
import { codeOf, revocations } from './revocations.ts';
import { ENDED } from './toolSocket.ts';

/** The result of a tool's first frame. `userMessage` is shown by the tool; null where its user cannot act on it. */
export type Authentication =
  | Readonly<{
      accepted: true;
      session: Session;
      connection: Connection;
      /** The user, with the session and the address of the tool. */
      actor: Actor;
      described: ToolSession;
      isStillValid: () => Promise<boolean>;
    }>
  | Readonly<{ accepted: false; code: number; reason: string; userMessage: string | null }>;

const parsed = (data: Buffer): unknown => {
  try {
    return JSON.parse(data.toString('utf8'));
  } catch {
    return null;
  }
};

/** Authenticates a tool at an address by its hello frame, and loads what its welcome frame contains. Throws `HttpProblem`. */
export const createToolAuthenticator = (
  deps: Pick<HttpDeps, 'sessions' | 'systemQueries' | 'commands' | 'seatUses' | 'now'> & { floatingSeats: FloatingSeats },
) => {
  const { sessions } = deps;
  const describe = describeTools(deps);
  return async (data: Buffer, ip: string): Promise<Authentication> => {
    const frame = hello.safeParse(parsed(data));
    if (!frame.success)
      return { accepted: false, code: ENDED.protocolError, reason: 'The first frame must be hello', userMessage: null };
    const { token } = frame.data;
    const resolved = await sessions.resolve(token);
    if (!resolved.found || resolved.session.owner.kind !== 'cli') {
      const { ended } = resolved.found ? { ended: null } : resolved;
      return {
        accepted: false,
        code: ended ? codeOf(ended) : CLOSE.noSession,
        reason: 'session_required',
        userMessage: ended ? revocations[ended] : 'Please sign in',
      };
    }
    const { session } = resolved;
    const { userId, customerId } = resolved.session.owner;
    const actor = locatedActor(actorOf(session.owner), session, ip);
    const described = await describe({ userId, customerId });
    // The session stays: with it the tool sends the calls that it recorded before the end.
    if (described.term?.state === 'expired') throw new HttpProblem('license_expired');
    if (described.seat.floating) await deps.floatingSeats.take({ userId, customerId }, actor);
    return {
      accepted: true,
      session,
      connection: { connectionId: connectionId.parse(frame.data.connectionId), userId, customerId },
      actor,
      described,
      // Served from the cache of sessions, which forgets a session when it ends.
      isStillValid: async () => (await sessions.resolve(token)).found,
    };
  };
};
