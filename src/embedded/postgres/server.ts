import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Account, accountFor, giveTo, isShared } from './account.ts';
import { type Address, addressFrom, chooseAddress, forgetAddress, isAnswering, listenSettings, urlOf } from './address.ts';
import { type Binaries, copyFolders, findBinaries, findPackage } from './binaries.ts';
import { clusterArgument, prepareCluster, resetSuperuser, secureCluster } from './cluster.ts';
import { type Groups, prepareDatabases, WRONG_PASSWORD } from './databases.ts';
import { PostgresError } from './error.ts';
import { holderOf, signature, stopOrphan } from './holder.ts';
import { type Exit, launch, type Running } from './launch.ts';
import { readLockFile } from './lockFile.ts';
import { type Login, type Passwords, readPasswords } from './passwords.ts';

export type PostgresOptions = {
  /** Where the cluster is kept, in a folder `cluster`; made when missing, its parents too. */
  directory: string;
  /** Created when missing; they belong to the owner's login. */
  databases: readonly string[];
  /** Roles without login that the application's login may take on with SET ROLE; created when missing. */
  groups?: Groups;
  /** Gets what PostgreSQL logs, line by line. */
  log: (line: string) => void;
  /** PostgreSQL settings over the defaults below. */
  settings?: Record<string, string>;
  /** `tcp` for a loopback port and a password instead of a Unix socket. */
  transport?: 'socket' | 'tcp';
  /** Told once if PostgreSQL ends without `stop()`; it may then be started again with the same options. */
  onExit?: (exit: Exit) => void;
};

export type EmbeddedPostgres = {
  /** A connection string for `pg`, with a password in it. */
  url: (database: string, login: Login) => string;
  /** Where its Unix socket is, null over TCP. */
  socketDirectory: string | null;
  pid: number;
  /** Stops it cleanly and waits for its end; may be called again. */
  stop: () => Promise<void>;
};

/** Nothing acknowledged is ever lost, and a person reading the log sees what matters. */
const DEFAULTS = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_wal_size: '2GB',
  random_page_cost: '1.1', // of a disk that does not turn, and of pages that are in memory anyway
  jit: 'off', // compiling costs more than the short queries here take
};

/** A shutdown that is still at its checkpoint by then is cut short; the log is replayed at the next start. */
const STOP_MS = 30_000;

/** How long another PostgreSQL, or the remains of one, may take to let go of the directory. */
const PATIENCE_MS = 10_000;

type Place = { home: string; cluster: string; account: Account; binaries: Binaries };
type Started = { running: Running; address: Address; passwords: Passwords };

const preparePlace = async ({ directory, log }: PostgresOptions): Promise<Place> => {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new PostgresError('not_permitted', `${directory} cannot be created: ${error.message}`);
  });
  const home = await realpath(directory);
  const cluster = join(home, 'cluster');
  const account = await accountFor(cluster);
  if (account && clusterArgument(cluster, account) === cluster) await giveTo(account, home);
  if (await isShared(account)) {
    log('PostgreSQL runs as nobody, which other services may use, too. Run Latchkey as a separate user, or install useradd');
  }
  const binaries = await findBinaries(await findPackage(), copyFolders(home), account);
  await prepareCluster(cluster, home, binaries, account);
  return { home, cluster, account, binaries };
};

/** Stops and removes what an earlier start left; gives the number of a live stranger that postmaster.pid happens to name. */
const clearTheWay = async (place: Place, log: (line: string) => void): Promise<number | null> => {
  const { cluster } = place;
  const lock = await readLockFile(cluster);
  const holder = await holderOf(cluster, lock);
  if (holder.kind === 'server') {
    throw new PostgresError(
      'in_use',
      `${cluster} is in use by process ${holder.owner} (its PostgreSQL is process ${holder.pid}). Stop that process first, or choose another DATA_DIR.`,
    );
  }
  if (holder.kind === 'orphan') {
    log(`Stopping PostgreSQL ${holder.pid}, left running by an earlier start`);
    await stopOrphan(cluster, holder.pid);
  }
  const address = lock && addressFrom(cluster, lock);
  if (address && (await isAnswering(address))) {
    if ((await readLockFile(cluster))?.pid !== lock.pid) return clearTheWay(place, log); // another start has just won
    throw new PostgresError(
      'in_use',
      `${cluster} is in use by a PostgreSQL outside this container, probably another container on the same volume. Stop that one first.`,
    );
  }
  if (address) await forgetAddress(address);
  return holder.kind === 'stranger' ? holder.pid : null;
};

/**
 * PostgreSQL takes any live process for the holder of its lock file, but not this one. The file stays, so it still looks whether the
 * shared memory named there is in use.
 */
const environmentPast = (stranger: number | null): Record<string, string> =>
  stranger === null ? {} : { PG_GRANDPARENT_PID: String(stranger) };

const spawnPostgres = async (
  place: Place,
  address: Address,
  stranger: number | null,
  options: PostgresOptions,
): Promise<Running> => {
  const settings = { ...DEFAULTS, ...options.settings, ...listenSettings(address), ...(await signature(place.cluster)) };
  return launch(
    place.binaries.postgres,
    [
      '-D',
      clusterArgument(place.cluster, place.account),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      cwd: place.cluster,
      account: place.account,
      whenWeDie: 'INT',
      log: options.log,
      env: environmentPast(stranger),
    },
  );
};

