import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { boundConnections } from '../../src/http/requests/openFiles.ts';
import { eventually } from '../support/eventually.ts';

it('accepts as many connections as the limit of open files allows, and rejects others with advice', async () => {
  const lines: string[] = [];
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } } });
  boundConnections(app, 258); // 256 of them are kept
  expect(lines.join('')).toContain('At most 2 tools and browsers can connect: raise the limit of open files');
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  const sockets: Socket[] = [];
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined); // the rejection
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  const [first, second] = [await open(), await open()];
  const third = await open();
  await once(third.resume(), 'close');
  await eventually(
    () => lines.join(''),
    (text) => text.includes('Rejecting connections, 2 are open: raise the limit of open files'),
  );
  expect([first.destroyed, second.destroyed]).toEqual([false, false]);
  for (const socket of sockets) socket.destroy();
  await app.close();
});

it('does not limit connections if the limit of open files is unknown', () => {
  const app = Fastify();
  boundConnections(app, null);
  expect(app.server.maxConnections).toBeUndefined();
});
