import { chmod, cp, lstat, mkdir, mkdtemp, readlink, rm, stat, truncate } from 'node:fs/promises';
import { arch, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountFor } from '../../../src/embedded/postgres/account.ts';
import { type BinaryPackage, findBinaries, findPackage } from '../../../src/embedded/postgres/binaries.ts';
import type { Account } from '../../../src/embedded/postgres/launch.ts';
import { itAtLength } from '../../support/tiers.ts';

let folder: string;
let account: Account;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-binaries-test-'));
  await chmod(folder, 0o755);
  account = await accountFor(join(folder, 'no-cluster-yet'));
});

afterEach(async () => {
  await chmod(join(folder, 'package', 'native', 'lib'), 0o755);
  await rm(folder, { recursive: true, force: true });
});

/** The package as npm unpacks it where install scripts are blocked: its links are missing. */
const unpack = async (): Promise<BinaryPackage> => {
  const installed = await findPackage();
  const root = join(folder, 'package');
  const filter = async (path: string) => !path.endsWith('.a') && !(await lstat(path)).isSymbolicLink();
  await cp(installed.root, root, { recursive: true, filter });
  return { ...installed, root };
};

/** Makes the package unusable in place: inaccessible for the account that root uses, and read-only for other users. */
const lockAway = async ({ root }: BinaryPackage) => {
  if (account) await chmod(root, 0o700);
  else await chmod(join(root, 'native', 'lib'), 0o555);
};

const copyIn = (base: string, { version }: BinaryPackage) => join(base, `latchkey-postgres-${version}-${arch()}`);

describe('the binaries of PostgreSQL', () => {
  itAtLength('get the library links that a disabled install script did not create', async () => {
    const unpacked = await unpack();
    const found = await findBinaries(unpacked, [], account);
    expect(found.postgres).toBe(join(unpacked.root, 'native', 'bin', 'postgres'));
    expect(found.major).toBe(18);
    for (const { target } of unpacked.links) expect(await readlink(join(unpacked.root, target))).not.toContain('/');
  });

  itAtLength('are copied once if they cannot be used in place', async () => {
    const unpacked = await unpack();
    await lockAway(unpacked);
    const copies = join(folder, 'copies');
    const first = await findBinaries(unpacked, [copies], account);
    expect(first.postgres).toBe(join(copyIn(copies, unpacked), 'native', 'bin', 'postgres'));
    const made = await stat(first.postgres);
    const second = await findBinaries(unpacked, [copies], account);
    expect((await stat(second.postgres)).ino).toBe(made.ino);
  });

  it('are not used from a copy that other users can change', async () => {
    const unpacked = await unpack();
    await lockAway(unpacked);
    const planted = copyIn(folder, unpacked);
    await mkdir(planted);
    await chmod(planted, 0o777);
    const copies = join(folder, 'copies');
    const found = await findBinaries(unpacked, [folder, copies], account);
    expect(found.postgres.startsWith(copies)).toBe(true);
  });

  itAtLength('are reported as unusable, with all reasons', async () => {
    const unpacked = await unpack();
    await truncate(join(unpacked.root, 'native', 'lib', 'libxml2.so.2'), 100);
    await expect(findBinaries(unpacked, [], account)).rejects.toThrow(/cannot be executed here: .*libxml2.*Set DATABASE_URL/);
  });
});
