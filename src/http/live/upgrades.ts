import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import websocket from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { App } from '../deps.ts';
import { LIVE_PATH } from './hub.ts';

/** The largest frame a command-line tool may send: it says hello and nothing else. */
const MAX_FRAME = 4_096;
/** How long a socket that was closed may keep its connection. */
const CLOSE_MS = 5_000;

/**
 * Hands upgrades to whom they belong: those of browsers to `takeBrowser`, all others to the routes. Both want the server's
 * upgrades, and each would end those of the other.
 */
export const dispatchUpgrades = async (
  app: App,
  takeBrowser: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): Promise<void> => {
  const others = createServer();
  const options = { server: others, maxPayload: MAX_FRAME, perMessageDeflate: false, closeTimeout: CLOSE_MS };
  await app.register(websocket, {
    options,
    preClose: (done) => done(),
  });
  app.server.on('upgrade', (request, socket, head) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    if (path === LIVE_PATH || path === `${LIVE_PATH}/`) takeBrowser(request, socket, head);
    else others.emit('upgrade', request, socket, head);
  });
};

/**
 * Ends requests whose socket is open: an open socket is no request at work, and keeps nothing of what asked for it. Returns
 * what does so, from within the route's handler.
 */
export const endUpgraded = (app: App): ((ws: WebSocket, request: FastifyRequest) => void) => {
  const replies = new WeakMap<IncomingMessage, ServerResponse>();
  app.addHook('onRequest', (request, reply, next) => {
    if (request.ws) replies.set(request.raw, reply.raw);
    next();
  });
  return (ws, { raw }) => {
    const reply = replies.get(raw);
    reply?.detachSocket(raw.socket);
    reply?.emit('close');
    // The plugin's own listener holds the request; a broken socket is told of by its `close`.
    ws.removeAllListeners('error');
    ws.on('error', () => undefined);
  };
};
