import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PostgresError } from './error.ts';

/** The login roles of the cluster, by purpose. */
export const LOGINS = {
  /** Creates databases and roles. Bootstrap superuser of the cluster. */
  superuser: 'latchkey',
  /** Owns the databases: migrations and rebuilds of read models. Not a superuser. */
  owner: 'latchkey_owner',
  /** Reads and writes rows. It cannot change a schema. */
  application: 'latchkey_app',
  /** Reads rows. */
  reader: 'latchkey_read',
} as const;

export type Login = keyof typeof LOGINS;

export type Passwords = Readonly<Record<Login, string>>;

/** Outside the cluster, because PostgreSQL's account must not read the passwords. */
const FILE = 'passwords.json';

const pathIn = (home: string): string => join(home, FILE);

/** The passwords of the login roles; null before they are created. Throws PostgresError for a damaged file. */
export const readPasswords = async (home: string): Promise<Passwords | null> => {
  const text = await readFile(pathIn(home), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new PostgresError('not_permitted', `${pathIn(home)} cannot be read: ${error.message}`);
  });
  if (text === null) return null;
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    found = null;
  }
  if (!isPasswords(found)) {
    throw new PostgresError('failed', `${pathIn(home)} is damaged. Remove it: the next start sets new passwords.`);
  }
  return found;
};

const isPasswords = (found: unknown): found is Passwords =>
  typeof found === 'object' &&
  found !== null &&
  (Object.keys(LOGINS) as Login[]).every((login) => typeof (found as Record<string, unknown>)[login] === 'string');

/** Creates passwords, readable only by the current user and durable before they are used. If two starts race, both use those of the first. */
export const makePasswords = async (home: string): Promise<Passwords> => {
  const random = (): string => randomBytes(24).toString('base64url');
  const passwords: Passwords = { superuser: random(), owner: random(), application: random(), reader: random() };
  const temporary = `${pathIn(home)}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(passwords)}\n`);
    await handle.sync();
    await link(temporary, pathIn(home)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await handle.close();
    await rm(temporary, { force: true });
  }
  const folder = await open(home, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  return (await readPasswords(home)) ?? passwords;
};

const ITERATIONS = 4_096;
const VERIFIER = /^SCRAM-SHA-256\$(\d+):([^$]+)\$([^:]+):(.+)$/;

const stretch = promisify(pbkdf2);

const verifier = async (password: string, salt: Buffer, iterations: number): Promise<string> => {
  const salted = await stretch(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${hmac('Server Key').toString('base64')}`;
};

/**
 * The SCRAM verifier that PostgreSQL stores for a password (RFC 5802, RFC 7677). Statements contain it instead of the password, so that
 * the password appears in no log or file.
 */
export const scramVerifier = (password: string): Promise<string> => verifier(password, randomBytes(16), ITERATIONS);

/** Whether a stored verifier matches the password. */
export const isVerifierOf = async (stored: string | null, password: string): Promise<boolean> => {
  const [, iterations, salt] = VERIFIER.exec(stored ?? '') ?? [];
  if (!stored || !iterations || !salt) return false;
  const expected = Buffer.from(await verifier(password, Buffer.from(salt, 'base64'), Number(iterations)));
  return expected.length === Buffer.byteLength(stored) && timingSafeEqual(expected, Buffer.from(stored));
};
