import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../bootstrap/config.ts';
import { DATABASES } from '../bootstrap/embeddedStores.ts';
import { SCOPE_ATTRIBUTES } from '../database/roles.ts';
import { backUpCluster, copyClusterFiles, syncPath } from '../embedded/postgres/backup.ts';
import { findPostgres } from '../embedded/postgres/findPostgres.ts';
import { startPostgres } from '../embedded/postgres/server.ts';
import type { Print } from './commands.ts';
import { StoreMissing } from './operator.ts';

/** Written last, so that a backup with it is complete. */
const MANIFEST = 'latchkey-backup.json';
/** Below the data directory, until a restore is complete. */
const STAGING = '.restore';
const SECRETS = ['master-secret', 'eventstore-password', join('rotation', 'master-secret')];
const CLUSTER = join('postgres', 'cluster');
const PASSWORDS = join('postgres', 'passwords.json');

/** A backup or a restore cannot be done there. The message says what to do. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

const entriesOf = async (directory: string): Promise<string[]> =>
  readdir(directory).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw new BackupRefused(`${directory} cannot be read: ${error.message}`);
  });

const copySecrets = async (from: string, to: string): Promise<void> => {
  for (const name of [...SECRETS, PASSWORDS]) {
    if (!(await stat(join(from, name)).catch(() => null))) continue;
    await mkdir(dirname(join(to, name)), { recursive: true, mode: 0o700 });
    await copyFile(join(from, name), join(to, name));
    await syncPath(join(to, name));
  }
};

/** Connects to the running PostgreSQL of the data directory, or starts it. */
const reachPostgres = async (dataDir: string): Promise<{ url: string; stop: () => Promise<void> }> => {
  const directory = join(dataDir, 'postgres');
  const running = await findPostgres(directory);
  if (running) return { url: running.url('postgres', 'superuser'), stop: async () => undefined };
  const databases = [DATABASES.product, DATABASES.events];
  const started = await startPostgres({ directory, databases, groups: SCOPE_ATTRIBUTES, log: () => undefined });
  return { url: started.url('postgres', 'superuser'), stop: started.stop };
};

/**
 * Writes a backup of the embedded stores, with the secrets of the data directory, into an empty or new directory, also while a server
 * runs. Throws `StoreMissing` and `BackupRefused`.
 */
export const backUp = async (
  { databaseUrl, eventStoreUrl, dataDir: given }: Config,
  directory: string,
  print: Print,
  signal: AbortSignal,
): Promise<void> => {
  const dataDir = resolve(given);
  if (databaseUrl !== null && eventStoreUrl !== null) {
    throw new BackupRefused('DATABASE_URL and EVENTSTORE_URL name external stores: back them up with their own tools.');
  }
  if (!(await stat(join(dataDir, CLUSTER, 'PG_VERSION')).catch(() => null))) {
    throw new StoreMissing(`There is no data in ${dataDir}. Set DATA_DIR to the data directory of the server.`);
  }
  if ((await entriesOf(directory)).length > 0)
    throw new BackupRefused(`${directory} is not empty. Name an empty or a new directory.`);
  await mkdir(join(directory, 'postgres'), { recursive: true, mode: 0o700 });
  await chmod(directory, 0o700); // it may have existed
  const postgres = await reachPostgres(dataDir);
  try {
    await backUpCluster(postgres.url, join(dataDir, CLUSTER), join(directory, CLUSTER), signal);
  } finally {
    await postgres.stop();
  }
  await copySecrets(dataDir, directory);
  const manifest = { createdAt: new Date().toISOString(), hasMasterSecret: (await entriesOf(directory)).includes('master-secret') };
  await writeFile(join(directory, MANIFEST), `${JSON.stringify(manifest)}\n`, { mode: 0o600, flush: true });
  await syncPath(directory);
  const secret = manifest.hasMasterSecret
    ? 'It contains the master secret: keep it as safe as the data.'
    : 'It does not contain MASTER_SECRET: keep that, too.';
  print.result({ directory, ...manifest }, `Backup written to ${directory}. ${secret}`);
};

/** Copies a backup into the data directory, which must be empty or missing. Throws `BackupRefused`. */
export const restore = async ({ dataDir: given }: Config, directory: string, print: Print, signal: AbortSignal): Promise<void> => {
  const dataDir = resolve(given);
  const manifest = await readFile(join(directory, MANIFEST), 'utf8').catch(() => null);
  if (manifest === null) throw new BackupRefused(`${directory} contains no complete backup.`);
  const existing = (await entriesOf(dataDir)).filter((name) => name !== STAGING);
  if (existing.length > 0) throw new BackupRefused(`${dataDir} is not empty. Set DATA_DIR to an empty or a new directory.`);
  const staging = join(dataDir, STAGING);
  await rm(staging, { recursive: true, force: true }); // of a restore that was interrupted
  await mkdir(join(staging, 'postgres'), { recursive: true, mode: 0o700 });
  await copySecrets(directory, staging);
  await copyClusterFiles(join(directory, CLUSTER), join(staging, CLUSTER), signal, { isBackup: true });
  const names = (await readdir(staging)).filter((name) => name !== 'postgres');
  for (const name of [...names, 'postgres']) await rename(join(staging, name), join(dataDir, name)); // the secrets first
  await rm(staging, { recursive: true });
  await syncPath(dataDir);
  print.result({ dataDir }, `Restored ${directory} into ${dataDir}. Start the server, then run latchkey-admin verify.`);
};
