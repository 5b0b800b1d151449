import { chmod, rm } from 'node:fs/promises';
import { isIP } from 'node:net';
import { type Server, ServerCredentials } from '@grpc/grpc-js';
import { isLoopback, type Network, reachableAt, reachableHost } from '../network.ts';

/** Where the server listens: a Unix socket, or TCP. */
export type Listen = Readonly<{ socketPath: string }> | Network;

/** The address for clients. */
export type Address = Readonly<{ connectionString: string; host: string; port: number }>;

// The limit of Linux and macOS for socket paths, with a margin.
const SOCKET_PATH_BYTES = 100;
const bind = (server: Server, address: string, credentials: ServerCredentials): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => (error ? reject(error) : resolve(port)));
  });

const listenOnSocket = async (server: Server, socketPath: string): Promise<Address> => {
  if (!socketPath.startsWith('/') || Buffer.byteLength(socketPath) > SOCKET_PATH_BYTES) {
    throw new Error(
      `The path of the event store's socket must be absolute and of at most ${SOCKET_PATH_BYTES} bytes: ${socketPath}`,
    );
  }
  // A stale socket: this process holds the store's lock, so the previous server has ended.
  await rm(socketPath, { force: true });
  await bind(server, `unix:${socketPath}`, ServerCredentials.createInsecure());
  await chmod(socketPath, 0o600);
  const path = socketPath.split('/').map(encodeURIComponent).join('/');
  return { connectionString: `esdb+unix://${path}`, host: 'localhost', port: 0 };
};

/** Binds the server. A `port` of 0 selects a free port. */
export const listen = async (server: Server, where: Listen): Promise<Address> => {
  if ('socketPath' in where) return listenOnSocket(server, where.socketPath);
  const { host, port, tls } = where;
  if (!tls && !isLoopback(host))
    throw new Error(`The event store listens on ${host} only with TLS: without TLS, anyone on the network could read it`);
  const credentials = tls
    ? ServerCredentials.createSsl(null, [{ private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) }])
    : ServerCredentials.createInsecure();
  const bound = await bind(server, isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`, credentials);
  return {
    connectionString: `esdb://${reachableAt(host, bound)}?tls=${tls !== undefined}`,
    host: reachableHost(host),
    port: bound,
  };
};
