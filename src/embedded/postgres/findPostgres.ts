import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { addressFrom, urlOf } from './address.ts';
import { PostgresError } from './error.ts';
import { readLockFile } from './lockFile.ts';
import { lockingProcessOf } from './lockingProcess.ts';
import { type Login, readPasswords } from './passwords.ts';

/** A running PostgreSQL of another process. */
export type FoundPostgres = Readonly<{
  /** A connection string for `pg`, with the password. */
  url: (database: string, login: Login) => string;
  pid: number;
  /** The id of its process owner. */
  owner: number;
}>;

/** The PostgreSQL that another process runs on the directory; null when there is none. Throws PostgresError. */
export const findPostgres = async (directory: string): Promise<FoundPostgres | null> => {
  const home = await realpath(directory).catch(() => null);
  if (!home) return null;
  const cluster = join(home, 'cluster');
  const lock = await readLockFile(cluster);
  if (!lock?.ready) return null;
  const found = await lockingProcessOf(cluster, lock);
  if (found.kind !== 'owned') return null;
  const passwords = await readPasswords(home);
  if (!passwords) {
    throw new PostgresError(
      'failed',
      `The server that runs on ${home} has a previous version. Restart it with this version first.`,
    );
  }
  const address = addressFrom(cluster, lock);
  return { url: (database, login) => urlOf(address, passwords, database, login), pid: found.pid, owner: found.owner };
};
