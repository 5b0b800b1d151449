import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Network } from '../network.ts';
import { accountFor, changeOwner, isShared } from './account.ts';
import { type Address, chooseAddress, listenSettings, networkUrlOf, removeSocketDirectory, urlOf } from './address.ts';
import { type Binaries, copyFolders, findBinaries, findPackage } from './binaries.ts';
import { clusterArgument, prepareCluster, prepareTls, resetSuperuser, secureCluster } from './cluster.ts';
import { type Groups, prepareDatabases, WRONG_PASSWORD } from './databases.ts';
import { PostgresError } from './error.ts';
import { type Account, type Exit, launch, type Running } from './launch.ts';
import { readLockFile } from './lockFile.ts';
import { identifyingSettings } from './lockingProcess.ts';
import { type Login, type Passwords, readPasswords } from './passwords.ts';
import { defaultSettings, MEMORY_ENVIRONMENT } from './settings.ts';
import { lockEnvironment, stopStaleServer } from './staleServer.ts';

export type PostgresOptions = {
  /** The cluster is its subdirectory `cluster`. Created with its parents when missing. */
  directory: string;
  /** Created when missing. Their owner is the owner's login. */
  databases: readonly string[];
  /** NOLOGIN roles that the application's login can switch to with SET ROLE. Created when missing. */
  groups?: Groups;
  /** Receives PostgreSQL's log, one line per call. */
  log: (line: string) => void;
  /** PostgreSQL settings that override the default ones. */
  settings?: Record<string, string>;
  /** `tcp` uses a loopback port instead of a Unix socket. */
  transport?: 'socket' | 'tcp';
  /** Also listens here, for other nodes. The port must not be 0. */
  network?: Network;
  /** Called once if PostgreSQL exits without `stop()`. It can then be started again with the same options. */
  onExit?: (exit: Exit) => void;
};

export type EmbeddedPostgres = {
  /** A connection string for `pg`, with the password. */
  url: (database: string, login: Login) => string;
  /** A connection string for other nodes; null without `network`. */
  networkUrl: (database: string, login: Login) => string | null;
  /** The directory of its Unix socket; null over TCP. */
  socketDirectory: string | null;
  pid: number;
  /** Shuts it down cleanly and waits for its exit. Idempotent. */
  stop: () => Promise<void>;
};

/** After this timeout an immediate shutdown follows, with recovery at the next start. */
const STOP_TIMEOUT_MS = 30_000;

/** How long a start waits for another PostgreSQL to release the directory. */
const LOCK_TIMEOUT_MS = 10_000;

type PreparedCluster = { home: string; cluster: string; account: Account; binaries: Binaries };
type Started = { running: Running; address: Address; passwords: Passwords };

const prepare = async ({ directory, log }: PostgresOptions): Promise<PreparedCluster> => {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new PostgresError('not_permitted', `${directory} cannot be created: ${error.message}`);
  });
  const home = await realpath(directory);
  const cluster = join(home, 'cluster');
  const account = await accountFor(cluster);
  if (account && clusterArgument(cluster, account) === cluster) await changeOwner(account, home);
  if (await isShared(account)) {
    log('PostgreSQL runs as nobody, which other services may use, too. Run Latchkey as a separate user, or install useradd');
  }
  const binaries = await findBinaries(await findPackage(), copyFolders(home), account);
  await prepareCluster(cluster, home, binaries, account);
  return { home, cluster, account, binaries };
};

const spawnPostgres = async (
  prepared: PreparedCluster,
  address: Address,
  unrelatedPid: number | null,
  options: PostgresOptions,
): Promise<Running> => {
  const settings = {
    ...defaultSettings(),
    ...options.settings,
    ...listenSettings(address, options.network),
    ...(options.network && (await prepareTls(prepared.cluster, prepared.account, options.network))),
    ...(await identifyingSettings(prepared.cluster)),
  };
  return launch(
    prepared.binaries.postgres,
    [
      '-D',
      clusterArgument(prepared.cluster, prepared.account),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      cwd: prepared.cluster,
      account: prepared.account,
      parentDeathSignal: 'INT',
      log: options.log,
      env: { ...MEMORY_ENVIRONMENT, ...lockEnvironment(unrelatedPid) },
    },
  );
};

