import { readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { PostgresError } from './error.ts';
import { runToEnd } from './launch.ts';
import { type LockFile, readLockFile } from './lockFile.ts';

/**
 * Who is named by a cluster's postmaster.pid.
 * - `nobody`: no file, or the process is gone
 * - `server`: a PostgreSQL of ours whose parent lives
 * - `orphan`: a PostgreSQL of ours whose parent was killed
 * - `stranger`: a live process that is no PostgreSQL of ours; nearly always the number was given out again
 */
export type Holder =
  | { kind: 'nobody' }
  | { kind: 'server'; pid: number; owner: number }
  | { kind: 'orphan'; pid: number }
  | { kind: 'stranger'; pid: number };

const FAST_MS = 7_000;
const IMMEDIATE_MS = 3_000;

/** Names a cluster by what survives a move of the directory. */
const markOf = async (cluster: string): Promise<string> => {
  const { dev, ino } = await stat(cluster);
  return `${dev}-${ino}`;
};

/** The settings by which a later start recognises this PostgreSQL in the process list, and whose child it is. */
export const signature = async (cluster: string): Promise<Record<string, string>> => ({
  'latchkey.directory': cluster, // for people who read the process list
  'latchkey.cluster': await markOf(cluster),
  'latchkey.owner': String(process.pid),
});

type Process = { parent: number; args: string };

/** The process of that number, null when there is none or only its remains (a zombie keeps its number, not its hold). */
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
 * Looks who holds the cluster according to its lock file. An orphan is told by its parent: it was started with our number as `latchkey.owner`, and
 * the kernel gives a child whose parent died to somebody else.
 */
export const holderOf = async (cluster: string, lock: LockFile | null): Promise<Holder> => {
  const found = lock && (await processOf(lock.pid));
  if (!found) return { kind: 'nobody' };
  if (!found.args.includes(`latchkey.cluster=${await markOf(cluster)} `)) return { kind: 'stranger', pid: lock.pid };
  const owner = Number(/latchkey\.owner=(\d+)/.exec(found.args)?.[1]);
  return found.parent === owner ? { kind: 'server', pid: lock.pid, owner } : { kind: 'orphan', pid: lock.pid };
};

const isGone = async (cluster: string, pid: number, withinMs: number): Promise<boolean> => {
  for (let waited = 0; waited < withinMs; waited += 20) {
    const holder = await holderOf(cluster, await readLockFile(cluster));
    if (!('pid' in holder) || holder.pid !== pid || holder.kind === 'stranger') return true;
    await delay(20);
  }
  return false;
};

/** Stops an orphan: fast (a clean shutdown), then immediate (its log is replayed at the next start). Throws `in_use` after 10 s. */
export const stopOrphan = async (cluster: string, pid: number): Promise<void> => {
  for (const [signal, patience] of [
    ['SIGINT', FAST_MS],
    ['SIGQUIT', IMMEDIATE_MS],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPERM') break;
      if (code !== 'ESRCH') throw error;
    }
    if (await isGone(cluster, pid, patience)) return;
  }
  throw new PostgresError(
    'in_use',
    `${cluster} is in use by a PostgreSQL of an earlier start that does not stop. End process ${pid}.`,
  );
};
