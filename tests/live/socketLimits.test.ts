import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Customer } from '../../src/contracts/customers.ts';
import { boundBacklog } from '../../src/live/browserBacklog.ts';
import { send } from '../../src/live/toolSocket.ts';
import { asAdmin, asTool, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { openToolSocket } from '../support/toolSocket.ts';

const listening = async (server: HttpServer): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

describe('a tool', () => {
  let server: TestServer;
  let customer: Customer;

  beforeAll(async () => {
    server = await openServer();
    const admin = await asAdmin(server.url);
    customer = await newCustomer(admin, (await newIntegrator(admin)).id);
  });
  afterAll(() => server.close());

  const said = async (say: (ws: WebSocket) => void): Promise<{ code: number; reason: string }> => {
    const tool = await asTool(server.url, customer, 'ada');
    const { ws } = await openToolSocket(server.url, tool.token);
    const closed = once(ws, 'close');
    say(ws);
    const [code, reason] = await closed;
    return { code, reason: String(reason) };
  };
  const often = (times: number, what: () => void): void => {
    for (let time = 0; time < times; time++) what();
  };

  it('that sends too many frames after its hello is closed with a reason', async () => {
    expect(await said((ws) => often(100, () => ws.send('{"type":"chatter"}')))).toEqual({
      code: 1008,
      reason: 'Too many messages',
    });
    expect(await said((ws) => often(100, () => ws.ping()))).toEqual({ code: 1008, reason: 'Too many messages' });
  });

  it('that sends more than the size of a handshake is closed', async () => {
    expect(await said((ws) => ws.send('x'.repeat(10_000)))).toMatchObject({ code: 1009 });
  });

  it('may send a few unknown frames', async () => {
    const tool = await asTool(server.url, customer, 'ada');
    const { ws, close } = await openToolSocket(server.url, tool.token);
    often(10, () => ws.send('{"type":"something-newer"}'));
    const pong = once(ws, 'pong');
    ws.ping();
    await pong;
    expect(ws.readyState).toBe(ws.OPEN);
    await close();
  });

  it('that does not read is closed with a reason before its queue grows', async () => {
    const http = createServer();
    const url = await listening(http);
    const sockets = new WebSocketServer({ server: http });
    ends.push(() => http.close());
    const accepted = once(sockets, 'connection');
    const client = new WebSocket(url);
    const [socket]: WebSocket[] = await accepted;
    if (!socket) throw new Error('No socket connected');
    await once(client, 'open');
    client.pause();
    const reason = 'x'.repeat(50_000);
    let most = 0;
    for (let sent = 0; socket.readyState === socket.OPEN && sent < 10_000; sent++) {
      send(socket, { type: 'revoked', reason });
      most = Math.max(most, socket.bufferedAmount);
      if (sent % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(socket.readyState).toBe(socket.CLOSING);
    expect(most).toBeLessThan(250_000);
    const closed = once(client, 'close');
    client.resume();
    const [code, why] = await closed;
    expect([code, String(why)]).toEqual([1013, 'The client reads too slowly']);
  });
});

it('disconnects a browser that does not read, and no other', async () => {
  const http = createServer();
  const io = new Server(http, { transports: ['websocket'], perMessageDeflate: false, pingInterval: 600_000 });
  io.on('connection', (socket) => boundBacklog(socket.conn));
  const url = await listening(http);
  const join = async (): Promise<WebSocket> => {
    const ws = new WebSocket(`${url}/socket.io/?EIO=4&transport=websocket`);
    ends.push(() => ws.terminate());
    await once(ws, 'open');
    const joined = new Promise<void>((resolve) =>
      ws.on('message', (data) => {
        if (String(data).startsWith('40')) resolve();
      }),
    );
    ws.send('40');
    await joined;
    return ws;
  };
  const [reading, deaf] = [await join(), await join()];
  deaf.pause();
  const gone: string[] = [];
  for (const socket of io.sockets.sockets.values()) socket.on('disconnect', (reason) => gone.push(reason));
  let received = 0;
  reading.on('message', () => {
    received += 1;
  });
  const text = 'x'.repeat(50_000);
  let sent = 0;
  await eventually(
    async () => {
      for (let message = 0; message < 20; message++) {
        io.emit('changed', text);
        sent += 1;
      }
      await new Promise((resolve) => setImmediate(resolve));
      return gone.length;
    },
    (count) => count > 0,
    60_000,
  );
  await eventually(
    () => received,
    (count) => count >= sent,
  );
  expect(gone).toEqual(['forced close']);
  expect(reading.readyState).toBe(reading.OPEN);
  deaf.terminate();
  await io.close();
});
