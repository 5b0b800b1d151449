import type { IncomingMessage } from 'node:http';
import { resolveApiToken } from '../http/apiTokens.ts';
import type { HttpDeps } from '../http/deps.ts';
import type { Forwarded } from '../http/requests/forwarded.ts';
import { adminTokenOf } from '../http/requests/guard.ts';
import type { Origins } from '../http/requests/origins.ts';
import { isApiToken } from '../security/apiTokenFormat.ts';
import { matches, type Session } from '../security/session.ts';

/** The longest delay of a timer, 24 days. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The sessions and API tokens of sockets, as those of requests. */
export type BrowserSessions = Readonly<{
  /** The session of a handshake: of the token that it sent, or of an administrator's cookie. Null if there is none. */
  of: (request: IncomingMessage, token: string | null) => Promise<Session | null>;
  /** Which of the given sessions are no longer valid. */
  gone: (sessions: readonly Session[]) => Promise<ReadonlySet<Session>>;
  /** Calls back on every node within a second after sessions ended, with the open ones to disconnect. */
  onGone: (open: () => readonly Session[], disconnect: (gone: ReadonlySet<Session>) => void) => () => void;
  /** Calls back when an API token expires, which no node announces; returns a function that stops it. */
  onExpired: (session: Session, handler: () => void) => () => void;
}>;

/** Whether a session is that of an API token, which is stored nowhere. */
const isOfToken = ({ owner }: Session): boolean => 'tokenId' in owner;

export const createBrowserSessions = (
  deps: Pick<HttpDeps, 'sessions' | 'apiTokens' | 'permits' | 'tiers' | 'turns' | 'now'> & {
    origins: Origins;
    forwarded: (request: IncomingMessage) => Forwarded;
    /** The client's address. */
    addressOf: (request: IncomingMessage) => string;
    parseCookies: (header: string) => Readonly<Record<string, string | undefined>>;
    onError: (error: unknown) => void;
  },
): BrowserSessions => {
  const { sessions, apiTokens, origins, forwarded, addressOf, parseCookies, now, onError } = deps;

  const gone = async (open: readonly Session[]): Promise<ReadonlySet<Session>> => {
    const stored = open.filter((session) => !isOfToken(session));
    const alive = stored.length === 0 ? new Set<string>() : await sessions.alive(stored.map(({ hash }) => hash));
    const ended = new Set(stored.filter(({ hash }) => !alive.has(hash)));
    for (const session of open) if (isOfToken(session) && !(await apiTokens.isAlive(session))) ended.add(session);
    return ended;
  };

  return {
    of: async (request, token) => {
      if (token !== null && isApiToken(token)) {
        const resolved = await resolveApiToken(deps, { ip: addressOf(request) }, token);
        return resolved.problem === null ? resolved.session : null;
      }
      const given = token ?? adminTokenOf(parseCookies(request.headers.cookie ?? ''), origins.isTls(forwarded(request)));
      const resolved = given === null ? null : await sessions.resolve(given);
      if (!resolved?.found) return null;
      // Administrators authenticate by cookie and all others by token, as in HTTP requests.
      return (resolved.session.owner.kind === 'admin') === (token !== null) ? null : resolved.session;
    },
    gone,
    onGone: (open, disconnect) => {
      const stops = [
        sessions.onEnded((match, reason) => {
          const stored = open().filter((session) => !isOfToken(session));
          if (reason === null) gone(stored).then(disconnect, onError);
          else disconnect(new Set(stored.filter((session) => matches(session, match))));
        }),
        // What ends sessions may leave a token valid, as a new key does.
        apiTokens.onEnded((isConcerned) => {
          gone(open().filter((session) => isOfToken(session) && isConcerned(session))).then(disconnect, onError);
        }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    onExpired: (session, handler) => {
      if (!isOfToken(session)) return () => undefined;
      let timer: NodeJS.Timeout;
      const check = (): void => {
        const leftMs = session.expiresAt - now();
        if (leftMs <= 0) handler();
        else timer = setTimeout(check, Math.min(leftMs, MAX_TIMEOUT_MS));
      };
      check();
      return () => clearTimeout(timer);
    },
  };
};
