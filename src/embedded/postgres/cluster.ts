import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Network } from '../network.ts';
import { changeOwner, changeTreeOwner, isRoot } from './account.ts';
import type { Binaries } from './binaries.ts';
import { PostgresError } from './error.ts';
import { type Account, runToEnd } from './launch.ts';
import { processOf } from './lockingProcess.ts';
import { LOGINS, makePasswords, type Passwords, readPasswords, scramVerifier } from './passwords.ts';

/** The password file for initdb. It contains the SCRAM verifier, not the password, because the account can read it. */
const VERIFIER_FILE = 'superuser.verifier';

/** Previous versions stored the superuser's password in the cluster, where the account can read it. */
const OLD_PASSWORD_FILE = 'latchkey.password';

/** Every connection needs a password, also over the socket. */
const HBA = `# Latchkey writes this file at each start: changes are lost.
local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
host all all ::1/128 scram-sha-256
hostssl all all all scram-sha-256
`;

const STAGING = '.initdb-';

const UNKNOWN_USER = /could not look up effective user ID/;

/**
 * The value of PostgreSQL's option -D. As root on Linux it is the working directory, which the child enters before it drops root's
 * rights. So it needs no access to the parent directories, which may have mode 0700.
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

/** Removes the staging directories of starts that were killed during initdb. */
const removeLeftovers = async (home: string): Promise<void> => {
  for (const name of await readdir(home)) {
    if (!name.startsWith(STAGING)) continue;
    const pid = Number(name.slice(STAGING.length).split('-')[0]);
    if (pid === process.pid || !(await processOf(pid))) await rm(join(home, name), { recursive: true, force: true, maxRetries: 5 });
  }
};

/** Creates the cluster in a staging directory and renames it. The rename is atomic, so one of two concurrent starts wins. */
const initialise = async (cluster: string, home: string, { initdb }: Binaries, account: Account): Promise<void> => {
  const passwords = (await readPasswords(home)) ?? (await makePasswords(home));
  await removeLeftovers(home);
  const staging = join(home, `${STAGING}${process.pid}-${randomBytes(4).toString('hex')}`);
  const [created, verifier] = [join(staging, basename(cluster)), join(staging, VERIFIER_FILE)];
  try {
    for (const folder of [staging, created]) {
      await mkdir(folder, { mode: 0o700 });
      await changeOwner(account, folder);
    }
    await writeFile(verifier, await scramVerifier(passwords.superuser), { mode: 0o600 });
    await changeOwner(account, verifier);
    const at = clusterArgument(created, account);
    const { code, signal, output } = await runToEnd(
      initdb,
      // An explicit locale, because LANG would determine the encoding and the sort order.
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
        `--pwfile=${at === created ? verifier : `${at}/../${VERIFIER_FILE}`}`,
      ],
      { cwd: created, account, parentDeathSignal: 'KILL' },
    );
    if (UNKNOWN_USER.test(output)) {
      throw new PostgresError(
        'not_permitted',
        `User id ${account?.uid ?? process.geteuid?.()} has no entry in /etc/passwd, and PostgreSQL cannot create a database for such a user. Run as a user with an entry, or set DATABASE_URL.`,
      );
    }
    if (code !== 0) throw new PostgresError('failed', `initdb in ${home} exited with ${signal ?? code}: ${output}`);
    await writeHba(created, account);
    await syncFolder(created);
    await rename(created, cluster).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error; // another start was faster
    });
    await syncFolder(home);
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 5 });
  }
};

/**
 * Creates the cluster if it is missing. Throws PostgresError if it has another major version or another owner, or if the directory
 * contains other files.
 */
export const prepareCluster = async (cluster: string, home: string, binaries: Binaries, account: Account): Promise<void> => {
  const names = await readdir(cluster).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'EACCES') throw wrongOwner(cluster);
    throw error;
  });
  if (names.length === 0) return initialise(cluster, home, binaries, account);
  if (!names.includes('PG_VERSION')) {
    throw new PostgresError('not_a_cluster', `${cluster} contains files but no database. Move them, or choose another DATA_DIR.`);
  }
  const { uid, mode } = await stat(cluster);
  if (!isRoot() && uid !== process.geteuid?.()) throw wrongOwner(cluster);
  if ((mode & 0o777) !== 0o700) await chmod(cluster, 0o700); // PostgreSQL requires it
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (version !== String(binaries.major)) {
    throw new PostgresError(
      'wrong_version',
      `${cluster} was created by PostgreSQL ${version}, but this release includes PostgreSQL ${binaries.major}. Dump it with the release that created it, and restore it into a new DATA_DIR.`,
    );
  }
};

const wrongOwner = (cluster: string) =>
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
  await changeOwner(account, temporary);
  await rename(temporary, path);
};

const CERTIFICATE_FILES = { cert: 'network.crt', key: 'network.key' } as const;

/** Copies the key and certificate to where PostgreSQL's account can read them. Returns the settings that name them. */
export const prepareTls = async (cluster: string, account: Account, { tls }: Network): Promise<Record<string, string>> => {
  if (!tls) return {};
  for (const part of ['cert', 'key'] as const) {
    const path = join(cluster, CERTIFICATE_FILES[part]);
    await writeFile(path, tls[part], { mode: 0o600 });
    await changeOwner(account, path);
  }
  return { ssl: 'on', ssl_cert_file: CERTIFICATE_FILES.cert, ssl_key_file: CERTIFICATE_FILES.key };
};

/**
 * Sets the superuser's password in single-user mode, which allows no connections. `env` is the environment of the server.
 * Throws PostgresError `failed` with PostgreSQL's output.
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
      parentDeathSignal: 'KILL',
      input: `ALTER ROLE ${LOGINS.superuser} PASSWORD '${await scramVerifier(passwords.superuser)}'\n`,
    },
  );
  if (code !== 0 || /\b(ERROR|FATAL|PANIC):/.test(output)) {
    throw new PostgresError('failed', `The passwords in ${cluster} could not be set (${signal ?? code}): ${output}`);
  }
};

/**
 * Upgrades a stopped cluster of a previous version: ownership by the account, passwords, and password authentication (previous
 * versions trusted all local connections). Idempotent, so a start after a crash completes it.
 */
export const secureCluster = async (
  cluster: string,
  home: string,
  binaries: Binaries,
  account: Account,
  env: Record<string, string>,
): Promise<void> => {
  if (account && (await stat(cluster)).uid !== account.uid >>> 0) await changeTreeOwner(account, cluster);
  const kept = await readPasswords(home);
  const isSecure = kept !== null && (await readFile(join(cluster, 'pg_hba.conf'), 'utf8').catch(() => '')) === HBA;
  if (isSecure) return;
  await resetSuperuser(cluster, binaries, account, { passwords: kept ?? (await makePasswords(home)), env });
  await rm(join(cluster, OLD_PASSWORD_FILE), { force: true });
  await writeHba(cluster, account);
  await syncFolder(cluster);
};
