import { type Failure, failed } from '../failure.ts';
import { errnoOf } from './files.ts';

const DISK_ERRORS: Readonly<Record<string, readonly [code: string, reason: string]>> = {
  ENOSPC: ['disk_full', 'the disk is full'],
  EDQUOT: ['disk_full', 'your disk quota is exceeded'],
  EROFS: ['disk_read_only', 'the disk is read-only'],
  EACCES: ['no_permission', 'permission denied'],
  EPERM: ['no_permission', 'permission denied'],
  ENOTDIR: ['not_a_folder', 'not a directory'],
  EISDIR: ['not_a_file', 'it is a directory'],
  EMFILE: ['too_many_files', 'too many files are open'],
  ENFILE: ['too_many_files', 'too many files are open'],
  EIO: ['disk_failed', 'the disk reported an I/O error'],
};

const pathOf = (error: unknown): string | null =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null;

/** The reason of a file system error, phrased as the end of a sentence. */
export const diskReason = (error: unknown): string => {
  const known = DISK_ERRORS[errnoOf(error) ?? ''];
  if (known === undefined) return error instanceof Error ? error.message : String(error);
  const path = pathOf(error);
  return path === null ? known[1] : `${known[1]} (${path})`;
};

/** The failure for a file system error; null for other errors. */
export const diskFailure = (error: unknown): Failure | null => {
  const known = DISK_ERRORS[errnoOf(error) ?? ''];
  if (known === undefined) return null;
  const [code, reason] = known;
  const path = pathOf(error);
  return failed(code, path === null ? `A file cannot be used: ${reason}` : `${path} cannot be used: ${reason}`, {
    hint:
      code === 'disk_full'
        ? 'Free some disk space, then try again.'
        : 'Set LATCHKEY_HOME to keep all files of latchkey in another directory.',
  });
};
