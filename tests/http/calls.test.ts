import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordedCallEntry } from '../../src/contracts/calls.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  type Client,
  newCustomer,
  newIntegrator,
  type Tool,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { asPortalMember, inviteUser, join } from '../support/members.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: Client;
let integrator: ServiceIntegrator;
let partner: Client;
let customer: Customer;
let portal: Client;
let ada: Tool;

const call = (given: Record<string, unknown> = {}) => ({
  service: 'jira',
  instanceUrl: 'https://Acme.atlassian.net/',
  operation: 'GET:/issue',
  status: 200,
  durationMs: 40,
  ...given,
});
const send = (tool: Client, sourceId: string, calls: unknown[]) =>
  tool.post('/api/cli/api-calls', { sourceId, firstSequence: 1, calls });
const listed = (client: Client, path: string, count: number): Promise<RecordedCallEntry[]> =>
  eventually(
    async () => (await client.get(path)).body.calls,
    (calls: RecordedCallEntry[]) => calls.length >= count,
  );
const operationsOf = (calls: readonly RecordedCallEntry[]): string[] => calls.map(({ operation }) => operation);

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  partner = await asIntegrator(server.url, integrator);
  customer = await newCustomer(admin, integrator.id, { name: 'Acme', developerSeats: -1 });
  portal = await asCustomer(server.url, customer);
  ada = await asTool(server.url, customer, 'ada');
  await send(ada, 'ada-laptop', [
    call({ at: new Date(Date.now() - 60_000).toISOString() }),
    call({ operation: '=1+1', status: 503, durationMs: 900 }),
  ]);
});
afterAll(() => server.close());

