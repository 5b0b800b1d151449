import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

/** The code of a failed system call, such as `ENOENT`. */
export const errnoOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

/** Makes a directory that only its owner may read, and its missing parents. One that is there stays as it is. */
export const makePrivateDirectory = (directory: string): void => {
  mkdirSync(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
};

/** Makes what was created, renamed or removed in a directory survive a loss of power. Some file systems cannot and need not. */
export const syncDirectory = (directory: string): void => {
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } catch (error) {
    if (errnoOf(error) !== 'EINVAL' && errnoOf(error) !== 'EPERM') throw error;
  } finally {
    closeSync(fd);
  }
};

const writeAside = (file: string, content: string): string => {
  makePrivateDirectory(dirname(file));
  const aside = join(dirname(file), `.${randomBytes(6).toString('hex')}.tmp`);
  const fd = openSync(aside, 'wx', PRIVATE_FILE);
  try {
    writeFileSync(fd, content);
    fsyncSync(fd);
  } catch (error) {
    rmSync(aside, { force: true });
    // What fails on an open file does not say which one it is.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error;
  } finally {
    closeSync(fd);
  }
  return aside;
};

/** Replaces a file as a whole: a reader, or a machine that lost power, sees the old content or the new one. Mode 0600. */
export const writePrivateFile = (file: string, content: string): void => {
  const aside = writeAside(file, content);
  try {
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
  syncDirectory(dirname(file));
};

/** Writes a file unless there is one, whole or not at all. Returns the content that is there afterwards, whoever wrote it. */
export const writePrivateFileOnce = (file: string, content: string): string => {
  const aside = writeAside(file, content);
  try {
    linkSync(aside, file);
    syncDirectory(dirname(file));
    return content;
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(aside, { force: true });
  }
};

/** Who else may use a file, as bits of its mode. Systems without owners know none. */
const OTHERS = process.platform === 'win32' ? 0 : 0o077;

/** Closes a file that others may use to all but its owner. Returns the mode that it had, or null when it was closed already. */
export const closeToOthers = (file: string): number | null => {
  const mode = statSync(file).mode & 0o777;
  if ((mode & OTHERS) === 0) return null;
  chmodSync(file, PRIVATE_FILE);
  return mode;
};

/** The content of a file, or null when there is none. */
export const readIfThere = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
};
