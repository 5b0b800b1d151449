import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { MAX_INSTANCES, OTHER_INSTANCES } from '../../src/domain/limits.ts';
import { asAdmin, asCustomer, asTool, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';

const BATCH = 500;
const MADE_UP = MAX_INSTANCES + BATCH;

let server: TestServer;
let customer: Customer;

beforeAll(async () => {
  server = await openServer();
  const admin = await asAdmin(server.url);
  customer = await newCustomer(admin, (await newIntegrator(admin)).id);
});

afterAll(() => server.close());

describe('a tool that records calls of an unlimited number of instances', () => {
  it('creates no more rows than the limit, loses no call, and is reported', async () => {
    const tool = await asTool(server.url, customer);
    for (let first = 1; first <= MADE_UP; first += BATCH) {
      const calls = Array.from({ length: BATCH }, (_, index) => ({
        service: 'jira',
        instanceUrl: `https://made-up-${first + index}.example`,
        operation: 'GET:/issue',
        status: 200,
        durationMs: 1,
      }));
      const { status } = await tool.post('/api/cli/api-calls', { sourceId: 'flood', firstSequence: first, calls });
      expect(status).toBe(202);
    }
    const portal = await asCustomer(server.url, customer);
    const { usage } = await eventually(
      async () => (await portal.get('/api/customer/usage')).body,
      ({ usage }) => usage.totalApiCalls === MADE_UP && usage.activeInstances > 0,
    );
    expect(usage.activeInstances).toBe(MAX_INSTANCES + 1);
    const { instances } = (await portal.get('/api/customer/instances')).body;
    expect(instances).toContainEqual(
      expect.objectContaining({ instanceUrl: OTHER_INSTANCES, service: 'jira', apiCalls: MADE_UP - MAX_INSTANCES }),
    );
    expect(await server.product.queries.usage.customersWithOtherInstances()).toBe(1);
  });
});