/** Waits without a timeout, because recovery after a crash can take minutes. Returns false if PostgreSQL exits. */
const isReady = async ({ cluster }: PreparedCluster, { pid, exited }: Running): Promise<boolean> => {
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

const LOCK_HELD = /lock file .* already exists|shared memory block .* is still in use/;
const PORT_TAKEN = /could not create any TCP\/IP sockets/;

/** Starts PostgreSQL on the secured cluster. With `resetsPassword` it first sets the superuser's password to the stored one. */
const start = async (
  prepared: PreparedCluster,
  options: PostgresOptions,
  { resetsPassword }: { resetsPassword: boolean },
): Promise<Started> => {
  const { home, cluster, account, binaries } = prepared;
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const unrelatedPid = await stopStaleServer(cluster, options.log);
    const env = lockEnvironment(unrelatedPid);
    let output: string;
    try {
      await secureCluster(cluster, home, binaries, account, env);
      const passwords = await readPasswords(home);
      if (!passwords) throw new PostgresError('failed', `${home} lost its passwords while PostgreSQL was starting`);
      if (resetsPassword) await resetSuperuser(cluster, binaries, account, { passwords, env });
      const address = await chooseAddress(cluster, account, options.transport ?? 'socket', options.network);
      const running = await spawnPostgres(prepared, address, unrelatedPid, options);
      if (await isReady(prepared, running)) return { running, address, passwords };
      await removeSocketDirectory(address);
      output = running.lastLines();
      if (!LOCK_HELD.test(output) && !PORT_TAKEN.test(output)) {
        const { code, signal } = await running.exited;
        throw new PostgresError('failed', `PostgreSQL in ${cluster} exited with ${signal ?? code}: ${output}`);
      }
    } catch (error) {
      if (!(error instanceof PostgresError && LOCK_HELD.test(error.message))) throw error;
      output = error.message;
    }
    if (performance.now() > deadline) throw new PostgresError('in_use', `${cluster} is in use by another PostgreSQL: ${output}`);
    await delay(100);
  }
};

/** Returns an idempotent function that stops the child. */
const stopper = ({ running, address }: Started, onExit: PostgresOptions['onExit']) => {
  let stopped: Promise<void> | null = null;
  const end = () => running.child.kill('SIGINT');
  process.once('exit', end); // for an exit without stop() where parent-death signals are unsupported
  void running.exited.then((exit) => {
    process.off('exit', end);
    if (!stopped) onExit?.(exit);
  });
  const stop = async () => {
    end();
    const timer = setTimeout(() => running.child.kill('SIGQUIT'), STOP_TIMEOUT_MS);
    await running.exited;
    clearTimeout(timer);
    await removeSocketDirectory(address);
  };
  return () => {
    stopped ??= stop();
    return stopped;
  };
};

/** Starts PostgreSQL with its roles and databases. If the stored passwords do not match, as after a partial restore, resets them once. */
const startPrepared = async (
  prepared: PreparedCluster,
  options: PostgresOptions,
  resetsPassword = false,
): Promise<Started & { stop: () => Promise<void> }> => {
  const started = await start(prepared, options, { resetsPassword });
  const stop = stopper(started, options.onExit);
  const url = (database: string) => urlOf(started.address, started.passwords, database, 'superuser');
  try {
    await prepareDatabases(url, started.passwords, options);
    return { ...started, stop };
  } catch (error) {
    await stop();
    const isMismatch = (error as { code?: string }).code === WRONG_PASSWORD;
    if (resetsPassword || !isMismatch) throw error;
    return startPrepared(prepared, options, true);
  }
};

/**
 * Starts PostgreSQL on the directory, creates its cluster on the first start, and waits until it accepts connections. First stops an
 * orphaned server of a killed process. PostgreSQL ends with this process. Throws PostgresError.
 */
export const startPostgres = async (options: PostgresOptions): Promise<EmbeddedPostgres> => {
  const { running, address, passwords, stop } = await startPrepared(await prepare(options), options);
  return {
    url: (database, login) => urlOf(address, passwords, database, login),
    networkUrl: (database, login) => (options.network ? networkUrlOf(options.network, passwords, database, login) : null),
    socketDirectory: address.kind === 'socket' ? address.directory : null,
    pid: running.pid,
    stop,
  };
};
