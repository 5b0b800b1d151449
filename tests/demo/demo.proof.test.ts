import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, type Client } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import type { ServerProcess } from '../support/serverProcess.ts';
import { clientsOf, fillsEveryList, openDemo, type RunningDemo } from './runningDemo.ts';

const FILLED_MS = 120_000;
/** Ten times the interval at which the read model writes counts. */
const SETTLED_MS = 1_000;

const filled = ({ output }: ServerProcess) =>
  eventually(output, (lines) => lines.includes('A year of usage is written.'), FILLED_MS).catch(() => {
    throw new Error(`No year of usage: ${output()}`);
  });

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

let demo: RunningDemo;
beforeAll(async () => {
  demo = await openDemo();
});
afterAll(() => demo.close());

describe('a demo that runs on', { timeout: 2 * FILLED_MS }, () => {
  it('has a year of usage, and tools that keep recording calls', async () => {
    const running = await demo.start();
    const { customer } = await clientsOf(running);
    await filled(running);
    const { usage } = (await customer.get('/api/customer/usage?days=90')).body;
    expect(usage.daily.slice(0, -1).filter(({ calls }: { calls: number }) => calls === 0)).toEqual([]);
    const callsSoFar = async (): Promise<number> => (await customer.get('/api/customer/usage')).body.usage.totalApiCalls;
    const before = await callsSoFar();
    await eventually(callsSoFar, (now) => now > before);
  });

  it('continues after a kill with every list filled, and counts no call twice', async () => {
    const { customers } = await demo.seeded();
    const quiet = customers.filter(({ spec }) => spec.status !== 'active').map(({ customerId }) => customerId);
    const before = await totalsOf(await asAdmin(demo.now().url), quiet);
    expect(Math.min(...before)).toBeGreaterThan(0);
    await demo.now().kill();
    await demo.writeProgress({ seeded: await demo.seeded(), hasUsage: false });

    const again = await demo.start();
    expect(await fillsEveryList(again)).toBeGreaterThan(40);
    await filled(again);
    const admin = await asAdmin(again.url);
    expect(await totalsOf(admin, quiet)).toEqual(before);
    expect((await admin.get('/api/admin/customers')).body.total).toBe(customers.length);
    expect(await demo.now().stop()).toBe(0);
  });
});
