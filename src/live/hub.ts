import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type DefaultEventsMap, Server, type Socket } from 'socket.io';
import type { ServerToBrowser } from '../contracts/live.ts';
import type { MetricsPoint } from '../contracts/monitoring.ts';
import type { HttpDeps } from '../http/deps.ts';
import type { Quotas } from '../http/limits.ts';
import type { Forwarded } from '../http/requests/forwarded.ts';
import type { CountLimit } from '../http/requests/metrics.ts';
import type { Origins } from '../http/requests/origins.ts';
import type { Changes } from '../projections/engine/changes.ts';
import type { Session } from '../security/session.ts';
import { startSharedSpans } from '../tracing/spans.ts';
import { boundBacklog, boundPackets } from './browserBacklog.ts';
import type { BrowserSessions } from './browserSessions.ts';
import { createChangeFeed } from './changeFeed.ts';
import type { UserPresence } from './presence.ts';
import { createPresenceFeed } from './presenceFeed.ts';
import { roomsOf, tenantRoom } from './rooms.ts';

export const LIVE_PATH = '/socket.io';
const METRICS_MS = 1_000;
/** The interval of the check for expired sessions. */
const EXPIRY_MS = 30_000;

type SocketData = { session: Session; position: bigint | null; ageMs: number | null };
type Browser = Socket<DefaultEventsMap, ServerToBrowser, DefaultEventsMap, SocketData>;

export type Hub = Readonly<{
  /** Handles an upgrade request for `LIVE_PATH`. */
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  notifyPresence: (presence: readonly UserPresence[]) => void;
  count: () => number;
  close: () => Promise<void>;
}>;

type Deps = Pick<HttpDeps, 'listenForChanges' | 'now'> & {
  sessions: BrowserSessions;
  origins: Origins;
  forwarded: (request: IncomingMessage) => Forwarded;
  /** The points of the live charts that have not been sent, oldest first. */
  metricsPoints: () => Promise<MetricsPoint[]>;
  /** Called with the socket of each browser that was authenticated. */
  onSignedIn: (socket: Duplex) => void;
  onRejected: CountLimit;
  quotas: Quotas;
  onError: (error: unknown) => void;
};

/** The sockets of a tenant's room whose sessions may read users. */
const presenceRoom = (own: string): string => `${own} presence`;
/** The sockets whose sessions may read metrics. */
const METRICS_ROOM = 'metrics';

