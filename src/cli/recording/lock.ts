import { lstatSync, lutimesSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../home/files.ts';
import { formatIdentity, isRunning, type ProcessIdentity, parseIdentity } from './processIdentity.ts';

/** A lock of another host or boot expires if its owner does not touch it for this long. */
const EXPIRY_MS = 60_000;
/** The interval at which owners touch their locks. */
export const TOUCH_EVERY_MS = 10_000;

const FREE = 'free';

export type Lock = Readonly<{
  /** False if another process took the lock over, which only happens on a shared disk while this process is suspended. */
  isHeld: () => boolean;
  touch: () => void;
  release: () => void;
}>;

export type LockOwner = Readonly<{ identity: ProcessIdentity; now: () => number }>;

const generationsOf = (directory: string, name: string): number[] =>
  readdirSync(directory)
    .filter((entry) => entry.startsWith(`${name}-`) && entry.endsWith('.lock'))
    .map((entry) => Number(entry.slice(name.length + 1, -'.lock'.length)))
    .filter(Number.isSafeInteger)
    .sort((a, b) => a - b);

const isFree = (link: string, { identity, now }: LockOwner): boolean => {
  const content = readlinkSync(link);
  if (content === FREE) return true;
  const current = parseIdentity(content);
  const running = current && isRunning(current, identity);
  if (running !== null) return !running;
  // The absolute difference: a clock that was set back must not keep the lock of a dead owner forever.
  return Math.abs(now() - lstatSync(link).mtimeMs) > EXPIRY_MS;
};

/**
 * Acquires the lock `name` of a directory without waiting; null if a running process owns it.
 *
 * A lock is a series of dangling symbolic links `name-1.lock`, `name-2.lock`, …: the target of the highest one is the owner, or
 * `free`. Acquiring and releasing creates the next link, which is atomic and works on a full disk. Links never change and the
 * highest one is never removed, so a process that read an outdated link detects a higher one after creating its own, and backs off.
 */
export const tryLock = (directory: string, name: string, owner: LockOwner): Lock | null => {
  const linkOf = (generation: number) => join(directory, `${name}-${generation}.lock`);
  const last = generationsOf(directory, name).at(-1) ?? 0;
  const ownGeneration = last + 1;
  try {
    if (last > 0 && !isFree(linkOf(last), owner)) return null;
    symlinkSync(formatIdentity(owner.identity), linkOf(ownGeneration));
  } catch (error) {
    // Another process acquired the lock first, or removed the link that this process read.
    if (errnoOf(error) === 'EEXIST' || errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
  const otherGenerations = generationsOf(directory, name).filter((generation) => generation !== ownGeneration);
  if (otherGenerations.some((generation) => generation > ownGeneration)) {
    rmSync(linkOf(ownGeneration), { force: true });
    return null;
  }
  for (const generation of otherGenerations) rmSync(linkOf(generation), { force: true });

  const isOwned = (): boolean => {
    try {
      return generationsOf(directory, name).at(-1) === ownGeneration;
    } catch {
      return false;
    }
  };
  const attempt = (operation: () => void) => {
    try {
      operation();
    } catch {
      // A lock that cannot be touched or released expires. The next write reports an error of the disk.
    }
  };
  return {
    isHeld: isOwned,
    touch: () => attempt(() => lutimesSync(linkOf(ownGeneration), owner.now() / 1000, owner.now() / 1000)),
    release: () =>
      attempt(() => {
        if (isOwned()) symlinkSync(FREE, linkOf(ownGeneration + 1));
        rmSync(linkOf(ownGeneration), { force: true });
      }),
  };
};
