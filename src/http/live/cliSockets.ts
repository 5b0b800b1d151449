import type { WebSocket } from 'ws';
import { CLOSE, type CliFrame, hello } from '../../contracts/cli.ts';
import { connectionId as connectionIdOf } from '../../contracts/fields.ts';
import type { ConnectionId, CustomerId } from '../../domain/ids.ts';
import type { DisconnectReason } from '../../domain/userActivity/events.ts';
import { matches, type Session, type SessionMatch } from '../../security/sessions.ts';
import type { SessionEnd } from '../../security/sessionTables.ts';
import type { HttpDeps } from '../deps.ts';
import { problemOf } from '../errors.ts';
import { describeTool, type ToolSession } from '../tool.ts';
import type { Connection } from './connections.ts';
import { createPingWheel, type Pinged } from './pingWheel.ts';

/** A tool says hello within this time, or is let go. */
const HELLO_MS = 10_000;
/** Close codes beside those of the contract: replaced by a newer socket of its own id, and not speaking the protocol. */
const REPLACED = 4000;
const BAD_HELLO = 4400;
const TRY_LATER = 1013;
/** What a socket that just vanished is closed with. */
const ABNORMAL = 1006;

const revocations: Record<SessionEnd, string> = {
  signed_out: 'This session has ended',
  key_rotated: 'The license key was replaced: sign in with the new one',
  password_changed: 'The password was changed',
  customer_suspended: 'This license is suspended',
  customer_churned: 'This license has ended',
  customer_deleted: 'This license has ended',
  user_deactivated: 'Your user was deactivated',
  user_suspended: 'Your user was suspended',
  integrator_suspended: 'The service integrator is suspended',
  integrator_churned: 'The service integrator has churned',
  integrator_deleted: 'The service integrator was deleted',
};

/** Whoever signed out, or whose key was replaced, may sign in again; the others may not. */
const codeOf = (reason: SessionEnd): number =>
  reason === 'signed_out' || reason === 'key_rotated' || reason === 'password_changed' ? CLOSE.noSession : CLOSE.forbidden;

export type CliSocket = Pinged & { ws: WebSocket; session: Session; connection: Connection; closed: DisconnectReason | null };

export type CliSockets = Readonly<{
  /** Takes over a socket that was just opened. */
  accept: (ws: WebSocket) => void;
  sockets: () => Iterable<CliSocket>;
  ofCustomer: (customerId: CustomerId) => readonly CliSocket[];
  send: (socket: CliSocket, frame: CliFrame) => void;
  count: () => number;
  /** Asks every tool to come back elsewhere, and waits until their leases are given back. */
  close: () => Promise<void>;
}>;

type Deps = Pick<HttpDeps, 'sessions' | 'connections' | 'queries' | 'dispatch' | 'now'> & {
  /** Told of sockets that came and went, after their lease was taken or given back. */
  onConnected: (connection: Connection, described: ToolSession) => void;
  onDisconnected: (connection: Connection, reason: DisconnectReason) => void;
  onError: (error: unknown) => void;
};

