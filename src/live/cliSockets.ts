import type { WebSocket } from 'ws';
import { CLOSE } from '../contracts/cli.ts';
import type { SessionEnd } from '../database/tables/sessions.ts';
import type { DisconnectReason } from '../domain/userActivity/events.ts';
import { limitConcurrency } from '../flow/concurrency.ts';
import type { HttpDeps } from '../http/deps.ts';
import type { Quotas } from '../http/limits.ts';
import { problemOf } from '../http/requests/errors.ts';
import type { CountLimit } from '../http/requests/metrics.ts';
import type { ToolSession } from '../http/tool.ts';
import { matches, type SessionMatch } from '../security/session.ts';
import type { Connections } from './connections.ts';
import type { FloatingSeats } from './floatingSeats.ts';
import { createPingWheel } from './pingWheel.ts';
import { codeOf, revocations } from './revocations.ts';
import { type Authentication, createToolAuthenticator } from './toolAuthenticator.ts';
import type { ToolRegistry } from './toolRegistry.ts';
import { ENDED, limitFrames, SLOW, send, type ToolSocket } from './toolSocket.ts';

/** The hello frame arrives within this time, or the socket is closed. */
const HANDSHAKE_MS = 10_000;
/**
 * More concurrent handshakes would slow down the stores for all other requests. Tools give up after ten seconds, so a tool that would
 * wait longer is asked to retry.
 */
const HANDSHAKES = { concurrent: 64, maxWaiting: 2_000 } as const;
/** The close code of a connection that was lost without a close frame. */
const ABNORMAL = 1006;

export type CliSockets = Readonly<{
  /** Handles a socket that was just opened from an address; `onSignedIn` is called once its tool is authenticated. */
  accept: (ws: WebSocket, ip: string, onSignedIn: () => void) => void;
  /** Asks every tool to reconnect to another node, and resolves once their leases are released. */
  close: () => Promise<void>;
}>;

type Deps = Pick<HttpDeps, 'sessions' | 'systemQueries' | 'commands' | 'seatUses' | 'now'> & {
  floatingSeats: FloatingSeats;
  connections: Connections;
  tools: ToolRegistry;
  /** Called when a tool connected or disconnected, after its lease was taken or released. */
  onConnected: (socket: ToolSocket, described: ToolSession) => void;
  onDisconnected: (socket: ToolSocket, reason: DisconnectReason) => void;
  onError: (error: unknown) => void;
  onRejected: CountLimit;
  quotas: Quotas;
};

type Admission = Readonly<{ ip: string; resetFrameCount: () => void; onSignedIn: () => void }>;

