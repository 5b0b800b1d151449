import { once } from 'node:events';
import type { WebSocket } from 'ws';
import { openTool } from './toolSockets.ts';

/** Holds sockets open in a process of its own, so that their memory is not the server's. */

const AT_A_TIME = 64;

const [{ url, tokens, count }] = (await once(process, 'message')) as [{ url: string; tokens: readonly string[]; count: number }];

const sockets: WebSocket[] = [];
let next = 0;
const lane = async (): Promise<void> => {
  while (next < count) {
    const token = tokens[next % tokens.length] ?? '';
    next += 1;
    const socket = await openTool(url, token);
    socket.on('close', () => {
      throw new Error('A socket was closed');
    });
    sockets.push(socket);
  }
};
await Promise.all(Array.from({ length: AT_A_TIME }, lane));
process.send?.(sockets.length);
