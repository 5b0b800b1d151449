import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import websocket from '@fastify/websocket';
import type { App, HttpDeps } from '../deps.ts';
import type { HealthProbe } from '../health.ts';
import type { Origins } from '../origins.ts';
import { HttpProblem } from '../problems.ts';
import { createCliSockets } from './cliSockets.ts';
import { createHub, LIVE_PATH } from './hub.ts';
import { createPresenceEvents } from './presenceEvents.ts';
import { createToolPushes } from './toolPushes.ts';

/** The largest frame a command-line tool may send: it says hello and nothing else. */
const MAX_FRAME = 4_096;

const firstOf = (header: string | string[] | undefined): string | undefined =>
  (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim();

/** Everything that pushes: browsers by Socket.IO, command-line tools by WebSocket, and who is there. */
export const serveLive = async (
  app: App,
  deps: HttpDeps & { origins: Origins },
): Promise<{ probes: Record<string, HealthProbe>; gauges: () => Record<string, number> }> => {
  const { connections, origins, settings, queries, now, node } = deps;
  const onError = (error: unknown): void => app.log.error({ err: error }, 'live');
  const trusts = settings.trustProxy !== false;
  const hostOf = ({ headers }: IncomingMessage): string | undefined =>
    (trusts ? firstOf(headers['x-forwarded-host']) : undefined) ?? headers.host;
  const protocolOf = ({ headers }: IncomingMessage): string =>
    (trusts ? firstOf(headers['x-forwarded-proto']) : undefined) ?? 'http';

  const events = createPresenceEvents({ ...deps, onError });
  const sockets = createCliSockets({
    ...deps,
    onConnected: (connection, described) => {
      const { userId, customerId, connectionId } = connection;
      pushes.told(customerId, described);
      events.add({ type: 'UserConnected', data: { userId, customerId, connectionId, node } });
    },
    onDisconnected: ({ userId, customerId, connectionId }, reason) =>
      events.add({ type: 'UserDisconnected', data: { userId, customerId, connectionId, reason } }),
    onError,
  });
  const pushes = createToolPushes({ ...deps, sockets, onError });
  const hub = createHub({
    ...deps,
    hostOf,
    isSecure: (request) => origins.isTls({ protocol: protocolOf(request), host: hostOf(request) }),
    parseCookies: (header) => app.parseCookie(header),
    metricsPoint: async () => (await queries.monitoring.timeline('15m', new Date(now()))).at(-2) ?? null,
    onError,
  });
  const stopListening = [
    connections.onPresence(hub.tellPresence),
    connections.onLost(({ userId, customerId, connectionId }) =>
      events.add({ type: 'UserDisconnected', data: { userId, customerId, connectionId, reason: 'lost' } }),
    ),
  ];
  await connections.start();

  // Both kinds of sockets want the server's upgrades, and each would end those of the other.
  const upgrades = createServer();
  await app.register(websocket, {
    options: { server: upgrades, maxPayload: MAX_FRAME, perMessageDeflate: false },
    preClose: (done) => done(),
  });
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const path = request.url?.split('?', 1)[0] ?? '';
    if (path === LIVE_PATH || path === `${LIVE_PATH}/`) hub.upgrade(request, socket, head);
    else upgrades.emit('upgrade', request, socket, head);
  };
  app.server.on('upgrade', upgrade);

  app.route({
    method: 'GET',
    url: '/api/cli/connect',
    config: { audience: ['public'] },
    schema: { hide: true },
    wsHandler: (socket) => sockets.accept(socket),
    handler: () => {
      throw new HttpProblem('not_found');
    },
  });

  app.addHook('preClose', async () => {
    await sockets.close();
    pushes.stop();
    for (const stop of stopListening) stop();
    await hub.close();
    await connections.stop();
    await events.drain();
    for (const socket of app.websocketServer.clients) socket.terminate();
  });

  return {
    probes: {
      liveFeed: async () => ({ status: 'healthy', message: `${hub.count()} browsers are connected`, details: null }),
      tools: async () => ({
        status: connections.isHealthy() ? 'healthy' : 'critical',
        message: `${sockets.count()} command-line tools are connected here`,
        details: connections.isHealthy() ? null : 'Their leases could not be renewed in time',
      }),
    },
    gauges: () => ({ latchkey_live_browsers: hub.count(), latchkey_cli_sockets: sockets.count() }),
  };
};
