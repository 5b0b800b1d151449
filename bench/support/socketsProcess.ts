import { once } from 'node:events';
import type { WebSocket } from 'ws';
import { openTool } from './toolSockets.ts';

/** Keeps a socket open for each token, in a separate process so that its memory is not the server's. Closes them on request. */

const CONCURRENT_HANDSHAKES = 64;

const [{ url, tokens }] = (await once(process, 'message')) as [{ url: string; tokens: readonly string[] }];

const sockets: WebSocket[] = [];
let closing = false;
const waiting = [...tokens];
const worker = async (): Promise<void> => {
  for (let token = waiting.shift(); token !== undefined; token = waiting.shift()) {
    const socket = await openTool(url, token);
    socket.on('close', (code) => {
      if (!closing) throw new Error(`A socket was closed with ${code}`);
    });
    sockets.push(socket);
  }
};
await Promise.all(Array.from({ length: CONCURRENT_HANDSHAKES }, worker));
process.send?.(sockets.length);

await once(process, 'message');
closing = true;
for (const socket of sockets) socket.close();
process.disconnect();
