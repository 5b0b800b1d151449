import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAdminTool } from '../support/adminTool.ts';
import { asAdmin, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let folder: string;
let dataDir: string;
let server: ServerProcess | null = null;

const admin = (argv: readonly string[], DATA_DIR = dataDir) => runAdminTool(argv, { DATA_DIR });

const exported = async (from: string): Promise<string[]> => (await admin(['export'], from)).out.trim().split('\n');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-backup-'));
  dataDir = join(folder, 'data');
  server = await startServerProcess(dataDir);
});

afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe('a backup of the embedded stores', () => {
  it('is consistent while the server is in use, and is restored into an empty directory', async () => {
    const [backup, restored] = [join(folder, 'backup'), join(folder, 'restored')];
    const signedIn = await asAdmin(server?.url ?? '');
    const integrator = await newIntegrator(signedIn);
    const before = await Promise.all([1, 2, 3].map(() => newCustomer(signedIn, integrator.id)));
    let isDone = false;
    let during = 0;
    const creating = (async () => {
      for (; !isDone; during++) await newCustomer(signedIn, integrator.id);
    })();
    expect(await admin(['--json', 'backup', backup])).toMatchObject({
      code: 0,
      out: expect.stringContaining('"hasMasterSecret":true'),
    });
    isDone = true;
    await creating;
    expect(during).toBeGreaterThan(0);
    expect((await stat(backup)).mode & 0o777).toBe(0o700);
    expect(await admin(['restore', backup], restored)).toMatchObject({ code: 0 });
    await server?.stop();
    server = null;

    const [originals, copies] = [await exported(dataDir), await exported(restored)];
    expect(copies).toEqual(originals.slice(0, copies.length));
    for (const { id } of before) expect(copies.join()).toContain(`customer-${id}`);
    const second = await startServerProcess(restored);
    try {
      expect(await admin(['verify'], restored)).toMatchObject({ code: 0, out: expect.stringContaining('no differences') });
      const again = await asAdmin(second.url);
      await newCustomer(again, integrator.id);
    } finally {
      await second.stop();
    }
  });

  it('is made without a server, too', async () => {
    const [backup, restored] = [join(folder, 'quiet'), join(folder, 'quietly')];
    expect(await admin(['backup', backup])).toMatchObject({ code: 0 });
    expect(await admin(['restore', backup], restored)).toMatchObject({ code: 0 });
    expect(await exported(restored)).toEqual(await exported(dataDir));
  });
});
