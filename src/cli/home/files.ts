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

/** Errors of an open file do not contain its path. */
const withPath = (error: unknown, path: string): unknown => (error instanceof Error ? Object.assign(error, { path }) : error);

/** Creates a directory with mode 0700 and its missing parents. An existing directory stays unchanged. */
export const makePrivateDirectory = (directory: string): void => {
  try {
    mkdirSync(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  } catch (error) {
    // With `recursive`, only a file that is not a directory is in the way.
    throw error instanceof Error && errnoOf(error) === 'EEXIST' ? Object.assign(error, { code: 'ENOTDIR' }) : error;
  }
};

/** Syncs a directory, so that created, renamed and removed entries survive a loss of power. Ignores file systems without support. */
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

const writeTemporary = (file: string, content: string): string => {
  makePrivateDirectory(dirname(file));
  const temporary = join(dirname(file), `.${randomBytes(6).toString('hex')}.tmp`);
  const fd = openSync(temporary, 'wx', PRIVATE_FILE);
  try {
    writeFileSync(fd, content);
    fsyncSync(fd);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw withPath(error, file);
  } finally {
    closeSync(fd);
  }
  return temporary;
};

/** Replaces a file atomically, also across a loss of power. Mode 0600. */
export const writePrivateFile = (file: string, content: string): void => {
  const temporary = writeTemporary(file, content);
  try {
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncDirectory(dirname(file));
};

/** Atomically creates a file unless it exists. Returns the resulting content, which can be another process's. */
export const writePrivateFileOnce = (file: string, content: string): string => {
  const temporary = writeTemporary(file, content);
  try {
    linkSync(temporary, file);
    syncDirectory(dirname(file));
    return content;
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(temporary, { force: true });
  }
};

/** The mode bits of the group and of others. Windows has none. */
const GROUP_AND_OTHERS = process.platform === 'win32' ? 0 : 0o077;

/** Restricts a file to its owner. Returns its previous mode, or null if it was restricted already. */
export const restrictToOwner = (file: string): number | null => {
  const mode = statSync(file).mode & 0o777;
  if ((mode & GROUP_AND_OTHERS) === 0) return null;
  chmodSync(file, PRIVATE_FILE);
  return mode;
};

/** The content of a file, or null if it does not exist. */
export const readIfExists = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw withPath(error, file);
  }
};
