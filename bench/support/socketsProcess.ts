import { once } from 'node:events';
import type { WebSocket } from 'ws';
import { openTool } from './toolSockets.ts';

/** Holds a socket a token open in a process of its own, so that their memory is not the server's; closes them all when told to. */

const AT_A_TIME = 64;

const [{ url, tokens }] = (await once(process, 'message')) as [{ url: string; tokens: readonly string[] }];

const sockets: WebSocket[] = [];
let closing = false;
const waiting = [...tokens];
const lane = async (): Promise<void> => {
  for (let token = waiting.shift(); token !== undefined; token = waiting.shift()) {
    const socket = await openTool(url, token);
    socket.on('close', (code) => {
      if (!closing) throw new Error(`A socket was closed with ${code}`);
    });
    sockets.push(socket);
  }
};
await Promise.all(Array.from({ length: AT_A_TIME }, lane));
process.send?.(sockets.length);

await once(process, 'message');
closing = true;
for (const socket of sockets) socket.close();
process.disconnect();
