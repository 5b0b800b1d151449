import { readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { PostgresError } from './error.ts';
import { runToEnd } from './launch.ts';
import { type LockFile, readLockFile } from './lockFile.ts';

/**
 * The process that a cluster's postmaster.pid names, and whether its process owner (the Latchkey process that started it) is alive.
 * - `none`: no file, or no such process
 * - `owned`: the cluster's PostgreSQL, and its process owner `owner` is alive
 * - `orphaned`: the cluster's PostgreSQL, and its process owner has ended
 * - `unrelated`: another program, usually because the system has reused the process id
 */
export type LockingProcess =
  | { kind: 'none' }
  | { kind: 'owned'; pid: number; owner: number }
  | { kind: 'orphaned'; pid: number }
  | { kind: 'unrelated'; pid: number };

const FAST_SHUTDOWN_TIMEOUT_MS = 7_000;
const IMMEDIATE_SHUTDOWN_TIMEOUT_MS = 3_000;

/** Identifies a cluster by device and inode, which do not change when the directory is moved. */
const clusterIdOf = async (cluster: string): Promise<string> => {
  const { dev, ino } = await stat(cluster);
  return `${dev}-${ino}`;
};

/** The command-line settings by which a later start recognizes this PostgreSQL and its process owner. */
export const identifyingSettings = async (cluster: string): Promise<Record<string, string>> => ({
  'latchkey.directory': cluster, // informational, for the process list
  'latchkey.cluster': await clusterIdOf(cluster),
  'latchkey.owner': String(process.pid),
});

type Process = { parent: number; args: string };

/** The process with that id; null when there is none or it is a zombie process. */
export const processOf = async (pid: number): Promise<Process | null> => {
  if (process.platform === 'linux') {
    try {
      const [status, cmdline] = await Promise.all([
        readFile(`/proc/${pid}/stat`, 'utf8'),
        readFile(`/proc/${pid}/cmdline`, 'utf8'),
      ]);
      const [state, parent] = status.slice(status.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' ? null : { parent: Number(parent), args: cmdline.replaceAll('\0', ' ') };
    } catch {
      return null;
    }
  }
  const { code, output } = await runToEnd('ps', ['-ww', '-o', 'ppid=,args=', '-p', String(pid)], {});
  const found = code === 0 ? /^\s*(\d+)\s+(.*)$/.exec(output) : null;
  return found ? { parent: Number(found[1]), args: found[2] ?? '' } : null;
};

/**
 * Examines the process that the lock file names. `latchkey.owner` is the process id of its process owner. If the process owner has
 * ended, the kernel has reparented the child, so its PPID differs.
 */
export const lockingProcessOf = async (cluster: string, lock: LockFile | null): Promise<LockingProcess> => {
  const found = lock && (await processOf(lock.pid));
  if (!found) return { kind: 'none' };
  if (!found.args.includes(`latchkey.cluster=${await clusterIdOf(cluster)} `)) return { kind: 'unrelated', pid: lock.pid };
  const owner = Number(/latchkey\.owner=(\d+)/.exec(found.args)?.[1]);
  return found.parent === owner ? { kind: 'owned', pid: lock.pid, owner } : { kind: 'orphaned', pid: lock.pid };
};

const hasStopped = async (cluster: string, pid: number, timeoutMs: number): Promise<boolean> => {
  for (let waited = 0; waited < timeoutMs; waited += 20) {
    const found = await lockingProcessOf(cluster, await readLockFile(cluster));
    if (!('pid' in found) || found.pid !== pid || found.kind === 'unrelated') return true;
    await delay(20);
  }
  return false;
};

/** Stops an orphaned server: fast shutdown, then immediate shutdown (with recovery at the next start). Throws `in_use` after 10 s. */
export const stopOrphanedServer = async (cluster: string, pid: number): Promise<void> => {
  for (const [signal, timeoutMs] of [
    ['SIGINT', FAST_SHUTDOWN_TIMEOUT_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_TIMEOUT_MS],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPERM') break;
      if (code !== 'ESRCH') throw error;
    }
    if (await hasStopped(cluster, pid, timeoutMs)) return;
  }
  throw new PostgresError(
    'in_use',
    `${cluster} is in use by a PostgreSQL of an earlier start that does not stop. End process ${pid}.`,
  );
};
