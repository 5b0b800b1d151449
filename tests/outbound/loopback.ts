import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, vi } from 'vitest';

/** A timeout that no test reaches, even on a busy machine. */
export const GENEROUS_TIMEOUT_MS = 60_000;

vi.setConfig({ testTimeout: GENEROUS_TIMEOUT_MS });

type Closable = { close: () => Promise<void> };

/** Closes the registered servers after each test. */
export const closedAfterEach = (): (<T extends Closable>(server: T) => T) => {
  const open: Closable[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close();
  });
  return (server) => {
    open.push(server);
    return server;
  };
};

/** A plain HTTP server on loopback with the given request handler, which leaves closing connections to its clients. */
export const startAnswering = async (listener: RequestListener): Promise<Closable & { url: string }> => {
  const server = createServer({ keepAliveTimeout: 0 }, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
};
