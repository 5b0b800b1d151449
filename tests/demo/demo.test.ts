import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { User } from '../../src/contracts/users.ts';
import type { Seeded } from '../../src/demo/seed.ts';
import { asAdmin, asCustomer, asIntegrator, type Client } from '../support/apiClient.ts';
import { type DemoClients, demoLists, watchFeed } from '../support/demoLists.ts';
import { eventually } from '../support/eventually.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const FILLED_MS = 120_000;
/** Ten times the interval at which the read model writes counts. */
const SETTLED_MS = 1_000;

let dataDir: string;
let demo: ServerProcess | null = null;

const start = async (): Promise<ServerProcess> => {
  demo = await startServerProcess(dataDir, {}, 'demo/main.js');
  return demo;
};

const runningDemo = (): ServerProcess => {
  if (!demo) throw new Error('The demo was not started');
  return demo;
};

const filled = ({ output }: ServerProcess) =>
  eventually(output, (lines) => lines.includes('A year of usage is written.'), FILLED_MS).catch(() => {
    throw new Error(`No year of usage: ${output()}`);
  });

/** Clients that are signed in with the printed keys. */
const clientsOf = async ({ url, output }: ServerProcess): Promise<DemoClients> => {
  const lines = await eventually(output, (printed) => printed.includes('/portal/login'));
  const [masterLicenseKey = '', licenseKey = ''] = lines.match(/LK-(?:SI|ENT)-\S+/g) ?? [];
  return {
    admin: await asAdmin(url),
    integrator: await asIntegrator(url, { masterLicenseKey }),
    customer: await asCustomer(url, { licenseKey }),
  };
};

/** The number of lists, once all of them have entries. */
const fillsEveryList = async (running: ServerProcess): Promise<number> => {
  const clients = await clientsOf(running);
  const feed = watchFeed(running.url, clients.admin);
  try {
    const lists = [...(await demoLists(clients)), ...feed.lists];
    for (const { name, count } of lists) {
      await eventually(count, (entries) => entries > 0).catch((error: unknown) => {
        throw new Error(`There are no ${name}`, { cause: error });
      });
    }
    return lists.length;
  } finally {
    feed.close();
  }
};

const progressFile = () => join(dataDir, 'demo.json');
const seeded = async (): Promise<Seeded> => JSON.parse(await readFile(progressFile(), 'utf8')).seeded;

/** The number of calls of each customer, once it no longer grows. */
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
  it('has entries in every list, new calls and connected tools', async () => {
    expect(await fillsEveryList(await start())).toBeGreaterThan(40);
  });

  it('has a year of usage, and tools that keep recording calls', async () => {
    const running = runningDemo();
    const { customer } = await clientsOf(running);
    await filled(running);
    const { usage } = (await customer.get('/api/customer/usage?days=90')).body;
    expect(usage.daily.slice(0, -1).filter(({ calls }: { calls: number }) => calls === 0)).toEqual([]);
    const callsSoFar = async (): Promise<number> => (await customer.get('/api/customer/usage')).body.usage.totalApiCalls;
    const before = await callsSoFar();
    await eventually(callsSoFar, (now) => now > before);
  });

  it('has ordered times in the past only, and totals that match the lists', async () => {
    const { admin } = await clientsOf(runningDemo());
    const { customers } = (await admin.get('/api/admin/customers?limit=500')).body;
    const { users } = (await admin.get('/api/admin/users?limit=500')).body;
    const { signIns } = (await admin.get('/api/admin/sign-ins?limit=500')).body;
    const histories = await Promise.all(
      customers.map(async ({ id }: Customer) => (await admin.get(`/api/admin/customers/${id}/history?limit=500`)).body.history),
    );
    const now = new Date().toISOString();
    const { madeAt } = await seeded();
    const past = signIns.filter(({ at }: { at: string }) => at <= madeAt);
    expect(past.length).toBeGreaterThan(100);
    for (const entries of [past, ...histories]) {
      const times: string[] = entries.map(({ at }: { at: string }) => at);
      expect(times).toEqual([...times].sort().reverse());
    }
    for (const { at } of [...signIns, ...histories.flat()]) expect(at <= now).toBe(true);
    for (const { createdAt, lastLogin } of users as User[]) {
      if (lastLogin !== null) expect(lastLogin >= createdAt && lastLogin <= now).toBe(true);
    }
    for (const { id, activeDeveloperSeats, activeStakeholderSeats } of customers as Customer[]) {
      const active = (users as User[]).filter(({ customerId, status }) => customerId === id && status === 'active');
      expect(activeStakeholderSeats).toBe(active.filter(({ role }) => role === 'stakeholder').length);
      expect(activeDeveloperSeats + activeStakeholderSeats).toBe(active.length);
    }
    const totals = async () => {
      const [{ body: board }, { body: list }] = await Promise.all([
        admin.get('/api/admin/stats/dashboard'),
        admin.get('/api/admin/customers?limit=500'),
      ]);
      const calls = list.customers.reduce((sum: number, { totalApiCalls }: Customer) => sum + totalApiCalls, 0);
      return { counted: board.stats.totalApiCalls, listed: calls };
    };
    await eventually(totals, ({ counted, listed }) => counted === listed);
  });

  it('continues after a kill with every list filled, and counts no call twice', async () => {
    const { customers } = await seeded();
    const quiet = customers.filter(({ spec }) => spec.status !== 'active').map(({ customerId }) => customerId);
    const before = await totalsOf(await asAdmin(demo?.url ?? ''), quiet);
    expect(Math.min(...before)).toBeGreaterThan(0);
    await demo?.kill();
    await writeFile(progressFile(), JSON.stringify({ seeded: await seeded(), hasUsage: false }));

    const again = await start();
    expect(await fillsEveryList(again)).toBeGreaterThan(40);
    await filled(again);
    const admin = await asAdmin(again.url);
    expect(await totalsOf(admin, quiet)).toEqual(before);
    expect((await admin.get('/api/admin/customers')).body.total).toBe(customers.length);
    expect(await demo?.stop()).toBe(0);
  });

  it('reports what to do after an end while accounts are created', async () => {
    await writeFile(progressFile(), 'null');
    await expect(start()).rejects.toThrow(
      `ended with 1 before it was ready\nThe demo ended while it created its accounts. Delete ${dataDir} and start it again.`,
    );
  });
});
