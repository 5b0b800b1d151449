import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** PostgreSQL creates their content at a start, or the copy must not have it (replication slots). */
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
/** Lock files name the process of the running cluster: a restored one would not start while a process has that id. */
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)|\.s\.PGSQL\.\d+\.lock|pgsql_tmp.*|pg_internal\.init.*)$/;
const WAL_FILE = /^[0-9A-F]{24}$/;
const HISTORY_FILE = /\.history$/;

/** Copies a file and makes the copy durable. A file that PostgreSQL has removed since is left out. */
const copyDurably = async (from: string, to: string): Promise<void> => {
  try {
    await copyFile(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await syncPath(to);
};

/** Makes a file or directory durable. */
export const syncPath = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Copies the files of a cluster, without sockets; those of a running one also without what PostgreSQL needs for itself. */
export const copyClusterFiles = async (from: string, to: string, signal: AbortSignal, { isBackup = false } = {}): Promise<void> => {
  await mkdir(to, { mode: 0o700 });
  const entries = await readdir(from, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []; // a database that was dropped
    throw error;
  });
  for (const entry of entries) {
    signal.throwIfAborted();
    if (LEFT_OUT.test(entry.name)) continue;
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && !isBackup && EMPTIED.has(entry.name)) await mkdir(copy, { mode: 0o700 });
    else if (entry.isDirectory()) await copyClusterFiles(source, copy, signal, { isBackup });
    else if (entry.isFile()) await copyDurably(source, copy);
  }
  await syncPath(to);
};

const connected = async <Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // the query that is running fails
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/**
 * Copies the files of a running PostgreSQL with all its databases, as of one moment: the end of the copy. PostgreSQL's own program for
 * it is not among the embedded binaries, so this uses the functions that it is made of: the write-ahead log between start and end makes
 * the copied files consistent when PostgreSQL starts on them. `url` logs in as superuser; `to` must not exist.
 */
export const backUpCluster = (url: string, cluster: string, to: string, signal: AbortSignal): Promise<void> =>
  connected(url, async (client) => {
    // Keeps the log until the session ends.
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [
      `latchkey_backup_${randomBytes(6).toString('hex')}`,
    ]);
    const { rows: started } = await client.query<{ first: string }>(
      `select pg_walfile_name(pg_backup_start('latchkey', true)) as first`,
    );
    await copyClusterFiles(cluster, to, signal);
    const { rows: stopped } = await client.query<{ label: string; last: string }>(
      `select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)`,
    );
    const [first, { label, last }] = [started[0]?.first, stopped[0] ?? {}];
    if (!first || !label || !last) throw new Error('PostgreSQL did not finish the backup');
    await writeFile(join(to, 'backup_label'), label, { mode: 0o600, flush: true });
    const log = join(cluster, 'pg_wal');
    for (const name of await readdir(log)) {
      signal.throwIfAborted();
      const isNeeded = HISTORY_FILE.test(name) || (WAL_FILE.test(name) && name >= first && name <= last);
      if (isNeeded) await copyDurably(join(log, name), join(to, 'pg_wal', name));
    }
    await syncPath(join(to, 'pg_wal'));
    await syncPath(to);
  });
