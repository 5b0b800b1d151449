import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Seeded } from '../../src/bootstrap/demo/seed.ts';
import { asAdmin, asCustomer, asIntegrator, type Client } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const FILLED_MS = 120_000;
/** Ten times as long as the read model gathers what it counts. */
const SETTLED_MS = 1_000;

let dataDir: string;
let demo: ServerProcess | null = null;

const start = async (): Promise<ServerProcess> => {
  demo = await startServerProcess(dataDir, {}, 'bootstrap/demo/main.js');
  return demo;
};

const filled = ({ output }: ServerProcess) =>
  eventually(output, (said) => said.includes('A year of usage is in.'), FILLED_MS).catch(() => {
    throw new Error(`No year of usage: ${output()}`);
  });

const progressFile = () => join(dataDir, 'demo.json');
const seeded = async (): Promise<Seeded> => JSON.parse(await readFile(progressFile(), 'utf8')).seeded;

/** Calls of each of these customers, once the read model has all of them and they no longer grow. */
const totalsOf = async (admin: Client, ids: readonly string[]): Promise<number[]> => {
  let before: number[] = [];
  const look = async () => {
    const replies = await Promise.all(ids.map((id) => admin.get(`/api/admin/customers/${id}`)));
    const totals: number[] = replies.map(({ body }) => body.customer.totalApiCalls);
    const isSettled = totals.join() === before.join();
    before = totals;
    if (!isSettled) await sleep(SETTLED_MS);
    return { totals, isSettled };
  };
  return (await eventually(look, ({ isSettled }) => isSettled)).totals;
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'latchkey-demo-'));
});

afterAll(async () => {
  await demo?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('the demo', { timeout: 2 * FILLED_MS }, () => {
  it('has keys to sign in with, a year of usage, and tools that go on calling', async () => {
    const running = await start();
    const { url, output } = running;
    const said = await eventually(output, (lines) => lines.includes('/portal/login'));
    const [integratorKey = '', customerKey = ''] = said.match(/LK-(?:SI|ENT)-\S+/g) ?? [];
    const integrator = await asIntegrator(url, { masterLicenseKey: integratorKey });
    expect((await integrator.get('/api/service-integrator/customers')).body.total).toBeGreaterThan(1);
    const customer = await asCustomer(url, { licenseKey: customerKey });

    await filled(running);
    const { usage } = (await customer.get('/api/customer/usage?days=90')).body;
    expect(usage.daily.slice(0, -1).filter(({ calls }: { calls: number }) => calls === 0)).toEqual([]);
    const callsSoFar = async (): Promise<number> => (await customer.get('/api/customer/usage')).body.usage.totalApiCalls;
    const before = await callsSoFar();
    await eventually(callsSoFar, (now) => now > before);
  });

  it('goes on where it was ended, and counts nothing twice', async () => {
    const { customers } = await seeded();
    const quiet = customers.filter(({ cast }) => cast.status !== 'active').map(({ customerId }) => customerId);
    const before = await totalsOf(await asAdmin(demo?.url ?? ''), quiet);
    expect(Math.min(...before)).toBeGreaterThan(0);
    await demo?.kill();
    await writeFile(progressFile(), JSON.stringify({ seeded: await seeded(), hasUsage: false }));

    const again = await start();
    await filled(again);
    const admin = await asAdmin(again.url);
    expect(await totalsOf(admin, quiet)).toEqual(before);
    expect((await admin.get('/api/admin/customers')).body.total).toBe(customers.length);
    expect(await demo?.stop()).toBe(0);
  });

  it('says what to do where it was ended while its customers were being made', async () => {
    await writeFile(progressFile(), 'null');
    await expect(start()).rejects.toThrow(
      `ended with 1 before it was ready\nThe demo was ended while its customers were being made: delete ${dataDir} and start it again`,
    );
  });
});
