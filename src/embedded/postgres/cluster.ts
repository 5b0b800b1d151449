import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Account, giveTo, giveTreeTo, weAreRoot } from './account.ts';
import type { Binaries } from './binaries.ts';
import { PostgresError } from './error.ts';
import { processOf } from './holder.ts';
import { runToEnd } from './launch.ts';

/** The only role; it owns the cluster. */
export const SUPERUSER = 'latchkey';

/** Beside the cluster's own files, so that a copy of the cluster carries it. Wanted only over TCP. */
const PASSWORD_FILE = 'latchkey.password';

const STAGING = '.initdb-';

const UNKNOWN_USER = /could not look up effective user ID/;

/**
 * How PostgreSQL is told where its cluster is. As root on Linux it is a way in that needs no permission on the folders
 * above: the child is put there before it gives up root, so the data may live below a directory of mode 0700.
 */
export const clusterArgument = (cluster: string, account: Account): string =>
  account && process.platform === 'linux' ? '/proc/self/cwd' : cluster;

const syncFolder = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Removes what starts that were killed in the middle of initdb left behind. */
const removeLeftovers = async (home: string): Promise<void> => {
  for (const name of await readdir(home)) {
    if (!name.startsWith(STAGING)) continue;
    const pid = Number(name.slice(STAGING.length).split('-')[0]);
    if (pid === process.pid || !(await processOf(pid))) await rm(join(home, name), { recursive: true, force: true, maxRetries: 5 });
  }
};

/** Makes the cluster aside and renames it, so that it exists whole or not at all, and one of two racing starts wins. */
const initialise = async (cluster: string, home: string, { initdb }: Binaries, account: Account): Promise<void> => {
  await removeLeftovers(home);
  const staging = join(home, `${STAGING}${process.pid}-${randomBytes(4).toString('hex')}`);
  const [made, password] = [join(staging, basename(cluster)), join(staging, PASSWORD_FILE)];
  try {
    for (const folder of [staging, made]) {
      await mkdir(folder, { mode: 0o700 });
      await giveTo(account, folder);
    }
    await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600 });
    await giveTo(account, password);
    const at = clusterArgument(made, account);
    const { code, signal, output } = await runToEnd(
      initdb,
      // without the locale, LANG unset gives SQL_ASCII and LANG set gives an order that another machine does not have
      [
        '-D',
        at,
        '-U',
        SUPERUSER,
        '-E',
        'UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--auth-local=trust',
        '--auth-host=scram-sha-256',
        `--pwfile=${at === made ? password : `${at}/../${PASSWORD_FILE}`}`,
      ],
      { cwd: made, account, whenWeDie: 'KILL' },
    );
    if (UNKNOWN_USER.test(output)) {
      throw new PostgresError(
        'not_permitted',
        `User id ${account?.uid ?? process.geteuid?.()} has no entry in /etc/passwd, and PostgreSQL makes no database for such a user: run as one that has, or set DATABASE_URL.`,
      );
    }
    if (code !== 0) throw new PostgresError('failed', `initdb in ${home} ended with ${signal ?? code}: ${output}`);
    await rename(password, join(made, PASSWORD_FILE));
    await syncFolder(made);
    await rename(made, cluster).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error; // another start was faster
    });
    await syncFolder(home);
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 5 });
  }
};

/**
 * Sees to it that there is a cluster which this PostgreSQL and this account can serve: makes one where there is none,
 * and refuses one of another major version, of another owner, or a folder that holds something else.
 */
export const prepareCluster = async (cluster: string, home: string, binaries: Binaries, account: Account): Promise<void> => {
  const names = await readdir(cluster).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'EACCES') throw notOurs(cluster);
    throw error;
  });
  if (names.length === 0) return initialise(cluster, home, binaries, account);
  if (!names.includes('PG_VERSION')) {
    throw new PostgresError('not_a_cluster', `${cluster} holds files but no database: move them away or choose another DATA_DIR.`);
  }
  const { uid, mode } = await stat(cluster);
  if (weAreRoot()) {
    if (uid === 0) await giveTreeTo(account, cluster);
  } else if (uid !== process.geteuid?.()) throw notOurs(cluster);
  if ((mode & 0o777) !== 0o700) await chmod(cluster, 0o700); // PostgreSQL refuses a laxer one
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (version !== String(binaries.major)) {
    throw new PostgresError(
      'wrong_version',
      `${cluster} was made by PostgreSQL ${version}, this release brings PostgreSQL ${binaries.major}: dump it with the release that made it and restore into a new DATA_DIR.`,
    );
  }
};

const notOurs = (cluster: string) =>
  new PostgresError(
    'not_permitted',
    `${cluster} belongs to another user than the one this runs as (user id ${process.geteuid?.()}): start as its owner, or give it away with chown -R.`,
  );

/** The superuser's password, made with the cluster. */
export const readPassword = async (cluster: string): Promise<string> =>
  (await readFile(join(cluster, PASSWORD_FILE), 'utf8')).trim();
