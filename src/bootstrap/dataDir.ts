import { chmod, stat } from 'node:fs/promises';

const OWNER_ONLY = 0o700;
const OTHERS = 0o077;
const STICKY = 0o1000;

const octal = (mode: number): string => `0${(mode & 0o7777).toString(8)}`;

/**
 * Removes all permissions of other users from an existing data directory. Resolves to one line about what was done or must be done
 * manually; null if nothing was necessary. A directory of another owner, or one that is shared on purpose, is not changed.
 */
export const tightenDataDir = async (dataDir: string): Promise<string | null> => {
  const found = await stat(dataDir).catch(() => null);
  if (!found?.isDirectory() || (found.mode & OTHERS) === 0) return null;
  const exposed = `${dataDir} gives other users access (mode ${octal(found.mode)}).`;
  const isOurs = (found.mode & STICKY) === 0 && found.uid === process.getuid?.();
  if (!isOurs) return `${exposed} Set DATA_DIR to a directory that this user owns, with mode 0700.`;
  try {
    await chmod(dataDir, OWNER_ONLY);
  } catch (error) {
    return `${exposed} It could not be changed: ${error instanceof Error ? error.message : error}. Run chmod 700 ${dataDir}.`;
  }
  return `${exposed} Changed it to 0700.`;
};
