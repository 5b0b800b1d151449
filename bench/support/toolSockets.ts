import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';

/** Opens the socket of a command-line tool and resolves when it receives the welcome frame. */
export const openTool = (url: string, token: string): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/cli/connect`, { perMessageDeflate: false });
    socket.once('open', () => socket.send(JSON.stringify({ type: 'hello', token, connectionId: randomUUID() })));
    socket.once('message', () => resolve(socket));
    socket.once('close', (code) => reject(new Error(`Closed with ${code} before the welcome`)));
    socket.once('error', reject);
  });
