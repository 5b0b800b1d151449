import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errnoOf } from '../home/files.ts';

/** Names one process for ever: its id is given to another one later, but not with the same start on the same boot of the same host. */
export type ProcessMark = Readonly<{ pid: number; start: string; host: string }>;

const attempt = (read: () => string): string => {
  try {
    return read().trim();
  } catch {
    return '';
  }
};

type Seen = Readonly<{ start: string; ended: boolean }>;

/**
 * When a process started, in whatever unit the system tells exactly, and whether it ended without its parent asking why.
 * An empty start means that the system does not tell.
 */
const look = (pid: number): Seen => {
  if (process.platform === 'linux') {
    const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
    // The second field, the command's name, may hold spaces and brackets. The third is the state, the 22nd the start in ticks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { start: fields[19] ?? '', ended: fields[0] === 'Z' || fields[0] === 'X' };
  }
  const ps = () => spawnSync('ps', ['-o', 'state=,lstart=', '-p', `${pid}`], { encoding: 'utf8', env: { LC_ALL: 'C' } }).stdout;
  const [state = '', ...start] = attempt(ps).split(/\s+/);
  return { start: start.join(' '), ended: state.startsWith('Z') };
};

/** Stands for the host, its boot and the space in which process ids count. Containers and reboots differ. */
const hostMark = (): string => {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const space = attempt(() => readlinkSync('/proc/self/ns/pid'));
  return createHash('sha256').update([hostname(), boot, space].join('\n')).digest('hex').slice(0, 16);
};

/** The mark of the process that asks. */
export const markThisProcess = (): ProcessMark => ({ pid: process.pid, start: look(process.pid).start, host: hostMark() });

/** Whether the owner of a mark still runs; null when this process cannot know, because it ran on another host or boot. */
export const isRunning = (mark: ProcessMark, asker: ProcessMark): boolean | null => {
  if (mark.host !== asker.host) return null;
  try {
    process.kill(mark.pid, 0);
  } catch (error) {
    if (errnoOf(error) !== 'EPERM') return false;
  }
  const { start, ended } = look(mark.pid);
  return !ended && (start === '' || mark.start === '' || start === mark.start);
};

/** A mark as text of less than 60 characters, which is what a symbolic link holds without taking a block of the disk. */
export const formatMark = ({ pid, start, host }: ProcessMark): string => `${pid}|${start}|${host}`;

export const parseMark = (text: string): ProcessMark | null => {
  const [, pid, start, host] = /^(\d+)\|([^|]*)\|(\w+)$/.exec(text) ?? [];
  return pid === undefined || start === undefined || host === undefined ? null : { pid: Number(pid), start, host };
};
