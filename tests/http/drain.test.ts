import { Agent, fetch } from 'undici';
import { expect, it } from 'vitest';
import { asAdmin, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { until } from '../support/eventually.ts';
import { openServer } from '../support/server.ts';
import { IS_AT_LENGTH } from '../support/tiers.ts';

const CALLERS = IS_AT_LENGTH ? 20 : 6;

it('closes under load without losing an accepted request', async () => {
  const server = await openServer();
  const admin = await asAdmin(server.url);
  const integrator = await newIntegrator(admin);
  const customer = await newCustomer(admin, integrator.id);
  const node = await server.openNode();
  const agent = new Agent({ connections: CALLERS, pipelining: 1 });
  const statuses = new Map<number, number>();
  const failures: string[] = [];
  let closed = false;

  /** Like a client behind a proxy, it stops once the server no longer listens. */
  const caller = async (number: number): Promise<void> => {
    for (let turn = 0; !closed; turn++) {
      const isWrite = (number + turn) % 5 === 0;
      const path = isWrite ? `/api/admin/customers/${customer.id}` : '/api/admin/customers?limit=5';
      try {
        const response = await fetch(`${node.url}${path}`, {
          dispatcher: agent,
          method: isWrite ? 'PUT' : 'GET',
          headers: { ...admin.headers, ...(isWrite && { 'content-type': 'application/json' }) },
          ...(isWrite && { body: JSON.stringify({ name: `Turn ${turn}`, contactEmail: 'a@b.example' }) }),
        });
        await response.arrayBuffer();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      } catch (error) {
        const cause =
          error instanceof Error && error.cause instanceof Error && 'code' in error.cause
            ? String(error.cause.code)
            : String(error);
        if (cause === 'ECONNREFUSED') return;
        failures.push(cause);
      }
    }
  };

  const callers = Array.from({ length: CALLERS }, (_, number) => caller(number));
  await until(() => (statuses.get(200) ?? 0) >= 10 * CALLERS);
  await node.close();
  closed = true;
  await Promise.all(callers);
  await agent.destroy();
  expect(failures).toEqual([]);
  expect([...statuses.keys()]).toEqual([200]);
  await server.close();
});
