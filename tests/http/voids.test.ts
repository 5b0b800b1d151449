import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { asAdmin, asCustomer, asIntegrator, asTool, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: Client;
let partner: Client;
let portal: Client;
let tool: Client;
let customer: Customer;

const call = { service: 'jira', instanceUrl: 'https://acme.atlassian.net', operation: 'GET:/issue', status: 200, durationMs: 10 };
const send = (sourceId: string, firstSequence: number, count: number) =>
  tool.post('/api/cli/api-calls', { sourceId, firstSequence, calls: Array.from({ length: count }, () => call) });
const total = async (): Promise<number> => (await portal.get('/api/customer/usage?days=7')).body.usage.totalApiCalls;
const untilTotal = (wanted: number) => eventually(total, (found) => found === wanted);
const voidsIn = async (client: Client, path: string): Promise<{ reason: string; calls: number; by: string }[]> =>
  (await client.get(path)).body.voids;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  const integrator = await newIntegrator(admin);
  customer = await newCustomer(admin, integrator.id, { name: 'Acme', developerSeats: 5 });
  partner = await asIntegrator(server.url, integrator);
  portal = await asCustomer(server.url, customer);
  tool = await asTool(server.url, customer, 'ada');
});

afterAll(() => server.close());

describe('voided calls', () => {
  it('leave the usage of the customer, stay in the list, and count when they are sent again', async () => {
    expect((await send('build', 1, 10)).body).toMatchObject({ accepted: 10, duplicates: 0 });
    await untilTotal(10);
    const preview = await portal.get('/api/customer/voids/preview?sourceId=build&lastSequence=4');
    expect(preview.body.preview).toMatchObject({
      calls: 4,
      firstSequence: 1,
      lastSequence: 4,
      users: [{ username: 'ada', calls: 4 }],
    });
    const voided = await portal.post('/api/customer/voids', { sourceId: 'build', lastSequence: 4, reason: 'A test by mistake' });
    expect(voided).toMatchObject({ status: 200, body: { success: true, voidId: expect.any(String) } });
    // At the same node, before and after the read model knows of the void.
    expect((await send('build', 1, 2)).body).toMatchObject({ accepted: 2, duplicates: 0 });
    await untilTotal(8);
    expect((await send('build', 1, 10)).body.accepted).toBeGreaterThanOrEqual(2);
    await untilTotal(10);
    const { calls } = (await portal.get('/api/customer/calls?sourceId=build')).body;
    expect(calls.filter(({ voidId }: { voidId?: string }) => voidId === voided.body.voidId)).toHaveLength(4);
    expect(calls.length).toBe(14);
    expect((await portal.get('/api/customer/calls?counting=counted')).body.calls).toHaveLength(10);
    const month = new Date().toISOString().slice(0, '2026-01'.length);
    const { statement } = (await portal.get(`/api/customer/statement?month=${month}`)).body;
    expect(statement).toMatchObject({
      calls: { total: 10 },
      voids: [{ reason: 'A test by mistake', sourceId: 'build', calls: 4 }],
    });
    const { history } = (await portal.get('/api/customer/history')).body;
    expect(history[0].summary).toBe('The recorded calls 1 to 4 of source build were voided: A test by mistake');
  });

  it('are voided by administrators and the service integrator too, who see who did it', async () => {
    await send('laptop', 1, 3);
    await untilTotal(13);
    const ofPartner = `/api/service-integrator/customers/${customer.id}/voids`;
    const ofAdmin = `/api/admin/customers/${customer.id}/voids`;
    await partner.post(ofPartner, { sourceId: 'laptop', firstSequence: 3, reason: 'Sent twice' });
    await untilTotal(12);
    await admin.post(ofAdmin, { sourceId: 'laptop', lastSequence: 1, until: '2100-01-01T00:00:00Z', reason: 'A test' });
    await eventually(
      () => voidsIn(admin, ofAdmin),
      (voids) => voids.length === 3,
    );
    expect(await voidsIn(portal, '/api/customer/voids')).toMatchObject([
      { reason: 'A test', calls: 1, by: 'Administrator' },
      { reason: 'Sent twice', calls: 1, by: expect.any(String) },
      { reason: 'A test by mistake', calls: 4, by: 'Acme' },
    ]);
    expect(await voidsIn(partner, ofPartner)).toHaveLength(3);
    expect((await admin.get(`${ofAdmin}/preview?sourceId=laptop`)).body.preview).toMatchObject({ calls: 1 });
    const invalid = { sourceId: 'laptop', firstSequence: 9, lastSequence: 1, reason: 'Wrong' };
    expect((await admin.post(ofAdmin, invalid)).status).toBe(400);
    expect((await admin.post(ofAdmin, { sourceId: 'laptop' })).status).toBe(400);
  });

  it('do not refuse the next change of the customer with the version that was read', async () => {
    const path = `/api/admin/customers/${customer.id}`;
    const { headers } = await admin.get(path);
    const changed = await admin.put(
      path,
      { name: 'Acme', contactEmail: customer.contactEmail, company: 'Acme Inc.' },
      { headers: { 'if-match': headers.get('etag') ?? '' } },
    );
    expect(changed).toMatchObject({ status: 200, body: { customer: { company: 'Acme Inc.' } } });
  });

  it('are refused where no call was recorded, and accepted right after their recording and when they are sent again', async () => {
    const path = '/api/customer/voids';
    const voidOf = (range: object) => portal.post(path, { reason: 'Sent by mistake', ...range });
    const { length } = await voidsIn(portal, path);
    for (const range of [
      { sourceId: 'no-such-source' },
      { sourceId: 'laptop', firstSequence: 100 },
      { sourceId: 'laptop', until: '2020-01-01T00:00:00Z' },
    ])
      expect(await voidOf(range)).toMatchObject({
        status: 409,
        body: { code: 'no_calls_to_void', error: expect.stringContaining('Check the source') },
      });
    expect(
      (await partner.post(`/api/service-integrator/customers/${customer.id}/voids`, { sourceId: 'x', reason: 'X' })).status,
    ).toBe(409);
    await send('at once', 1, 3);
    expect((await voidOf({ sourceId: 'at once', firstSequence: 4 })).status).toBe(409);
    expect((await voidOf({ sourceId: 'at once', from: '2026-01-01T00:00:00Z' })).status).toBe(200);
    expect((await voidOf({ sourceId: 'at once', firstSequence: 3 })).status).toBe(200);
    await eventually(
      () => voidsIn(portal, path),
      (voids) => voids.length === length + 2,
    );
    expect((await voidOf({ sourceId: 'at once', lastSequence: 2 })).status).toBe(200);
    expect(await eventually(total, (found) => found === 11)).toBe(11);
  });

  it('count once if they are recorded, voided and sent again at the same time', async () => {
    const before = await total();
    const batches = Array.from({ length: 10 }, (_, index) => 1 + 10 * index);
    for (let round = 0; round < 3; round++) {
      await Promise.all([
        ...batches.map((first) => send('race', first, 10)),
        portal.post('/api/customer/voids', { sourceId: 'race', reason: 'Race' }),
        ...batches.map((first) => send('race', first, 10)),
      ]);
    }
    await Promise.all(batches.map((first) => send('race', first, 10)));
    // The total may also be this before the read model knows of the last voids: it knows of them once it has a later call.
    await send('after the race', 1, 1);
    await untilTotal(before + 101);
    const { body } = await portal.get('/api/customer/voids/preview?sourceId=race');
    expect(body.preview).toMatchObject({ calls: 100, firstSequence: 1, lastSequence: 100 });
  });
});
