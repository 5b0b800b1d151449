import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { User } from '../../src/contracts/users.ts';
import { eventually } from '../support/eventually.ts';
import { clientsOf, fillsEveryList, openDemo, type RunningDemo } from './runningDemo.ts';

let demo: RunningDemo;
beforeAll(async () => {
  demo = await openDemo();
});
afterAll(() => demo.close());

describe('the demo', { timeout: 240_000 }, () => {
  it('has entries in every list, new calls and connected tools', async () => {
    expect(await fillsEveryList(await demo.start())).toBeGreaterThan(40);
  });

  it('has ordered times in the past only, and totals that match the lists', async () => {
    const { admin } = await clientsOf(demo.now());
    const { customers } = (await admin.get('/api/admin/customers?limit=500')).body;
    const { users } = (await admin.get('/api/admin/users?limit=500')).body;
    const { signIns } = (await admin.get('/api/admin/sign-ins?limit=500')).body;
    const histories = await Promise.all(
      customers.map(async ({ id }: Customer) => (await admin.get(`/api/admin/customers/${id}/history?limit=500`)).body.history),
    );
    const now = new Date().toISOString();
    const { madeAt } = await demo.seeded();
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

  it('reports what to do after an end while accounts are created', async () => {
    await demo.now().stop();
    await demo.writeProgress(null);
    await expect(demo.start()).rejects.toThrow(
      `ended with 1 before it was ready\nThe demo ended while it created its accounts. Delete ${demo.dataDir} and start it again.`,
    );
  });
});
