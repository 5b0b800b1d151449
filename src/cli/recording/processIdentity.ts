import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errnoOf } from '../home/files.ts';

/** Identifies a process uniquely. The system reuses a pid, but not with the same start time on the same boot of a host. */
export type ProcessIdentity = Readonly<{ pid: number; start: string; host: string }>;

const valueOrEmpty = (read: () => string): string => {
  try {
    return read().trim();
  } catch {
    return '';
  }
};

type ProcessState = Readonly<{ start: string; isZombie: boolean }>;

/**
 * The start time of a process in a unit of the system, or empty if it is unknown; and whether it is a zombie process.
 */
const inspectProcess = (pid: number): ProcessState => {
  if (process.platform === 'linux') {
    const stat = valueOrEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
    // The second field, the command's name, can contain spaces and parentheses. The third is the state, the 22nd the start in ticks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { start: fields[19] ?? '', isZombie: fields[0] === 'Z' || fields[0] === 'X' };
  }
  const ps = () => spawnSync('ps', ['-o', 'state=,lstart=', '-p', `${pid}`], { encoding: 'utf8', env: { LC_ALL: 'C' } }).stdout;
  const [state = '', ...start] = valueOrEmpty(ps).split(/\s+/);
  return { start: start.join(' '), isZombie: state.startsWith('Z') };
};

/** A hash of the host, its boot and the pid namespace. It differs between containers and after a reboot. */
const hostId = (): string => {
  const boot = valueOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const pidNamespace = valueOrEmpty(() => readlinkSync('/proc/self/ns/pid'));
  return createHash('sha256').update([hostname(), boot, pidNamespace].join('\n')).digest('hex').slice(0, 16);
};

/** The identity of the current process. */
export const identifyThisProcess = (): ProcessIdentity => ({
  pid: process.pid,
  start: inspectProcess(process.pid).start,
  host: hostId(),
});

/** Whether a process still runs; null if that is unknown, because it ran on another host or boot. */
export const isRunning = (identity: ProcessIdentity, self: ProcessIdentity): boolean | null => {
  if (identity.host !== self.host) return null;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    if (errnoOf(error) !== 'EPERM') return false;
  }
  const { start, isZombie } = inspectProcess(identity.pid);
  return !isZombie && (start === '' || identity.start === '' || start === identity.start);
};

/** Less than 60 characters, which a file system stores in a symbolic link's inode without a block of the disk. */
export const formatIdentity = ({ pid, start, host }: ProcessIdentity): string => `${pid}|${start}|${host}`;

export const parseIdentity = (text: string): ProcessIdentity | null => {
  const [, pid, start, host] = /^(\d+)\|([^|]*)\|(\w+)$/.exec(text) ?? [];
  return pid === undefined || start === undefined || host === undefined ? null : { pid: Number(pid), start, host };
};
