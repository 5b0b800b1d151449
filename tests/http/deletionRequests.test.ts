import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { asAdmin, asCustomer, asIntegrator, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: Client;
let partner: Client;
let other: Client;
let customers: Customer[];

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  const [first, second] = [await newIntegrator(admin), await newIntegrator(admin)];
  [partner, other] = [await asIntegrator(server.url, first), await asIntegrator(server.url, second)];
  customers = [];
  for (const owner of [first, first, first, second]) customers.push(await newCustomer(admin, owner.id));
});

afterAll(() => server.close());

const portalOf = async (index: number): Promise<Client> => asCustomer(server.url, customers[index] ?? { licenseKey: '' });
const idsOf = (...indexes: number[]): (string | undefined)[] => indexes.map((index) => customers[index]?.id).sort();

/** What each list shows, and each dashboard counts. */
const seen = async () => {
  const list = async (client: Client, root: string) => {
    const { body } = await client.get(`${root}/customers?deletionRequested=true`);
    return { ids: body.customers.map(({ id }: Customer) => id).sort(), total: body.total, all: body.counts.all };
  };
  const count = async (client: Client, root: string) => (await client.get(`${root}/stats/dashboard`)).body.stats.deletionRequests;
  const [as, of] = ['/api/admin', '/api/service-integrator'];
  return {
    lists: [await list(admin, as), await list(partner, of), await list(other, of)],
    counts: [await count(admin, as), await count(partner, of), await count(other, of)],
  };
};

const shown = (...indexes: number[]) => ({ ids: idsOf(...indexes), total: indexes.length, all: indexes.length });

describe('requests for account deletion', () => {
  it('are filtered in the lists and counted on the dashboards of administrators and the integrator', async () => {
    expect(await seen()).toEqual({ lists: [shown(), shown(), shown()], counts: [0, 0, 0] });
    for (const index of [0, 1, 3]) await (await portalOf(index)).post('/api/customer/request-deletion');
    await (await portalOf(0)).post('/api/customer/request-deletion');
    expect(await seen()).toEqual({ lists: [shown(0, 1, 3), shown(0, 1), shown(3)], counts: [3, 2, 1] });
    await (await portalOf(1)).delete('/api/customer/request-deletion');
    expect(await seen()).toEqual({ lists: [shown(0, 3), shown(0), shown(3)], counts: [2, 1, 1] });
    expect((await admin.delete(`/api/admin/customers/${customers[3]?.id}`)).status).toBe(200);
    expect(await seen()).toEqual({ lists: [shown(0), shown(0), shown()], counts: [1, 1, 0] });
  });

  it('are combined with the search, the status and every order of the list', async () => {
    const list = async (query: string) => (await admin.get(`/api/admin/customers?deletionRequested=true&${query}`)).body;
    expect(await list('search=acme&status=active')).toMatchObject({ total: 1, counts: { all: 1, active: 1, suspended: 0 } });
    expect(await list('status=suspended')).toMatchObject({ total: 0, customers: [] });
    for (const sort of ['name', '-createdAt', '-totalApiCalls']) expect(await list(`sort=${sort}`)).toMatchObject({ total: 1 });
    expect((await admin.get('/api/admin/customers?deletionRequested=perhaps')).status).toBe(400);
  });
});
