import { CLOSE, hello } from '../contracts/cli.ts';
import { connectionId } from '../contracts/fields.ts';
import type { HttpDeps } from '../http/deps.ts';
import type { ToolSession } from '../http/tool.ts';
import type { Session } from '../security/sessions.ts';
import { describeTools } from './describeTools.ts';
import type { Connection } from './leases.ts';
import { codeOf, revocations } from './revocations.ts';
import { ENDED } from './toolSocket.ts';

/** What the first frame of a tool came to. `told` is for people. */
export type Greeting =
  | Readonly<{
      welcome: true;
      session: Session;
      connection: Connection;
      described: ToolSession;
      isStillValid: () => Promise<boolean>;
    }>
  | Readonly<{ welcome: false; code: number; reason: string; told: string | null }>;

const parsed = (data: Buffer): unknown => {
  try {
    return JSON.parse(data.toString('utf8'));
  } catch {
    return null;
  }
};

/** Finds out who says hello, and what they are to be told. Throws problems. */
export const greeter = (deps: Pick<HttpDeps, 'sessions' | 'systemQueries' | 'commands' | 'now'>) => {
  const { sessions } = deps;
  const describe = describeTools(deps);
  return async (data: Buffer): Promise<Greeting> => {
    const frame = hello.safeParse(parsed(data));
    if (!frame.success) return { welcome: false, code: ENDED.badHello, reason: 'The first frame must be hello', told: null };
    const { token } = frame.data;
    const resolved = await sessions.resolve(token);
    if (!resolved.found || resolved.session.owner.kind !== 'cli') {
      const { ended } = resolved.found ? { ended: null } : resolved;
      return {
        welcome: false,
        code: ended ? codeOf(ended) : CLOSE.noSession,
        reason: 'session_required',
        told: ended ? revocations[ended] : 'Please sign in',
      };
    }
    const { session } = resolved;
    const { userId, customerId, integratorId } = resolved.session.owner;
    return {
      welcome: true,
      session,
      connection: { connectionId: connectionId.parse(frame.data.connectionId), userId, customerId, integratorId },
      described: await describe({ userId, customerId }),
      // The answer is remembered, unless it was ended meanwhile.
      isStillValid: async () => (await sessions.resolve(token)).found,
    };
  };
};