/** Socket.IO for browsers: changed topics, presence and live metrics. Browsers send nothing but the handshake. */
export const createHub = ({
  sessions,
  origins,
  forwarded,
  metricsPoints,
  listenForChanges,
  now,
  onSignedIn,
  onRejected,
  quotas,
  onError,
}: Deps): Hub => {
  // Socket.IO answers upgrades that are handed to it; plain requests never reach it.
  const upgrades = createServer();
  const io = new Server<DefaultEventsMap, ServerToBrowser, DefaultEventsMap, SocketData>(upgrades, {
    path: LIVE_PATH,
    transports: ['websocket'],
    serveClient: false,
    destroyUpgrade: false,
    maxHttpBufferSize: 16_384,
    pingInterval: 15_000,
    pingTimeout: 10_000,
    connectTimeout: 10_000,
    perMessageDeflate: false,
    allowRequest: (request, answer) => {
      const asked = forwarded(request);
      origins.knowsHost(asked.host).then(
        (known) => {
          if (!known) answer('unknown_host', false);
          else if (!origins.trusts(request.headers, asked)) answer('origin_refused', false);
          else answer(null, true);
        },
        () => answer('unavailable', false),
      );
    },
  });

  const hasRoom = (name: string): boolean => io.sockets.adapter.rooms.has(name);

  const feed = createChangeFeed({
    hasRoom,
    send: (target, changed) => (target === null ? io.emit('changed', changed) : io.to(target).emit('changed', changed)),
    now,
  });

  const notifyPresence = createPresenceFeed({
    hasRoom,
    send: (target, presence) => io.to(presenceRoom(target)).emit('presence', presence),
    touch: feed.touch,
    now,
  });

  const authenticate = async (socket: Browser): Promise<boolean> => {
    const { token, position, ageMs } = Object(socket.handshake.auth);
    const session = await sessions.of(socket.request, typeof token === 'string' ? token : null);
    if (session === null || roomsOf(session).length === 0) return false;
    socket.data = {
      session,
      position: typeof position === 'string' && /^\d{1,18}$/.test(position) ? BigInt(position) : null,
      ageMs: typeof ageMs === 'number' && ageMs >= 0 ? ageMs : null,
    };
    return true;
  };

  const isFull = ({ data }: Browser): boolean => {
    const isTooMany = (io.sockets.adapter.rooms.get(tenantRoom(data.session))?.size ?? 0) >= quotas.browsersPerTenant;
    if (isTooMany) onRejected('browsers_per_tenant');
    return isTooMany;
  };

  io.use((socket, next) => {
    authenticate(socket).then(
      (allowed) => {
        if (!allowed) return next(new Error('session_required'));
        onSignedIn(socket.request.socket);
        if (isFull(socket)) return next(new Error('overloaded'));
        return next();
      },
      () => next(new Error('unavailable')),
    );
  });

  /** When each connection was opened, to compensate the age that a browser reports for the duration of the handshake. */
  const openedAt = new WeakMap<object, number>();
  io.engine.on('connection', (connection) => {
    openedAt.set(connection, now());
    boundPackets(connection);
  });

  /** Sends the changes that a browser missed. Without a position the message may have no topics; it brings the first position. */
  const sendMissed = (socket: Browser, own: readonly string[]): void => {
    const { position, ageMs } = socket.data;
    if (position !== null) {
      const missed = feed.missedSince(position, own);
      if (missed.topics.length > 0) socket.emit('changed', missed);
    } else if (ageMs !== null) {
      const handshakeMs = now() - (openedAt.get(socket.conn) ?? Number.NEGATIVE_INFINITY);
      socket.emit('changed', feed.missedIn(ageMs + handshakeMs, own));
    }
  };

  const browsers = (): Browser[] => [...io.sockets.sockets.values()];
  const open = (): Session[] => browsers().map(({ data }) => data.session);
  const disconnect = (gone: ReadonlySet<Session>): void => {
    for (const socket of gone.size > 0 ? browsers() : []) if (gone.has(socket.data.session)) socket.disconnect(true);
  };

  io.on('connection', (socket) => {
    const { session } = socket.data;
    const own = roomsOf(session);
    const [first] = own;
    if (first === undefined) return socket.disconnect(true);
    boundBacklog(socket.conn, () => onRejected('slow_readers'));
    socket.join([tenantRoom(session), ...own]);
    if (session.permissions.has('users:read')) socket.join(presenceRoom(first));
    if (session.permissions.has('monitoring:read')) socket.join(METRICS_ROOM);
    sendMissed(socket, own);
    // The session may have ended while the handshake was under way.
    sessions.gone([session]).then(disconnect, onError);
    socket.once(
      'disconnect',
      sessions.onExpired(session, () => socket.disconnect(true)),
    );
    return undefined;
  });

  const take = (changes: Changes): void => {
    const spans = startSharedSpans('live message', { 'latchkey.topics': changes.changes.length }, changes.traces ?? []);
    feed.take(changes);
    spans.end();
  };

  const stopListening = [sessions.onGone(open, disconnect), listenForChanges(take)];

  const expiry = setInterval(() => void sessions.gone(open()).then(disconnect, onError), EXPIRY_MS);
  let measuring = false;
  const metrics = setInterval(() => {
    if (measuring || !hasRoom(METRICS_ROOM)) return;
    measuring = true;
    metricsPoints()
      .then((points) => {
        for (const point of points) io.to(METRICS_ROOM).emit('metrics', point);
      }, onError)
      .finally(() => {
        measuring = false;
      });
  }, METRICS_MS);

  return {
    upgrade: (request, socket, head) => void upgrades.emit('upgrade', request, socket, head),
    notifyPresence,
    count: () => io.sockets.sockets.size,
    close: async () => {
      clearInterval(expiry);
      clearInterval(metrics);
      for (const stop of stopListening) stop();
      feed.stop();
      io.disconnectSockets(true);
      await io.close();
    },
  };
};
