import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type ListenOptions } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { type Account, giveTo } from './account.ts';
import type { LockFile } from './lockFile.ts';
import { LOGINS, type Login, type Passwords } from './passwords.ts';

/** Where a PostgreSQL of ours is spoken to. */
export type Address =
  | { kind: 'socket'; directory: string; temporary: boolean } // only its owner (and root) may enter the directory
  | { kind: 'tcp'; port: number };

/** Only part of the socket's name, as each has a directory of its own. */
const SOCKET_PORT = 5432;

/** A socket's path has 104 bytes on macOS and 108 on Linux, the last of them zero. */
const LONGEST_SOCKET_PATH = 100;

const TEMPORARY = 'latchkey-pg-';

/** Opens and closes a listener; gives its port. Rejects where it cannot be opened. */
const tryListening = (options: ListenOptions): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(options, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const takesSockets = (directory: string): Promise<boolean> =>
  tryListening({ path: join(directory, `.s.probe.${randomBytes(4).toString('hex')}`) }).then(
    () => true,
    () => false, // some network, FUSE and FAT file systems
  );

const isShortEnough = (directory: string) => Buffer.byteLength(join(directory, `.s.PGSQL.${SOCKET_PORT}`)) <= LONGEST_SOCKET_PATH;

const temporaryDirectory = async (account: Account): Promise<string | null> => {
  for (const base of new Set([tmpdir(), '/tmp'])) {
    const directory = await mkdtemp(join(base, TEMPORARY)).catch(() => null);
    if (!directory) continue;
    if (isShortEnough(directory) && (await takesSockets(directory))) {
      await giveTo(account, directory);
      return directory;
    }
    await rm(directory, { recursive: true, force: true });
  }
  return null;
};

/**
 * A Unix socket in the cluster; where its path is too long or the file system has none, in a directory of our own below
 * the system's temporary one; where there are none at all, or when asked for, a free loopback port with a password.
 */
export const chooseAddress = async (cluster: string, account: Account, transport: 'socket' | 'tcp'): Promise<Address> => {
  if (transport === 'socket' && process.platform !== 'win32') {
    if (isShortEnough(cluster) && (await takesSockets(cluster))) return { kind: 'socket', directory: cluster, temporary: false };
    const directory = await temporaryDirectory(account);
    if (directory) return { kind: 'socket', directory, temporary: true };
  }
  return { kind: 'tcp', port: await tryListening({ host: '127.0.0.1', port: 0 }) };
};

/** The address of a PostgreSQL that runs already, from what it wrote about itself. */
export const addressFrom = (cluster: string, lock: LockFile): Address =>
  lock.socketDirectory
    ? {
        kind: 'socket',
        directory: isAbsolute(lock.socketDirectory) ? lock.socketDirectory : cluster,
        temporary: basename(lock.socketDirectory).startsWith(TEMPORARY),
      }
    : { kind: 'tcp', port: lock.port };

/** The settings that make PostgreSQL listen there. The cluster is its working directory, whatever the length of its path. */
export const listenSettings = (address: Address): Record<string, string> =>
  address.kind === 'socket'
    ? {
        port: String(SOCKET_PORT),
        listen_addresses: '',
        unix_socket_directories: address.temporary ? address.directory : '.',
        unix_socket_permissions: '0700',
      }
    : { port: String(address.port), listen_addresses: '127.0.0.1', unix_socket_directories: '' };

/** A connection string for `pg` and libpq, complete so that no PG* variable of the environment changes what it means. */
export const urlOf = (address: Address, passwords: Passwords, database: string, login: Login): string => {
  const name = encodeURIComponent(database);
  const credentials = `${LOGINS[login]}:${passwords[login]}`;
  return address.kind === 'socket'
    ? `postgres://${credentials}@localhost:${SOCKET_PORT}/${name}?host=${encodeURIComponent(address.directory)}&sslmode=disable`
    : `postgres://${credentials}@127.0.0.1:${address.port}/${name}?sslmode=disable`;
};

/** Whether somebody listens on the socket there. A socket file whose process is gone refuses. */
export const isAnswering = (address: Address): Promise<boolean> =>
  new Promise((resolve) => {
    if (address.kind === 'tcp') return resolve(false); // a port may be anybody's by now
    const socket = connect(join(address.directory, `.s.PGSQL.${SOCKET_PORT}`));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

/** Removes the directory that was made for the socket, if one was. */
export const forgetAddress = async (address: Address): Promise<void> => {
  if (address.kind === 'socket' && address.temporary) await rm(address.directory, { recursive: true, force: true });
};
