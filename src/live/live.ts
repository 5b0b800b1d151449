import proxyAddr from '@fastify/proxy-addr';
import type { App, LiveDeps, MountLive } from '../http/deps.ts';
import { HttpProblem } from '../http/problems/problems.ts';
import { forwardedBy } from '../http/requests/forwarded.ts';
import { createBrowserSessions } from './browserSessions.ts';
import { createCliSockets } from './cliSockets.ts';
import type { Connections } from './connections.ts';
import { createFloatingSeats } from './floatingSeats.ts';
import { boundHandshakes } from './handshakes.ts';
import { createHub } from './hub.ts';
import { createMetricsFeed } from './metricsFeed.ts';
import { createPresenceEvents } from './presenceEvents.ts';
import { createToolPushes } from './toolPushes.ts';
import { createToolRegistry } from './toolRegistry.ts';
import { CLI_PATH, dispatchUpgrades, endUpgraded } from './upgrades.ts';

/** Share of the connections that this process may have from which on there is a warning. */
const NEARLY_FULL = 0.9;

/** The live feed: browsers by Socket.IO, command-line tools by WebSocket, and presence. */
export const serveLive = async (app: App, deps: LiveDeps & Readonly<{ connections: Connections }>): ReturnType<MountLive> => {
  const { connections, origins, settings, systemQueries, seatUses, now, node, onRejected, quotas } = deps;
  const onError = (error: unknown): void => app.log.error({ err: error }, 'live');

  const handshakes = boundHandshakes({ trustProxy: settings.trustProxy, onRejected, quotas });
  const events = createPresenceEvents({ ...deps, onError });
  const tools = createToolRegistry();
  const floatingSeats = createFloatingSeats(deps);
  const sockets = createCliSockets({
    ...deps,
    tools,
    floatingSeats,
    onConnected: ({ connection, actor }, described) => {
      const { userId, customerId, connectionId } = connection;
      pushes.rememberSent(customerId, described);
      events.add({ type: 'UserConnected', data: { userId, customerId, connectionId, node } }, actor);
    },
    onDisconnected: ({ connection, actor }, reason) => {
      const { userId, customerId, connectionId } = connection;
      events.add({ type: 'UserDisconnected', data: { userId, customerId, connectionId, reason } }, actor);
    },
    onError,
  });
  const pushes = createToolPushes({ ...deps, tools, floatingSeats, onError });
  const forwarded = forwardedBy(settings.trustProxy);
  const isTrusted = settings.trustProxy === false ? () => false : proxyAddr.compile([...settings.trustProxy]);
  const hub = createHub({
    ...deps,
    sessions: createBrowserSessions({
      ...deps,
      forwarded,
      addressOf: (request) => proxyAddr(request, isTrusted),
      parseCookies: (header) => app.parseCookie(header),
      onError,
    }),
    forwarded,
    metricsPoints: createMetricsFeed({ latest: systemQueries.monitoring.latest, now }),
    onSignedIn: handshakes.done,
    onError,
  });
  const stopListening = [
    connections.onPresence(hub.notifyPresence),
    connections.onLost((connection) => {
      const { userId, customerId, connectionId } = connection;
      seatUses.noteIfKnown(userId).catch(onError); // the tool was connected to another node
      events.add(
        { type: 'UserDisconnected', data: { userId, customerId, connectionId, reason: 'lost' } },
        { kind: 'user', id: userId },
      );
    }),
  ];
  await connections.start();

  await dispatchUpgrades(app, hub.upgrade, handshakes);
  const endRequest = endUpgraded(app);
  app.route({
    method: 'GET',
    url: CLI_PATH,
    config: { audience: ['public'] },
    schema: { hide: true },
    // Tools send no Origin. A browser does, whatever page it shows.
    preValidation: (request, _reply, next) =>
      next(origins.trusts(request.headers, request) ? undefined : new HttpProblem('origin_refused')),
    wsHandler: (socket, request) => {
      const { ip } = request;
      endRequest(socket, request);
      sockets.accept(socket, ip, () => handshakes.done(request.raw.socket));
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
        if (!connections.isHealthy())
          return { status: 'critical', message, details: 'Leases of command-line tools could not be renewed in time' };
        if (open < most * NEARLY_FULL) return { status: 'healthy', message, details: null };
        return {
          status: 'warning',
          message,
          details: `${open} of at most ${most} connections are open: raise the limit of open files`,
        };
      },
    },
    gauges: {
      latchkey_live_browsers: { help: 'Browsers connected to the live feed', read: hub.count },
      latchkey_cli_sockets: { help: 'Connected command-line tools', read: tools.count },
    },
  };
};
