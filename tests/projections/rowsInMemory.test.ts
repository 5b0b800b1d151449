import { describe, expect, it } from 'vitest';
import { foundIn } from '../../src/projections/users/queries.ts';
import { garbageCollection } from '../support/garbageCollection.ts';

const rows = (): Parameters<typeof foundIn>[0][] =>
  Array.from({ length: 100 }, (_, index) => ({
    user_id: `user ${index}` as never,
    customer_id: `customer ${index}` as never,
    integrator_id: `integrator ${index}` as never,
    customer_name: `Customer ${index}`,
    username: `user-${index}`,
    email: `user-${index}@acme.example`,
    role: 'developer',
    status: 'active',
    last_login: new Date(0),
    machine_id: null,
    created_at: new Date(index),
    connected: false,
    pending_machines: 0,
    revision: '7',
  }));

describe('the users of a page', () => {
  it('leave no memory to the next full garbage collection', () => {
    const gc = garbageCollection();
    const pages = (count: number): void => {
      for (let page = 0; page < count; page++) {
        rows().map((row) => foundIn(row).user);
        if (page % 20 === 0) gc({ type: 'minor' });
      }
      gc({ type: 'minor' });
    };
    pages(200); // V8 makes objects another way after the first ones
    gc();
    const before = process.memoryUsage().heapUsed;
    pages(1_000);
    // All users take more than 20 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(3_000_000);
  });
});
