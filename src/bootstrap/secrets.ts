import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MASTER_SECRET_BYTES } from '../security/masterSecret.ts';

/** An error of one line: the problem with a secret, and what to do. */
export class SecretError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SecretError';
  }
}

/** Where the generated master secret is kept. */
export const masterSecretFile = (dataDir: string): string => join(dataDir, 'master-secret');

/** Where the next secret waits while data keys are wrapped with it, so that a crash in between loses nothing. */
const ROTATION = 'rotation';
/** What earlier versions left behind after a rotation. */
const PREVIOUS = /^master-secret\.previous\.[0-9a-f]+$/;

/** The directory of the next master secret during a rotation. */
export const rotationDir = (dataDir: string): string => join(dataDir, ROTATION);

/** The secret in the file, null where there is none. Throws SecretError for one that others may read, or that is damaged. */
const readSecret = async (file: string): Promise<Buffer | null> => {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new SecretError(`${file} cannot be read: ${error.message}`);
  });
  if (!found) return null;
  if ((found.mode & 0o077) !== 0)
    throw new SecretError(
      `${file} can be read by other users. Run chmod 600 on it, and replace the secret if someone may have read it.`,
    );
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new SecretError(`${file} cannot be read: ${error.message}`);
  });
  const secret = Buffer.from(text.trim(), 'base64');
  if (secret.length !== MASTER_SECRET_BYTES) {
    throw new SecretError(`${file} is damaged: it must contain ${MASTER_SECRET_BYTES} bytes in base64. Restore it from a backup.`);
  }
  return secret;
};

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Writes the secret atomically. If another process wrote one first, that one stays. */
const writeSecret = async (file: string, secret: Buffer): Promise<void> => {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(aside, 'wx', 0o600);
  try {
    await handle.writeFile(`${secret.toString('base64')}\n`);
    await handle.sync();
    await link(aside, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await handle.close();
    await rm(aside, { force: true });
  }
  await syncFolder(dirname(file));
};

type MasterSecretOptions = {
  dataDir: string;
  /** That of MASTER_SECRET, if it is set. */
  given: Buffer | null;
  /** Whether anything was stored already, which a new secret could not open. */
  dataExists: () => Promise<boolean>;
};

/**
 * The 32 bytes that wrap every data key: the given ones, otherwise those of the data directory (made 0700, the file 0600),
 * generated on the very first start. Throws SecretError rather than use another secret than the one the data was sealed with.
 */
export const loadMasterSecret = async ({ dataDir, given, dataExists }: MasterSecretOptions): Promise<Buffer> => {
  const file = masterSecretFile(dataDir);
  const kept = await readSecret(file);
  if (given && kept && !given.equals(kept)) {
    throw new SecretError(
      `MASTER_SECRET differs from the secret in ${file}. Only one of them encrypted the data: remove the other one.`,
    );
  }
  const known = given ?? kept;
  if (known) return known;
  if (await dataExists()) {
    const written = await readSecret(file); // by another start, between our two looks
    if (written) return written;
    throw new SecretError(
      `${file} is missing, and the stored data cannot be decrypted without it. Restore it from a backup, or set MASTER_SECRET.`,
    );
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeSecret(file, randomBytes(MASTER_SECRET_BYTES));
  const written = await readSecret(file);
  if (!written) throw new SecretError(`${file} was removed while it was written`);
  return written;
};

/** The secret of an unfinished rotation; null if there is none. */
export const waitingSecret = (dataDir: string): Promise<Buffer | null> => readSecret(masterSecretFile(rotationDir(dataDir)));

/**
 * Replaces the master secret by the one of the rotation. It is a single rename, so that a crash leaves one of the two.
 */
export const replaceMasterSecret = async (dataDir: string): Promise<string> => {
  const file = masterSecretFile(dataDir);
  await rename(masterSecretFile(rotationDir(dataDir)), file);
  await syncFolder(dataDir);
  await rm(rotationDir(dataDir), { recursive: true, force: true });
  return file;
};

/**
 * Removes secrets that earlier rotations left beside the current one, and resolves to their names. Only for a store in which the current
 * secret wraps every data key.
 */
export const removeOldSecrets = async (dataDir: string): Promise<string[]> => {
  const entries = await readdir(dataDir).catch(() => []);
  const old = entries.filter((name) => PREVIOUS.test(name));
  for (const name of old) await rm(join(dataDir, name), { force: true });
  if (old.length > 0) await syncFolder(dataDir);
  return old;
};
