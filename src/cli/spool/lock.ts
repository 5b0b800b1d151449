import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errnoOf } from '../home/files.ts';
import { isRunning, type ProcessMark } from './processMark.ts';

/** A lock of another host or boot that nobody touched for so long is taken over. */
const LAPSE_MS = 60_000;
/** Owners touch what they hold for long, so that other hosts see it. */
export const TOUCH_EVERY_MS = 10_000;

const FREE = 'free';
const mark = z.object({ pid: z.int(), start: z.string(), host: z.string() });

export type Lock = Readonly<{
  /** False when another process took it over, which happens only after this one was stopped for long on a shared disk. */
  held: () => boolean;
  touch: () => void;
  release: () => void;
}>;

export type LockOwner = Readonly<{ mark: ProcessMark; now: () => number }>;

type State = 'free' | 'held' | 'gone';

const generationsOf = (directory: string, name: string): number[] =>
  readdirSync(directory)
    .filter((entry) => entry.startsWith(`${name}-`) && entry.endsWith('.lock'))
    .map((entry) => Number(entry.slice(name.length + 1, -'.lock'.length)))
    .filter(Number.isSafeInteger)
    .sort((a, b) => a - b);

const parseMark = (content: string): ProcessMark | null => {
  try {
    return mark.safeParse(JSON.parse(content)).data ?? null;
  } catch {
    return null;
  }
};

/** Empty is a lock that is just being taken, or whose owner died in the middle of it. */
const stateOf = (file: string, owner: LockOwner): State => {
  try {
    const content = readFileSync(file, 'utf8');
    if (content.startsWith(FREE)) return 'free';
    const holder = parseMark(content);
    const running = holder && isRunning(holder, owner.mark);
    if (running !== null) return running ? 'held' : 'free';
    // Either sign of the difference: a clock that was set back must not keep a dead owner's lock for ever.
    return Math.abs(owner.now() - statSync(file).mtimeMs) > LAPSE_MS ? 'free' : 'held';
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 'gone';
    throw error;
  }
};

/**
 * Takes the lock `name` of a directory, or returns null when a living process has it. It never waits.
 *
 * A lock is a row of files `name-1.lock`, `name-2.lock`, …, of which the highest counts. Taking it is to create the next one,
 * which the file system lets one process do; the highest is never removed, so nobody can take what was just taken by somebody
 * faster. After writing itself down a process looks whether anybody else did at the same time, and gives way.
 */
export const tryLock = (directory: string, name: string, owner: LockOwner): Lock | null => {
  const fileOf = (generation: number) => join(directory, `${name}-${generation}.lock`);
  const before = generationsOf(directory, name);
  const last = before.at(-1) ?? 0;
  if (last > 0 && stateOf(fileOf(last), owner) !== 'free') return null;

  const mine = fileOf(last + 1);
  const content = JSON.stringify(owner.mark);
  const write = (text: string, flag: 'wx' | 'r+') => {
    const fd = openSync(mine, flag, 0o600);
    try {
      writeSync(fd, text, 0);
    } finally {
      closeSync(fd);
    }
  };
  try {
    write(content, 'wx');
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return null;
    rmSync(mine, { force: true });
    throw error;
  }
  const others = generationsOf(directory, name).filter((generation) => generation !== last + 1);
  if (others.some((generation) => generation > last + 1 || stateOf(fileOf(generation), owner) === 'held')) {
    rmSync(mine, { force: true });
    return null;
  }
  for (const generation of others) rmSync(fileOf(generation), { force: true });

  /** A file that was taken over is gone, and a disk that fails now will be noticed by whoever has something to write. */
  const attempt = (text: string) => {
    try {
      write(text, 'r+');
    } catch {
      // The lock lapses by itself.
    }
  };
  return {
    held: () => existsSync(mine) && generationsOf(directory, name).at(-1) === last + 1,
    touch: () => attempt(content),
    release: () => attempt(FREE),
  };
};