/** Waits as long as it lives: after a crash it may have minutes of log to replay, and says so in its own log. */
const isReady = async ({ cluster }: Place, { pid, exited }: Running): Promise<boolean> => {
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  while (!ended) {
    const lock = await readLockFile(cluster);
    if (lock?.pid === pid && lock.ready) return true;
    await delay(5);
  }
  return false;
};

const HELD = /lock file .* already exists|shared memory block .* is still in use/;
const PORT_TAKEN = /could not create any TCP\/IP sockets/;

/** Starts PostgreSQL on the secured cluster. With `resets` its superuser gets the password that is kept, first. */
const start = async (place: Place, options: PostgresOptions, { resets }: { resets: boolean }): Promise<Started> => {
  const { home, cluster, account, binaries } = place;
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const stranger = await clearTheWay(place, options.log);
    const env = environmentPast(stranger);
    let said: string;
    try {
      await secureCluster(cluster, home, binaries, account, env);
      const passwords = await readPasswords(home);
      if (!passwords) throw new PostgresError('failed', `${home} lost its passwords while PostgreSQL was starting`);
      if (resets) await resetSuperuser(cluster, binaries, account, { passwords, env });
      const address = await chooseAddress(cluster, account, options.transport ?? 'socket');
      const running = await spawnPostgres(place, address, stranger, options);
      if (await isReady(place, running)) return { running, address, passwords };
      await forgetAddress(address);
      said = running.lastLines();
      if (!HELD.test(said) && !PORT_TAKEN.test(said)) {
        const { code, signal } = await running.exited;
        throw new PostgresError('failed', `PostgreSQL in ${cluster} exited with ${signal ?? code}: ${said}`);
      }
    } catch (error) {
      if (!(error instanceof PostgresError && HELD.test(error.message))) throw error;
      said = error.message;
    }
    if (performance.now() > giveUpAt) throw new PostgresError('in_use', `${cluster} is in use by another PostgreSQL: ${said}`);
    await delay(100);
  }
};

/** Stops the child at most once, however often asked. */
const stopper = ({ running, address }: Started, onExit: PostgresOptions['onExit']) => {
  let stopped: Promise<void> | null = null;
  const end = () => running.child.kill('SIGINT');
  process.once('exit', end); // for an exit that skipped stop(), where the kernel does not tell the child
  void running.exited.then((exit) => {
    process.off('exit', end);
    if (!stopped) onExit?.(exit);
  });
  const stop = async () => {
    end();
    const impatience = setTimeout(() => running.child.kill('SIGQUIT'), STOP_MS);
    await running.exited;
    clearTimeout(impatience);
    await forgetAddress(address);
  };
  return () => {
    stopped ??= stop();
    return stopped;
  };
};

/** Runs it with its roles and databases. Passwords that are not those of the cluster, as after a partial restore, are set anew once. */
const startPrepared = async (
  place: Place,
  options: PostgresOptions,
  resets = false,
): Promise<Started & { stop: () => Promise<void> }> => {
  const started = await start(place, options, { resets });
  const stop = stopper(started, options.onExit);
  const url = (database: string) => urlOf(started.address, started.passwords, database, 'superuser');
  try {
    await prepareDatabases(url, started.passwords, options);
    return { ...started, stop };
  } catch (error) {
    await stop();
    const isMismatch = (error as { code?: string }).code === WRONG_PASSWORD;
    if (resets || !isMismatch) throw error;
    return startPrepared(place, options, true);
  }
};

/**
 * Starts PostgreSQL on the directory, making its cluster the first time, and waits until it answers. A PostgreSQL that a
 * killed process left behind is stopped first. It dies with this process. Throws PostgresError.
 */
export const startPostgres = async (options: PostgresOptions): Promise<EmbeddedPostgres> => {
  const { running, address, passwords, stop } = await startPrepared(await preparePlace(options), options);
  return {
    url: (database, login) => urlOf(address, passwords, database, login),
    socketDirectory: address.kind === 'socket' ? address.directory : null,
    pid: running.pid,
    stop,
  };
};

export type FoundPostgres = Readonly<{
  /** A connection string for `pg`, with a password in it. */
  url: (database: string, login: Login) => string;
  pid: number;
  /** The process that runs it. */
  owner: number;
}>;

/** The PostgreSQL that another live process runs on the directory; null when there is none. Throws PostgresError. */
export const findPostgres = async (directory: string): Promise<FoundPostgres | null> => {
  const home = await realpath(directory).catch(() => null);
  if (!home) return null;
  const cluster = join(home, 'cluster');
  const lock = await readLockFile(cluster);
  if (!lock?.ready) return null;
  const holder = await holderOf(cluster, lock);
  if (holder.kind !== 'server') return null;
  const passwords = await readPasswords(home);
  if (!passwords) {
    throw new PostgresError(
      'failed',
      `The server that runs on ${home} has a previous version. Restart it with this version first.`,
    );
  }
  const address = addressFrom(cluster, lock);
  return { url: (database, login) => urlOf(address, passwords, database, login), pid: holder.pid, owner: holder.owner };
};
