import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type ListenOptions } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { isLoopback, isWildcard, type Network, reachableAt } from '../network.ts';
import { changeOwner } from './account.ts';
import type { Account } from './launch.ts';
import type { LockFile } from './lockFile.ts';
import { LOGINS, type Login, type Passwords } from './passwords.ts';

/** The address of an embedded PostgreSQL. */
export type Address =
  | { kind: 'socket'; directory: string; port: number; temporary: boolean } // only its owner (and root) can access the directory
  | { kind: 'tcp'; port: number };

/** Without a network port only part of the socket's file name: it can be constant because each socket has its own directory. */
const SOCKET_PORT = 5432;
const LONGEST_PORT = 65_535;

/** The limit is 104 bytes on macOS and 108 on Linux, with a terminating zero. */
const MAX_SOCKET_PATH_BYTES = 100;

const TEMPORARY_PREFIX = 'latchkey-pg-';

/** Opens and closes a listener and returns its port. Rejects if it cannot be opened. */
const probePort = (options: ListenOptions): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(options, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const supportsSockets = (directory: string): Promise<boolean> =>
  probePort({ path: join(directory, `.s.probe.${randomBytes(4).toString('hex')}`) }).then(
    () => true,
    () => false, // some network, FUSE and FAT file systems
  );

const isShortEnough = (directory: string) =>
  Buffer.byteLength(join(directory, `.s.PGSQL.${LONGEST_PORT}`)) <= MAX_SOCKET_PATH_BYTES;

const temporaryDirectory = async (account: Account): Promise<string | null> => {
  for (const base of new Set([tmpdir(), '/tmp'])) {
    const directory = await mkdtemp(join(base, TEMPORARY_PREFIX)).catch(() => null);
    if (!directory) continue;
    if (isShortEnough(directory) && (await supportsSockets(directory))) {
      await changeOwner(account, directory);
      return directory;
    }
    await rm(directory, { recursive: true, force: true });
  }
  return null;
};

/**
 * A Unix socket in the cluster. If the path is too long or the file system does not support sockets, a socket in a temporary
 * directory. Without socket support, or with `transport` 'tcp', a loopback port. The port is that of the network, or a free one.
 */
export const chooseAddress = async (
  cluster: string,
  account: Account,
  transport: 'socket' | 'tcp',
  network: Network | undefined,
): Promise<Address> => {
  if (transport === 'socket' && process.platform !== 'win32') {
    const port = network?.port ?? SOCKET_PORT;
    if (isShortEnough(cluster) && (await supportsSockets(cluster)))
      return { kind: 'socket', directory: cluster, port, temporary: false };
    const directory = await temporaryDirectory(account);
    if (directory) return { kind: 'socket', directory, port, temporary: true };
  }
  return { kind: 'tcp', port: network?.port ?? (await probePort({ host: '127.0.0.1', port: 0 })) };
};

/** The address of a running PostgreSQL, from its lock file. */
export const addressFrom = (cluster: string, lock: LockFile): Address =>
  lock.socketDirectory
    ? {
        kind: 'socket',
        directory: isAbsolute(lock.socketDirectory) ? lock.socketDirectory : cluster,
        port: lock.port,
        temporary: basename(lock.socketDirectory).startsWith(TEMPORARY_PREFIX),
      }
    : { kind: 'tcp', port: lock.port };

const LOOPBACK = '127.0.0.1';

const loopbackAnd = (host: string | undefined): string => {
  if (host === undefined || isLoopback(host)) return LOOPBACK;
  return isWildcard(host) ? host : `${LOOPBACK},${host}`;
};

/** PostgreSQL's settings for the address. The socket path is relative to the cluster, its working directory, because of the length limit. */
export const listenSettings = (address: Address, network: Network | undefined): Record<string, string> =>
  address.kind === 'socket'
    ? {
        port: String(address.port),
        listen_addresses: network?.host ?? '',
        unix_socket_directories: address.temporary ? address.directory : '.',
        unix_socket_permissions: '0700',
      }
    : { port: String(address.port), listen_addresses: loopbackAnd(network?.host), unix_socket_directories: '' };

/** A connection string for `pg` and libpq. It sets every parameter, so that no PG* environment variable applies. */
export const urlOf = (address: Address, passwords: Passwords, database: string, login: Login): string => {
  const name = encodeURIComponent(database);
  const credentials = `${LOGINS[login]}:${passwords[login]}`;
  return address.kind === 'socket'
    ? `postgres://${credentials}@localhost:${address.port}/${name}?host=${encodeURIComponent(address.directory)}&sslmode=disable`
    : `postgres://${credentials}@127.0.0.1:${address.port}/${name}?sslmode=disable`;
};

/** A connection string with which other nodes reach this PostgreSQL over TCP. */
export const networkUrlOf = ({ host, port, tls }: Network, passwords: Passwords, database: string, login: Login): string =>
  `postgres://${LOGINS[login]}:${passwords[login]}@${reachableAt(host, port)}/${encodeURIComponent(database)}?sslmode=${tls ? 'verify-full' : 'disable'}`;

/** Whether a process listens on the socket. A stale socket file refuses connections. */
export const isListening = (address: Address): Promise<boolean> =>
  new Promise((resolve) => {
    if (address.kind === 'tcp') return resolve(false); // another program may use the port now
    const socket = connect(join(address.directory, `.s.PGSQL.${address.port}`));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

/** Removes the temporary directory of the socket, if there is one. */
export const removeSocketDirectory = async (address: Address): Promise<void> => {
  if (address.kind === 'socket' && address.temporary) await rm(address.directory, { recursive: true, force: true });
};