describe('the list of recorded calls', () => {
  it('shows everything about a call to administrators, integrators and the customer', async () => {
    const [newest, oldest] = await listed(admin, `/api/admin/calls?customerId=${customer.id}`, 2);
    expect(newest).toMatchObject({
      customer: { customerId: customer.id, name: 'Acme' },
      user: { userId: ada.userId, username: 'ada' },
      service: 'jira',
      instanceUrl: 'https://acme.atlassian.net',
      operation: '=1+1',
      isSuccessful: false,
      status: 503,
      durationMs: 900,
      sourceId: 'ada-laptop',
      sequence: 2,
    });
    expect(oldest).toMatchObject({ operation: 'GET:/issue', isSuccessful: true, sequence: 1 });
    for (const [client, path] of [
      [admin, `/api/admin/calls?serviceIntegratorId=${integrator.id}`],
      [partner, '/api/service-integrator/calls'],
      [partner, `/api/service-integrator/calls?customerId=${customer.id}`],
      [portal, '/api/customer/calls'],
    ] as const) {
      expect((await client.get(path)).body).toEqual({ success: true, calls: [newest, oldest], nextCursor: null, searchedTo: null });
    }
  });

  it('is paged and filtered', async () => {
    await listed(portal, '/api/customer/calls', 2);
    const first = await portal.get('/api/customer/calls?limit=1');
    const second = await portal.get(`/api/customer/calls?limit=1&cursor=${first.body.nextCursor}`);
    expect(operationsOf([...first.body.calls, ...second.body.calls])).toEqual(['=1+1', 'GET:/issue']);
    expect(second.body.nextCursor).toBeNull();
    const newest = Date.parse(first.body.calls[0].at);
    for (const [query, expected] of [
      ['outcome=failed', ['=1+1']],
      ['status=200', ['GET:/issue']],
      ['status=2xx', ['GET:/issue']],
      ['instanceUrl=https://ACME.atlassian.net/', ['=1+1', 'GET:/issue']],
      [`userId=${ada.userId}&minDurationMs=500`, ['=1+1']],
      ['maxDurationMs=500', ['GET:/issue']],
      ['service=azdo', []],
      ['sourceId=other', []],
      [`from=${new Date(newest - 30_000).toISOString()}`, ['=1+1']],
    ] as const) {
      expect([query, operationsOf((await portal.get(`/api/customer/calls?${query}`)).body.calls)]).toEqual([query, expected]);
    }
  });

  it('combines the filters by customer, service integrator, user and source, also in exports', async () => {
    await listed(portal, '/api/customer/calls', 2);
    const otherIntegrator = await newIntegrator(admin, { companyName: 'Tailspin' });
    const otherCustomer = await newCustomer(admin, otherIntegrator.id, { name: 'Wingtip' });
    const eve = await asTool(server.url, otherCustomer, 'eve');
    await send(eve, 'ada-laptop', [call({ operation: 'GET:/of-eve' })]);
    await listed(admin, `/api/admin/calls?customerId=${otherCustomer.id}`, 1);
    const both = ['=1+1', 'GET:/issue'];
    for (const [query, expected] of [
      ['sourceId=ada-laptop', ['GET:/of-eve', ...both]],
      [`sourceId=ada-laptop&serviceIntegratorId=${integrator.id}`, both],
      [`sourceId=ada-laptop&userId=${eve.userId}`, ['GET:/of-eve']],
      [`sourceId=other&userId=${eve.userId}`, []],
      [`customerId=${customer.id}&serviceIntegratorId=${integrator.id}`, both],
      [`customerId=${customer.id}&serviceIntegratorId=${otherIntegrator.id}`, []],
      [`userId=${ada.userId}`, both],
      [`userId=${ada.userId}&serviceIntegratorId=${integrator.id}`, both],
      [`userId=${ada.userId}&serviceIntegratorId=${otherIntegrator.id}`, []],
      [`userId=${ada.userId}&customerId=${otherCustomer.id}`, []],
    ] as const) {
      const path = `/api/admin/calls?${query}`;
      // Calls of one second and of several customers have no order that a test could know.
      expect([query, operationsOf((await admin.get(path)).body.calls).sort()]).toEqual([query, [...expected].sort()]);
      const csv = await admin.get(path, { headers: { accept: 'text/csv' } });
      expect([query, String(csv.body).trim().split('\r\n').length - 1]).toEqual([query, expected.length]);
    }
    expect((await partner.get(`/api/service-integrator/calls?userId=${eve.userId}`)).body.calls).toEqual([]);
    const file = await admin.get(`/api/admin/calls?userId=${ada.userId}`, { headers: { accept: 'text/csv' } });
    expect(file.headers.get('content-disposition')).toMatch(/"calls-acme-\d{4}-\d\d-\d\d\.csv"$/);
  });

  it('is exported as a file that no spreadsheet takes for formulas', async () => {
    await listed(portal, '/api/customer/calls', 2);
    const path = '/api/customer/calls?outcome=failed&from=2026-01-01T00:00:00Z&to=2999-01-02T03:04:05Z';
    const csv = await portal.get(path, { headers: { accept: 'text/csv' } });
    expect(csv.headers.get('content-disposition')).toMatch(/"calls-[a-z0-9-]+-2026-01-01-2999-01-02t0304z\.csv"$/);
    const [header, line, end] = String(csv.body).split('\r\n');
    expect(header).toMatch(/^at,received_at,customer_id,customer,user_id,user,service,instance_url,operation,successful,status,/);
    expect(line).toContain(
      `,${customer.id},Acme,${ada.userId},ada,jira,https://acme.atlassian.net,'=1+1,false,503,900,ada-laptop,2,`,
    );
    expect(end).toBe('');
    const ndjson = await partner.get('/api/service-integrator/calls', { headers: { accept: 'application/x-ndjson' } });
    expect(
      operationsOf(
        String(ndjson.body)
          .trim()
          .split('\n')
          .map((text) => JSON.parse(text)),
      ),
    ).toEqual(['=1+1', 'GET:/issue']);
  });

  it('has nothing of other tenants', async () => {
    const otherIntegrator = await newIntegrator(admin, { companyName: 'Fabrikam' });
    const otherCustomer = await newCustomer(admin, otherIntegrator.id);
    const outside = await asIntegrator(server.url, otherIntegrator);
    expect((await outside.get(`/api/service-integrator/calls?customerId=${customer.id}`)).body.code).toBe('customer_not_found');
    expect((await outside.get('/api/service-integrator/calls')).body.calls).toEqual([]);
    const guest = await asCustomer(server.url, otherCustomer);
    expect((await guest.get(`/api/customer/calls?userId=${ada.userId}`)).body.calls).toEqual([]);
    expect((await guest.get(`/api/customer/calls?customerId=${customer.id}`)).status).toBe(400);
  });

  it('shows a developer the own calls only', async () => {
    const bob = await asTool(server.url, customer, 'bob');
    await send(bob, 'bob-laptop', [call({ operation: 'GET:/of-bob' })]);
    await listed(portal, `/api/customer/calls?userId=${bob.userId}`, 1);
    const member = await join(server.url, await inviteUser(portal, bob.userId), { secondFactor: false });
    const developer = await asPortalMember(server.url, member);
    expect(operationsOf((await developer.get('/api/customer/own-calls')).body.calls)).toEqual(['GET:/of-bob']);
    expect((await developer.get('/api/customer/calls')).status).toBe(403);
    expect((await developer.get(`/api/customer/own-calls?userId=${ada.userId}`)).status).toBe(400);
  });

  it('says what is wrong with a filter', async () => {
    for (const [query, path] of [
      ['status=9', 'status'],
      ['outcome=bad', 'outcome'],
      ['minDurationMs=fast', 'minDurationMs'],
      ['from=yesterday', 'from'],
      ['userId=ada', 'userId'],
    ] as const) {
      const { status, body } = await portal.get(`/api/customer/calls?${query}`);
      expect([status, body.issues?.[0]?.path]).toEqual([400, path]);
    }
    expect((await portal.get('/api/customer/calls?cursor=abc')).status).toBe(400);
    expect((await admin.get('/api/admin/calls?customerId=7e57ab1e-0000-4000-8000-000000000000')).status).toBe(404);
  });

  it('lists the calls of a range up to now, which an export names', async () => {
    const carl = await asTool(server.url, customer, 'carl');
    const at = new Date(Date.now() - 2 * HOUR_MS).toISOString();
    await send(carl, 'carl-laptop', [call({ operation: 'GET:/earlier', at }), call({ operation: 'GET:/now' })]);
    const path = `/api/customer/calls?userId=${carl.userId}`;
    await listed(portal, path, 2);
    expect(operationsOf((await portal.get(`${path}&range=1h`)).body.calls)).toEqual(['GET:/now']);
    expect(operationsOf((await portal.get(`${path}&range=6h`)).body.calls)).toEqual(['GET:/now', 'GET:/earlier']);
    const csv = await portal.get(`${path}&range=1h`, { headers: { accept: 'text/csv' } });
    expect(String(csv.body).trim().split('\r\n')).toHaveLength(2);
    expect(csv.headers.get('content-disposition')).toMatch(/"calls-acme-\d{4}-\d\d-\d\d(t\d{4}z)?-\d{4}-\d\d-\d\d\.csv"$/);
    const { status, body } = await portal.get(`${path}&range=1h&from=${at}`);
    expect([status, body.issues?.[0]?.path]).toEqual([400, 'range']);
  });

  it('lists calls by when they were received, as the charts of Monitoring count them', async () => {
    const dora = await asTool(server.url, customer, 'dora');
    const at = new Date(Date.now() - 30 * HOUR_MS).toISOString();
    await send(dora, 'dora-laptop', [call({ operation: 'GET:/offline', at }), call({ operation: 'GET:/online' })]);
    const path = `/api/customer/calls?userId=${dora.userId}`;
    const [newest] = await listed(portal, path, 2);
    const received = newest?.receivedAt ?? '';
    const after = new Date(Date.parse(received) + 1).toISOString();
    for (const [query, expected] of [
      [`receivedFrom=${received}`, ['GET:/online', 'GET:/offline']],
      [`receivedFrom=${received}&receivedTo=${received}`, ['GET:/online', 'GET:/offline']],
      [`receivedFrom=${received}&to=${at}`, ['GET:/offline']],
      [`receivedFrom=${after}`, []],
      [`receivedTo=${at}`, []],
    ] as const) {
      expect([query, operationsOf((await portal.get(`${path}&${query}`)).body.calls)]).toEqual([query, expected]);
    }
    const csv = await portal.get(`${path}&receivedFrom=${received}`, { headers: { accept: 'text/csv' } });
    expect(String(csv.body).trim().split('\r\n')).toHaveLength(3);
  });
});

describe('the sources of recorded calls', () => {
  it('are those of the customer that begin with a text', async () => {
    await send(ada, 'ada-desktop', [call()]);
    await send(ada, 'ci_1', [call()]);
    const of = `customers/${customer.id}/call-sources`;
    const sources = async (client: Client, path: string) => (await client.get(path)).body.sources;
    await eventually(
      () => sources(admin, `/api/admin/${of}`),
      (found) => found.includes('ada-desktop') && found.includes('ci_1'),
    );
    expect(await sources(partner, `/api/service-integrator/${of}?search=ada-`)).toEqual(['ada-desktop', 'ada-laptop']);
    expect(await sources(portal, '/api/customer/call-sources?search=ci_')).toEqual(['ci_1']);
    expect(await sources(portal, '/api/customer/call-sources?search=%25')).toEqual([]);
    const [foreign, other] = [await newIntegrator(admin), await newCustomer(admin, integrator.id)];
    expect((await (await asIntegrator(server.url, foreign)).get(`/api/service-integrator/${of}`)).status).toBe(404);
    expect(await sources(await asCustomer(server.url, other), '/api/customer/call-sources')).toEqual([]);
  });
});
