import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEventStore } from '../../src/embedded/eventstore/server.ts';
import { openServerFixture, type ServerFixture } from '../embedded/eventstore/serverSupport.ts';
import { runAdminTool } from '../support/adminTool.ts';
import { asAdmin, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let dataDir: string;
let server: ServerProcess | null = null;
let target: ServerFixture;
let url: string;
let closeTarget: () => Promise<void>;

const admin = (argv: readonly string[], env: Record<string, string> = {}) => runAdminTool(argv, { DATA_DIR: dataDir, ...env });

const exported = async (env: Record<string, string> = {}) => {
  const { out } = await admin(['export'], env);
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .map(({ position: _, ...event }) => event);
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'latchkey-copy-'));
  server = await startServerProcess(dataDir);
  target = await openServerFixture();
  const listen = { host: '127.0.0.1', port: 0 };
  const store = await startEventStore({ databaseUrl: target.databaseUrl, listen, log: () => undefined });
  url = store.connectionString;
  closeTarget = store.close;
});

afterAll(async () => {
  await server?.stop();
  await closeTarget();
  await target.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

describe('latchkey-admin copy-events', () => {
  it('moves a server to another event store over TCP with one short stop', async () => {
    const signedIn = await asAdmin(server?.url ?? '');
    const integrator = await newIntegrator(signedIn);
    const create = async (count: number): Promise<void> => {
      for (let created = 0; created < count; created++) await newCustomer(signedIn, integrator.id);
    };
    await create(5);
    const creating = create(10);
    const tool = join(import.meta.dirname, '../../dist/admin/main.js');
    const killed = spawn(process.execPath, [tool, 'copy-events', '--to', url], {
      env: { DATA_DIR: dataDir, PATH: process.env.PATH },
    });
    await eventually(
      () => exported({ EVENTSTORE_URL: url }),
      (events) => events.length > 0,
      30_000,
    );
    killed.kill('SIGKILL');
    if (killed.exitCode === null && killed.signalCode === null) await once(killed, 'exit');
    expect(await admin(['copy-events', '--to', url])).toMatchObject({ code: 0, out: expect.stringContaining('Copied ') });
    await creating;
    await server?.stop();
    expect(await admin(['--json', 'copy-events', '--to', url])).toMatchObject({ code: 0 });

    const env = { EVENTSTORE_URL: url };
    const [originals, copies] = [await exported(), await exported(env)];
    expect(originals.length).toBeGreaterThan(15);
    expect(copies).toEqual(originals);
    server = await startServerProcess(dataDir, env);
    expect(await admin(['confirm-store', 'different'], env)).toMatchObject({ code: 0 });
    const verified = await eventually(
      () => admin(['--json', 'verify'], env),
      ({ code }) => code === 0,
      60_000,
    );
    expect(verified.out).not.toContain('"onlyServing"');
    const { body } = await (await asAdmin(server.url)).get('/api/admin/customers');
    expect(body.customers).toHaveLength(15);
  });

  it('reports wrong addresses by the option that has them', async () => {
    expect(await admin(['copy-events', '--to', url, '--from', url])).toMatchObject({
      code: 4,
      err: expect.stringContaining('Source and target are the same event store.'),
    });
    expect(await admin(['copy-events', '--to', url, '--from', 'esdb://127.0.0.1:1?tls=false'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('--from: connection refused'),
    });
  });
});
