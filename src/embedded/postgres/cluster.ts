import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Account, giveTo, giveTreeTo, weAreRoot } from './account.ts';
import type { Binaries } from './binaries.ts';
import { PostgresError } from './error.ts';
import { processOf } from './holder.ts';
import { runToEnd } from './launch.ts';
import { LOGINS, makePasswords, type Passwords, readPasswords, scramVerifier } from './passwords.ts';

/** What initdb reads the superuser's password from: it holds the SCRAM verifier, as the account can read it. */
const VERIFIER_FILE = 'superuser.verifier';

/** Previous versions kept the superuser's password in the cluster, where the account can read it. */
const OLD_PASSWORD_FILE = 'latchkey.password';

/** Nobody is trusted for reaching the socket: every connection gives a password. */
const HBA = `# Latchkey writes this file at each start: changes are lost.
local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
`;

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
  const passwords = (await readPasswords(home)) ?? (await makePasswords(home));
  await removeLeftovers(home);
  const staging = join(home, `${STAGING}${process.pid}-${randomBytes(4).toString('hex')}`);
  const [made, verifier] = [join(staging, basename(cluster)), join(staging, VERIFIER_FILE)];
  try {
    for (const folder of [staging, made]) {
      await mkdir(folder, { mode: 0o700 });
      await giveTo(account, folder);
    }
    await writeFile(verifier, await scramVerifier(passwords.superuser), { mode: 0o600 });
    await giveTo(account, verifier);
    const at = clusterArgument(made, account);
    const { code, signal, output } = await runToEnd(
      initdb,
      // without the locale, LANG unset gives SQL_ASCII and LANG set gives an order that another machine does not have
      [
        '-D',
        at,
        '-U',
        LOGINS.superuser,
        '-E',
        'UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--auth-local=scram-sha-256',
        '--auth-host=scram-sha-256',
        `--pwfile=${at === made ? verifier : `${at}/../${VERIFIER_FILE}`}`,
      ],
      { cwd: made, account, whenWeDie: 'KILL' },
    );
    if (UNKNOWN_USER.test(output)) {
      throw new PostgresError(
        'not_permitted',
        `User id ${account?.uid ?? process.geteuid?.()} has no entry in /etc/passwd, and PostgreSQL cannot create a database for such a user. Run as a user with an entry, or set DATABASE_URL.`,
      );
    }
    if (code !== 0) throw new PostgresError('failed', `initdb in ${home} exited with ${signal ?? code}: ${output}`);
    await writeHba(made, account);
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
    throw new PostgresError('not_a_cluster', `${cluster} contains files but no database. Move them, or choose another DATA_DIR.`);
  }
  const { uid, mode } = await stat(cluster);
  if (!weAreRoot() && uid !== process.geteuid?.()) throw notOurs(cluster);
  if ((mode & 0o777) !== 0o700) await chmod(cluster, 0o700); // PostgreSQL refuses a laxer one
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (version !== String(binaries.major)) {
    throw new PostgresError(
      'wrong_version',
      `${cluster} was created by PostgreSQL ${version}, but this release includes PostgreSQL ${binaries.major}. Dump it with the release that created it, and restore it into a new DATA_DIR.`,
    );
  }
};

const notOurs = (cluster: string) =>
  new PostgresError(
    'not_permitted',
    `${cluster} belongs to another user than the current one (user id ${process.geteuid?.()}). Start as its owner, or change the owner with chown -R.`,
  );

const writeHba = async (cluster: string, account: Account): Promise<void> => {
  const path = join(cluster, 'pg_hba.conf');
  const temporary = `${path}.${randomBytes(4).toString('hex')}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(HBA);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await giveTo(account, temporary);
  await rename(temporary, path);
};

/**
 * Has PostgreSQL without its server, so with nobody connected, give the superuser its password. `env` is that of the server.
 * Throws PostgresError `failed` with what PostgreSQL said.
 */
export const resetSuperuser = async (
  cluster: string,
  binaries: Binaries,
  account: Account,
  { passwords, env }: { passwords: Passwords; env: Record<string, string> },
): Promise<void> => {
  const { code, signal, output } = await runToEnd(
    binaries.postgres,
    ['--single', '-D', clusterArgument(cluster, account), '-c', 'log_min_messages=warning', 'postgres'],
    {
      cwd: cluster,
      account,
      env,
      whenWeDie: 'KILL',
      input: `ALTER ROLE ${LOGINS.superuser} PASSWORD '${await scramVerifier(passwords.superuser)}'\n`,
    },
  );
  if (code !== 0 || /\b(ERROR|FATAL|PANIC):/.test(output)) {
    throw new PostgresError('failed', `The passwords in ${cluster} could not be set (${signal ?? code}): ${output}`);
  }
};

/**
 * Brings a stopped cluster to what this version expects of it: owned by the account, with passwords, and nobody let in without one.
 * A cluster of a previous version trusted whoever reached its socket. Repeats what a crash cut short.
 */
export const secureCluster = async (
  cluster: string,
  home: string,
  binaries: Binaries,
  account: Account,
  env: Record<string, string>,
): Promise<void> => {
  if (account && (await stat(cluster)).uid !== account.uid >>> 0) await giveTreeTo(account, cluster);
  const kept = await readPasswords(home);
  const isSecure = kept !== null && (await readFile(join(cluster, 'pg_hba.conf'), 'utf8').catch(() => '')) === HBA;
  if (isSecure) return;
  await resetSuperuser(cluster, binaries, account, { passwords: kept ?? (await makePasswords(home)), env });
  await rm(join(cluster, OLD_PASSWORD_FILE), { force: true });
  await writeHba(cluster, account);
  await syncFolder(cluster);
};