/** The WebSockets of command-line tools: their presence, and what the server pushes to them. */
export const createCliSockets = (deps: Deps): CliSockets => {
  const { sessions, connections, floatingSeats, tools, onConnected, onDisconnected, onError, onRejected, quotas } = deps;
  const authenticate = createToolAuthenticator(deps);
  const handshakes = limitConcurrency({ ...HANDSHAKES, busy: () => new Error('Too many handshakes are waiting') });
  const wheel = createPingWheel();
  const leaving = new Set<Promise<void>>();
  let closing = false;

  const refuse = (ws: WebSocket, error: unknown): void => {
    const problem = problemOf(error);
    if (!problem) onError(error);
    if (!problem || problem.status === 503) {
      ws.close(ENDED.later, 'Try again later');
      return;
    }
    send(ws, { type: 'revoked', reason: problem.message });
    ws.close(problem.status === 401 ? CLOSE.noSession : CLOSE.forbidden, problem.code);
  };

  const leave = (socket: ToolSocket, reason: DisconnectReason): void => {
    if (socket.closed !== null) return;
    socket.closed = reason;
    if (!tools.remove(socket)) return;
    const { connection } = socket;
    const release = async (): Promise<void> => {
      // Before the connection is closed: an examination in between could release a seat that was in use until now.
      await floatingSeats.left(connection).catch(onError);
      await connections.close(connection).catch(onError);
      leaving.delete(left);
      onDisconnected(socket, reason);
    };
    const left = release();
    leaving.add(left);
  };

  const revoke = (socket: ToolSocket, reason: SessionEnd): void => {
    send(socket.ws, { type: 'revoked', reason: revocations[reason] });
    leave(socket, 'revoked');
    socket.ws.close(codeOf(reason), reason);
  };

  /** Takes the lease of an authenticated tool, and adds its socket to the registry. */
  const register = async (
    ws: WebSocket,
    authentication: Extract<Authentication, { accepted: true }>,
    resetFrameCount: () => void,
  ): Promise<void> => {
    const { session, connection, actor, described, isStillValid } = authentication;
    const before = tools.get(connection.connectionId);
    if (before && before.connection.userId !== connection.userId) return ws.close(CLOSE.forbidden, 'connection_taken');
    if (closing) return ws.close(CLOSE.restart, 'restart');
    if (ws.readyState !== ws.OPEN) return;
    if (!before && (tools.ofCustomer(connection.customerId)?.sockets.size ?? 0) >= quotas.toolsPerTenant) {
      onRejected('tools_per_tenant');
      return ws.close(ENDED.later, 'Too many connections');
    }
    const socket: ToolSocket = {
      ws,
      session,
      connection,
      actor,
      closed: null,
      missed: 0,
      ping: () => {
        resetFrameCount();
        ws.ping();
      },
      lose: () => {
        leave(socket, 'lost');
        ws.terminate();
      },
    };
    tools.add(socket);
    before?.ws.close(ENDED.replaced, 'replaced');
    const removeFromWheel = wheel.add(socket);
    ws.on('pong', () => {
      socket.missed = 0;
    });
    ws.on('close', (code: number) => {
      removeFromWheel();
      leave(socket, code === ABNORMAL ? 'lost' : 'closed');
    });
    const outcome = await connections.open(connection).catch((error: unknown) => {
      socket.closed = 'closed';
      tools.remove(socket);
      throw error;
    });
    if (outcome === 'taken') {
      socket.closed = 'closed';
      tools.remove(socket);
      return ws.close(CLOSE.forbidden, 'connection_taken');
    }
    if (socket.closed !== null) return;
    onConnected(socket, described);
    const { user, customer, theme, term = null, entitlements, callQuota } = described;
    const welcome = { type: 'welcome', user: { ...user, currentlyConnected: true }, customer, theme, term } as const;
    send(ws, { ...welcome, ...(entitlements && { entitlements }), ...(callQuota && { callQuota }) });
    // The session may have ended before this socket was registered, and its end was not announced again.
    if (!(await isStillValid())) revoke(socket, 'signed_out');
  };

  const welcome = async (ws: WebSocket, data: Buffer, { ip, resetFrameCount, onSignedIn }: Admission): Promise<void> => {
    if (ws.readyState !== ws.OPEN) return;
    const authentication = await authenticate(data, ip);
    if (authentication.accepted) {
      onSignedIn();
      return register(ws, authentication, resetFrameCount);
    }
    if (authentication.userMessage !== null) send(ws, { type: 'revoked', reason: authentication.userMessage });
    ws.close(authentication.code, authentication.reason);
  };

  const endMatching = (match: SessionMatch, reason: SessionEnd): void => {
    for (const socket of tools.all()) if (matches(socket.session, match)) revoke(socket, reason);
  };

  /** Closes the sockets whose sessions have ended, after notices of ended sessions were missed. */
  const endGone = async (): Promise<void> => {
    const sockets = tools.all();
    const alive = await sessions.alive(sockets.map(({ session }) => session.hash));
    for (const socket of sockets) if (!alive.has(socket.session.hash)) revoke(socket, 'signed_out');
  };

  const unsubscribe = [
    sessions.onEnded((match, reason) => {
      if (reason === null) endGone().catch(onError);
      else endMatching(match, reason);
    }),
    connections.onMoved((connectionId) => {
      const socket = tools.get(connectionId);
      if (!socket) return;
      tools.remove(socket);
      socket.closed = 'closed';
      socket.ws.close(ENDED.replaced, 'replaced');
    }),
  ];

  return {
    accept: (ws, ip, onSignedIn) => {
      if (closing) return ws.close(CLOSE.restart, 'restart');
      const frameLimit = limitFrames(ws);
      ws.once(SLOW, () => onRejected('slow_readers'));
      const late = setTimeout(() => ws.close(ENDED.protocolError, 'No hello frame arrived in time'), HANDSHAKE_MS);
      ws.once('close', () => clearTimeout(late));
      ws.once('message', (data: Buffer) => {
        clearTimeout(late);
        handshakes
          .run(() =>
            welcome(ws, data, { ip, resetFrameCount: frameLimit.reset, onSignedIn }).catch((error: unknown) => refuse(ws, error)),
          )
          .catch(() => ws.close(ENDED.later, 'Try again later'));
      });
    },
    close: async () => {
      closing = true;
      wheel.stop();
      for (const stop of unsubscribe) stop();
      for (const socket of tools.all()) {
        leave(socket, 'closed');
        socket.ws.close(CLOSE.restart, 'restart');
      }
      await Promise.all(leaving);
    },
  };
};
