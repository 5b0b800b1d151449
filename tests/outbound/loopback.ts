import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, vi } from 'vitest';

/** A limit that no test is meant to reach, however busy the machine is. */
export const PATIENT_MS = 60_000;

vi.setConfig({ testTimeout: PATIENT_MS });

type Closable = { close: () => Promise<void> };

/** Closes after each test what was handed over in it. */
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

/** A plain HTTP server on loopback that answers as told and leaves it to its clients to hang up. */
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
