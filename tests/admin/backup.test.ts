import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAdminTool } from '../support/adminTool.ts';
import { asAdmin, newIntegrator } from '../support/apiClient.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { itAtLength } from '../support/tiers.ts';

let folder: string;
let dataDir: string;
let server: ServerProcess | null = null;

const admin = (argv: readonly string[], DATA_DIR = dataDir) => runAdminTool(argv, { DATA_DIR });

const exported = async (from: string): Promise<string[]> => {
  const { code, out, err } = await admin(['export'], from);
  if (code !== 0) throw new Error(err);
  return out.trim().split('\n');
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-backup-'));
  dataDir = join(folder, 'data');
});

afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe('a backup of the embedded stores', () => {
  itAtLength('is made beside a running server, and is restored into an empty directory', async () => {
    server = await startServerProcess(dataDir);
    const [backup, restored] = [join(folder, 'backup'), join(folder, 'restored')];
    await newIntegrator(await asAdmin(server?.url ?? ''));
    const before = await exported(dataDir);
    expect(before.join()).toContain('"type":"IntegratorRegistered"');
    expect(await admin(['--json', 'backup', backup])).toMatchObject({
      code: 0,
      out: expect.stringContaining('"hasMasterSecret":true'),
    });
    expect((await stat(backup)).mode & 0o777).toBe(0o700);
    expect(await admin(['restore', backup], restored)).toMatchObject({ code: 0 });
    const copies = await exported(restored);
    expect(copies.length).toBeGreaterThanOrEqual(before.length);
    expect((await exported(dataDir)).slice(0, copies.length)).toEqual(copies); // policies of the server append more
  });

  it('replaces no files, and is not restored from or into the wrong directory', async () => {
    // It refuses before it looks at what is stored.
    const [used, stored, backup] = [join(folder, 'used'), join(folder, 'stored'), join(folder, 'complete')];
    await Promise.all([mkdir(used), mkdir(join(stored, 'postgres/cluster'), { recursive: true }), mkdir(backup)]);
    await writeFile(join(used, 'file'), '');
    await writeFile(join(stored, 'postgres/cluster/PG_VERSION'), '');
    await writeFile(join(backup, 'latchkey-backup.json'), '{}');
    expect(await admin(['backup', used], stored)).toMatchObject({ code: 4, err: expect.stringContaining(`${used} is not empty`) });
    expect(await admin(['restore', used], join(folder, 'none'))).toMatchObject({
      code: 4,
      err: expect.stringContaining('contains no complete backup'),
    });
    expect(await admin(['restore', backup], used)).toMatchObject({
      code: 4,
      err: expect.stringContaining(`${used} is not empty`),
    });
    expect(await readdir(used)).toEqual(['file']);
    expect(await admin(['backup', join(folder, 'nothing')], join(folder, 'none'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no data in'),
    });
    expect(await readdir(folder)).not.toContain('nothing');
  });
});
