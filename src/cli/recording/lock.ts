import { lstatSync, lutimesSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../home/files.ts';
import { formatMark, isRunning, type ProcessMark, parseMark } from './processMark.ts';

/** A lock of another host or boot that nobody touched for so long is taken over. */
const LAPSE_MS = 60_000;
/** Owners touch what they hold for long, so that other hosts see it. */
export const TOUCH_EVERY_MS = 10_000;

const FREE = 'free';

export type Lock = Readonly<{
  /** False when another process took it over, which happens only after this one was stopped for long on a shared disk. */
  held: () => boolean;
  touch: () => void;
  release: () => void;
}>;

export type LockOwner = Readonly<{ mark: ProcessMark; now: () => number }>;

const generationsOf = (directory: string, name: string): number[] =>
  readdirSync(directory)
    .filter((entry) => entry.startsWith(`${name}-`) && entry.endsWith('.lock'))
    .map((entry) => Number(entry.slice(name.length + 1, -'.lock'.length)))
    .filter(Number.isSafeInteger)
    .sort((a, b) => a - b);

const isFree = (link: string, { mark, now }: LockOwner): boolean => {
  const content = readlinkSync(link);
  if (content === FREE) return true;
  const holder = parseMark(content);
  const running = holder && isRunning(holder, mark);
  if (running !== null) return !running;
  // Either sign of the difference: a clock that was set back must not keep a dead owner's lock for ever.
  return Math.abs(now() - lstatSync(link).mtimeMs) > LAPSE_MS;
};

/**
 * Takes the lock `name` of a directory, or returns null when a living process has it. It never waits.
 *
 * A lock is a row of symbolic links `name-1.lock`, `name-2.lock`, … that point nowhere: the highest one names the owner, or says
 * that there is none. Taking the lock and giving it back is to make the next link, which the file system lets one process do,
 * and which works on a full disk. No link ever changes and the highest is never removed, so whoever decided by a link that is
 * not the highest any more finds that out right after, and gives way.
 */
export const tryLock = (directory: string, name: string, owner: LockOwner): Lock | null => {
  const linkOf = (generation: number) => join(directory, `${name}-${generation}.lock`);
  const last = generationsOf(directory, name).at(-1) ?? 0;
  const mine = last + 1;
  try {
    if (last > 0 && !isFree(linkOf(last), owner)) return null;
    symlinkSync(formatMark(owner.mark), linkOf(mine));
  } catch (error) {
    // Somebody was quicker: with this lock, or with clearing away what it decided by.
    if (errnoOf(error) === 'EEXIST' || errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
  const others = generationsOf(directory, name).filter((generation) => generation !== mine);
  if (others.some((generation) => generation > mine)) {
    rmSync(linkOf(mine), { force: true });
    return null;
  }
  for (const generation of others) rmSync(linkOf(generation), { force: true });

  const isMine = (): boolean => {
    try {
      return generationsOf(directory, name).at(-1) === mine;
    } catch {
      return false;
    }
  };
  /** What was taken over is gone, and a disk that fails now is noticed by whoever has something to write. */
  const attempt = (act: () => void) => {
    try {
      act();
    } catch {
      // A lock that could not be touched or given back lapses by itself.
    }
  };
  return {
    held: isMine,
    touch: () => attempt(() => lutimesSync(linkOf(mine), owner.now() / 1000, owner.now() / 1000)),
    release: () =>
      attempt(() => {
        if (isMine()) symlinkSync(FREE, linkOf(mine + 1));
        rmSync(linkOf(mine), { force: true });
      }),
  };
};
