import websocket from '@fastify/websocket';
import Fastify from 'fastify';

/** Answers the first frame of a WebSocket and pings each socket every 15 s: the baseline for sockets. */

const PING_MS = 15_000;

const app = Fastify();
await app.register(websocket, { options: { perMessageDeflate: false } });
app.get('/api/cli/connect', { websocket: true }, (socket) => {
  socket.once('message', () => socket.send('{"type":"welcome"}'));
  const timer = setInterval(() => socket.ping(), PING_MS);
  socket.once('close', () => clearInterval(timer));
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.(url);
