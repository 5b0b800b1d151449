import type { IncomingMessage } from 'node:http';
import type { App, HttpDeps } from '../deps.ts';
import type { HealthProbe } from '../health.ts';
import { HttpProblem } from '../problems/problems.ts';
import type { Origins } from '../requests/origins.ts';
import { createCliSockets } from './cliSockets.ts';
import { createHub } from './hub.ts';
import { createMetricsFeed } from './metricsFeed.ts';
import { createPresenceEvents } from './presenceEvents.ts';
import { createToolPushes } from './toolPushes.ts';
import { createToolRegistry } from './toolRegistry.ts';
import { dispatchUpgrades, endUpgraded } from './upgrades.ts';

/** Share of the connections that this process may have from which on there is a warning. */
const NEARLY_FULL = 0.9;

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
  const tools = createToolRegistry();
  const sockets = createCliSockets({
    ...deps,
    tools,
    onConnected: (connection, described) => {
      const { userId, customerId, connectionId } = connection;
      pushes.told(customerId, described);
      events.add({ type: 'UserConnected', data: { userId, customerId, connectionId, node } });
    },
    onDisconnected: ({ userId, customerId, connectionId }, reason) =>
      events.add({ type: 'UserDisconnected', data: { userId, customerId, connectionId, reason } }),
    onError,
  });
  const pushes = createToolPushes({ ...deps, tools, onError });
  const hub = createHub({
    ...deps,
    hostOf,
    isSecure: (request) => origins.isTls({ protocol: protocolOf(request), host: hostOf(request) }),
    parseCookies: (header) => app.parseCookie(header),
    metricsPoints: createMetricsFeed({ latest: queries.monitoring.latest, now }),
    onError,
  });
  const stopListening = [
    connections.onPresence(hub.tellPresence),
    connections.onLost(({ userId, customerId, connectionId }) =>
      events.add({ type: 'UserDisconnected', data: { userId, customerId, connectionId, reason: 'lost' } }),
    ),
  ];
  await connections.start();

  await dispatchUpgrades(app, hub.upgrade);
  const endRequest = endUpgraded(app);
  app.route({
    method: 'GET',
    url: '/api/cli/connect',
    config: { audience: ['public'] },
    schema: { hide: true },
    wsHandler: (socket, request) => {
      endRequest(socket, request);
      sockets.accept(socket);
    },
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
      liveFeed: async () => ({ status: 'healthy', message: `Browsers connected here: ${hub.count()}`, details: null }),
      tools: async () => {
        const most = app.server.maxConnections || Number.POSITIVE_INFINITY;
        const open = tools.count() + hub.count();
        const message = `Command-line tools connected here: ${tools.count()}`;
        if (!connections.isHealthy()) return { status: 'critical', message, details: 'Their leases could not be renewed in time' };
        if (open < most * NEARLY_FULL) return { status: 'healthy', message, details: null };
        return {
          status: 'warning',
          message,
          details: `${open} of at most ${most} connections are open: raise the limit of open files`,
        };
      },
    },
    gauges: () => ({ latchkey_live_browsers: hub.count(), latchkey_cli_sockets: tools.count() }),
  };
};
