import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import websocket from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { App } from '../http/deps.ts';
import { HttpProblem } from '../http/problems/problems.ts';
import { hasTooManyHeaders } from '../http/requests/address.ts';
import { hasTwoHosts } from '../http/requests/forwarded.ts';
import type { Handshakes } from './handshakes.ts';
import { LIVE_PATH } from './hub.ts';

/** Where command-line tools open their socket. */
export const CLI_PATH = '/api/cli/connect';
/** The largest frame a command-line tool may send: it says hello and nothing else. */
const MAX_FRAME = 4_096;
/** How long a socket that was closed may keep its connection. */
const CLOSE_MS = 5_000;

const NOT_FOUND = JSON.stringify(new HttpProblem('not_found').body);

/** Answers an upgrade that no route takes; the routes would open its socket before they close it. */
const refuseUpgrade = (socket: Duplex): void => {
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 404 Not Found\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${NOT_FOUND.length}\r\nConnection: close\r\n\r\n${NOT_FOUND}`,
  );
};

/**
 * Dispatches upgrades: those of browsers to `takeBrowser`, those of command-line tools to their route. Each library handles all upgrades
 * of the server, and would end those of the other.
 */
export const dispatchUpgrades = async (
  app: App,
  takeBrowser: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
  handshakes: Handshakes,
): Promise<void> => {
  const others = createServer();
  const options = { server: others, maxPayload: MAX_FRAME, perMessageDeflate: false, closeTimeout: CLOSE_MS };
  await app.register(websocket, {
    options,
    preClose: (done) => done(),
  });
  app.server.on('upgrade', (request, socket, head) => {
    if (hasTwoHosts(request) || hasTooManyHeaders(request))
      return void socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    const path = request.url?.split('?', 1)[0] ?? '';
    const isBrowser = path === LIVE_PATH || path === `${LIVE_PATH}/`;
    if (!isBrowser && path !== CLI_PATH) refuseUpgrade(socket);
    else if (!handshakes.begin(request, socket)) return;
    else if (isBrowser) takeBrowser(request, socket, head);
    else others.emit('upgrade', request, socket, head);
  });
};

/**
 * Ends the request of an open socket, which then no longer counts as in flight and releases its memory. Returns the function that the
 * route's handler calls.
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
    // The plugin's own listener keeps the request alive; `close` reports a broken socket.
    ws.removeAllListeners('error');
    ws.on('error', () => undefined);
  };
};