/** The sockets by which command-line tools show that they are there. */
export const createCliSockets = (deps: Deps): CliSockets => {
  const { sessions, connections, now, onConnected, onDisconnected, onError } = deps;
  const open = new Map<ConnectionId, CliSocket>();
  const wheel = createPingWheel();
  const leaving = new Set<Promise<void>>();
  let closing = false;

  const send = ({ ws }: Pick<CliSocket, 'ws'>, frame: CliFrame): void => {
    if (ws.readyState === ws.OPEN) ws.send(JSON.stringify(frame));
  };

  const refuse = (ws: WebSocket, error: unknown): void => {
    const problem = problemOf(error);
    if (!problem) onError(error);
    if (!problem || problem.status === 503) {
      ws.close(TRY_LATER, 'Try again later');
      return;
    }
    send({ ws }, { type: 'revoked', reason: problem.message });
    ws.close(problem.status === 401 ? CLOSE.noSession : CLOSE.forbidden, problem.code);
  };

  const leave = (socket: CliSocket, reason: DisconnectReason): void => {
    if (socket.closed !== null) return;
    socket.closed = reason;
    const { connection } = socket;
    if (open.get(connection.connectionId) !== socket) return;
    open.delete(connection.connectionId);
    const left = connections
      .close(connection)
      .catch(onError)
      .then(() => {
        leaving.delete(left);
        onDisconnected(connection, reason);
      });
    leaving.add(left);
  };

  /** Says who is there, once its lease is taken. Throws problems. */
  const welcome = async (ws: WebSocket, data: Buffer): Promise<void> => {
    const frame = hello.safeParse(parsed(data));
    if (!frame.success) return ws.close(BAD_HELLO, 'The first frame must be hello');
    const resolved = await sessions.resolve(frame.data.token);
    if (!resolved.found || resolved.session.owner.kind !== 'cli') {
      const { ended } = resolved.found ? { ended: null } : resolved;
      send({ ws }, { type: 'revoked', reason: ended ? revocations[ended] : 'Please sign in' });
      return ws.close(ended ? codeOf(ended) : CLOSE.noSession, 'session_required');
    }
    const { session } = resolved;
    const { userId, customerId, integratorId } = resolved.session.owner;
    const described = await describeTool(deps, { userId, customerId }, new Date(now()).toISOString());
    const connection: Connection = {
      connectionId: connectionIdOf.parse(frame.data.connectionId),
      userId,
      customerId,
      integratorId,
    };
    await hold(ws, session, connection, described);
  };

  const hold = async (ws: WebSocket, session: Session, connection: Connection, described: ToolSession): Promise<void> => {
    const { connectionId } = connection;
    const { user, customer, theme } = described;
    const before = open.get(connectionId);
    if (before && before.connection.userId !== connection.userId) return ws.close(CLOSE.forbidden, 'connection_taken');
    const socket: CliSocket = {
      ws,
      session,
      connection,
      closed: null,
      missed: 0,
      ping: () => ws.ping(),
      lose: () => {
        leave(socket, 'lost');
        ws.terminate();
      },
    };
    open.set(connectionId, socket);
    before?.ws.close(REPLACED, 'replaced');
    const removeFromWheel = wheel.add(socket);
    ws.on('pong', () => {
      socket.missed = 0;
    });
    ws.on('close', (code: number) => {
      removeFromWheel();
      leave(socket, code === ABNORMAL ? 'lost' : 'closed');
    });
    if (ws.readyState !== ws.OPEN) return leave(socket, 'closed');
    if ((await connections.open(connection)) === 'taken') {
      open.delete(connectionId);
      return ws.close(CLOSE.forbidden, 'connection_taken');
    }
    if (socket.closed !== null) return;
    onConnected(connection, described);
    send(socket, { type: 'welcome', user: { ...user, currentlyConnected: true }, customer, theme });
    // The session may have ended while the lease was taken: whoever ended it did not know of this socket yet.
    const still = await sessions.alive([session.hash]);
    if (!still.has(session.hash)) revoke(socket, 'signed_out');
  };

  const revoke = (socket: CliSocket, reason: SessionEnd): void => {
    send(socket, { type: 'revoked', reason: revocations[reason] });
    leave(socket, 'revoked');
    socket.ws.close(codeOf(reason), reason);
  };

  const endMatching = (match: SessionMatch, reason: SessionEnd): void => {
    for (const socket of [...open.values()]) if (matches(socket.session, match)) revoke(socket, reason);
  };

  /** After notices were missed: whoever's session is gone goes too. */
  const endGone = async (): Promise<void> => {
    const sockets = [...open.values()];
    const alive = await sessions.alive(sockets.map(({ session }) => session.hash));
    for (const socket of sockets) if (!alive.has(socket.session.hash)) revoke(socket, 'signed_out');
  };

  const unsubscribe = [
    sessions.onEnded((match, reason) => {
      if (reason === null) endGone().catch(onError);
      else endMatching(match, reason);
    }),
    connections.onMoved((connectionId) => {
      const socket = open.get(connectionId);
      if (!socket) return;
      open.delete(connectionId);
      socket.closed = 'closed';
      socket.ws.close(REPLACED, 'replaced');
    }),
  ];

  return {
    accept: (ws) => {
      if (closing) return ws.close(CLOSE.restart, 'restart');
      const late = setTimeout(() => ws.close(BAD_HELLO, 'No hello'), HELLO_MS);
      ws.once('close', () => clearTimeout(late));
      ws.once('message', (data: Buffer) => {
        clearTimeout(late);
        welcome(ws, data).catch((error: unknown) => refuse(ws, error));
      });
    },
    sockets: () => open.values(),
    ofCustomer: (customerId) => [...open.values()].filter(({ connection }) => connection.customerId === customerId),
    send,
    count: () => open.size,
    close: async () => {
      closing = true;
      wheel.stop();
      for (const stop of unsubscribe) stop();
      for (const socket of [...open.values()]) {
        leave(socket, 'closed');
        socket.ws.close(CLOSE.restart, 'restart');
      }
      await Promise.all(leaving);
    },
  };
};

const parsed = (data: Buffer): unknown => {
  try {
    return JSON.parse(data.toString('utf8'));
  } catch {
    return null;
  }
};
