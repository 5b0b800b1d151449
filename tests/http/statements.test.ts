import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { runAdminTool } from '../support/adminTool.ts';
import { asAdmin, asCustomer, asIntegrator, asTool, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';

const NOW = Date.parse('2026-03-16T00:00:00.000Z');
/** The clock of the server. */
let at = Date.parse('2026-03-11T00:00:00.000Z');

let server: TestServer;
let admin: Client;
let partner: Client;
let portal: Client;
let integratorId: string;
let customer: Customer;
let directory: string;

const call = (ok: boolean, time: string) => ({
  service: 'jira',
  instanceUrl: 'https://acme.atlassian.net',
  operation: 'GET:/issue',
  ok,
  status: ok ? 200 : 500,
  durationMs: 10,
  at: time,
});

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'latchkey-statements-'));
  server = await openServer({}, { now: () => at });
  admin = await asAdmin(server.url);
  const integrator = await newIntegrator(admin, { companyName: 'Partner & Co' });
  integratorId = integrator.id;
  customer = await newCustomer(admin, integrator.id, { name: '=Acme <b>', developerSeats: 1, seatLimitsEnforced: false });
  const ada = await asTool(server.url, customer, 'ada');
  at += 86_400_000; // the 12th
  await asTool(server.url, customer, 'bob');
  const calls = [
    call(true, '2026-03-11T23:59:59.000Z'),
    call(false, '2026-03-12T00:00:00.000Z'),
    call(true, '2026-02-28T23:59:59.000Z'),
  ];
  expect(await ada.post('/api/cli/api-calls', { sourceId: 'one', firstSequence: 1, calls })).toMatchObject({ status: 202 });
  at = NOW;
  admin = await asAdmin(server.url);
  portal = await asCustomer(server.url, customer);
  await eventually(
    async () => (await portal.get('/api/customer/usage?days=30')).body.usage.totalApiCalls,
    (total) => total === 3,
  );
  partner = await asIntegrator(server.url, integrator);
  expect(await partner.get(`/api/service-integrator/customers/${customer.id}/statement?month=2026-03`)).toMatchObject({
    status: 200,
  });
});

afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

const file = async (name: string, content: unknown): Promise<string> => {
  const path = join(directory, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const textOf = async (accept: string): Promise<{ text: string; name: string | null }> => {
  const reply = await portal.send('GET', '/api/customer/statement?month=2026-03', { headers: { accept } });
  return { text: String(reply.body), name: reply.headers.get('content-disposition') };
};

describe('a statement of usage', () => {
  it('has the seats and the calls of the month in UTC', async () => {
    const { body } = await admin.get(`/api/admin/customers/${customer.id}/statement?month=2026-03`);
    expect(body.statement).toMatchObject({
      month: '2026-03',
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-03-16T00:00:00.000Z',
      isWholeMonth: false,
      customer: { id: customer.id, name: customer.name, tier: 'ENT' },
      seats: {
        // One seat for five of fifteen days, and a second one for four of them.
        developer: { limit: 1, peak: 2, average: 0.6, hoursAboveLimit: 96 },
        stakeholder: { peak: 0, average: 0, hoursAboveLimit: 0 },
      },
      calls: { total: 2, errors: 1, services: [{ key: 'jira', calls: 2, errors: 1 }], users: [{ username: 'ada', calls: 2 }] },
    });
    expect(body.statement.calls.daily).toHaveLength(15);
    const february = (await portal.get('/api/customer/statement?month=2026-02')).body.statement;
    expect(february).toMatchObject({ isWholeMonth: true, seats: { developer: { peak: 0 } }, calls: { total: 1, errors: 0 } });
    expect((await portal.get('/api/customer/statement?month=2026-13')).status).toBe(400);
    expect(await portal.get('/api/customer/statement?month=2026-04')).toMatchObject({
      status: 404,
      body: { code: 'statement_not_found' },
    });
  });

  it('is verified offline with its CSV, also after the key was replaced, and no longer if anything changes', async () => {
    const { body } = await portal.get('/api/customer/statement?month=2026-03');
    const csv = await textOf('text/csv');
    expect(csv.name).toContain('statement-acme-b-2026-03.csv');
    expect(csv.text).toContain("'=Acme <b>");
    await server.product.signingKeys.rotate();
    const keys = await file('jwks.json', (await admin.get('/.well-known/jwks.json')).body);
    const [json, table] = [await file('statement.json', body), await file('statement.csv', csv.text)];
    const verify = (path: string, ...more: string[]) =>
      runAdminTool(['--json', 'statement', 'verify', path, '--keys', keys, ...more], {});
    const verified = await verify(json, '--csv', table);
    expect(verified).toMatchObject({ code: 0 });
    expect(JSON.parse(verified.out)).toMatchObject({ verified: true, statement: { month: '2026-03', calls: { total: 2 } } });

    const changed = { ...body, statement: { ...body.statement, month: '2026-02' } };
    for (const [path, code, ...more] of [
      [await file('changed.json', changed), 'statement_changed'],
      [await file('forged.json', { ...body, signed: body.signed.replace(/.{8}$/, 'AAAAAAAA') }), 'statement_forged'],
      [await file('empty.json', '{}'), 'statement_unreadable'],
      [await file('changed-alone.csv', csv.text.replace('2026-03', '2026-02')), 'statement_changed'],
      [json, 'csv_changed', '--csv', await file('changed.csv', csv.text.replace('2026-03', '2026-02'))],
      [join(directory, 'none.json'), 'file_missing'],
    ] as const) {
      const refused = await verify(path, ...more);
      expect([refused.code, JSON.parse(refused.out).code]).toEqual([code === 'file_missing' ? 2 : 1, code]);
    }
  });

  it('as CSV and as a page has a signature of its own, whose code can be typed from a print', async () => {
    const keys = await file('jwks.json', (await admin.get('/.well-known/jwks.json')).body);
    const [csv, page] = [(await textOf('text/csv')).text, (await textOf('text/html')).text];
    const [code = ''] = /[\w-]{20,}\.[\w-]{100,}\.[\w-]{80,}/.exec(page) ?? [];
    const verify = async (name: string, content: string) => {
      const ran = await runAdminTool(['--json', 'statement', 'verify', await file(name, content), '--keys', keys], {});
      return JSON.parse(ran.out);
    };
    const figures = { verified: true, statement: { month: '2026-03', calls: 2, errors: 1, seats: { developer: { peak: 2 } } } };
    expect(await verify('own.csv', csv)).toMatchObject(figures);
    expect(await verify('page.html', page)).toMatchObject(figures);
    expect(await verify('code.txt', `${code.slice(0, 90)}\n${code.slice(90)}\n`)).toMatchObject(figures);
    expect(await verify('changed.html', page.replace('<td>0.6</td>', '<td>0.1</td>'))).toMatchObject({ code: 'statement_changed' });
    expect(await verify('forged.txt', code.replace(/.{8}$/, 'AAAAAAAA'))).toMatchObject({ code: 'statement_unreadable' });
  });

  it('is a page without scripts, which shows names as they are', async () => {
    const { text, name } = await textOf('text/html');
    expect(name).toContain('statement-acme-b-2026-03.html');
    expect(text).toContain('=Acme &lt;b&gt;');
    expect(text).not.toMatch(/<b>|<script/);
    expect(text).toContain('<td>developer</td><td>1</td><td>2</td><td>0.6</td><td>96</td>');
  });
});

describe('the statement of a service integrator', () => {
  const OWN = '/api/service-integrator/statement?month=2026-03';
  const textAs = async (accept: string): Promise<string> => String((await partner.send('GET', OWN, { headers: { accept } })).body);

  it('has the figures of each customer, as the statement of the customer has them', async () => {
    const entitlements = [{ code: 'confluence' }];
    const limited = await newCustomer(admin, integratorId, { name: 'Beta', entitlements, seatLimitsEnforced: false });
    const eve = await asTool(server.url, limited, 'eve');
    const body = { sourceId: 'one', firstSequence: 1, calls: [call(true, new Date(at).toISOString())] };
    expect(await eve.post('/api/cli/api-calls', body)).toMatchObject({ status: 202 });
    await newCustomer(admin, (await newIntegrator(admin)).id, { name: 'Of another one' });
    at += 60_000;
    const { statement } = await eventually(
      async () => (await partner.get(OWN)).body,
      (reply) => reply.statement.calls.total === 3,
    );
    expect(statement).toMatchObject({
      month: '2026-03',
      integrator: { id: integratorId, name: 'Partner & Co' },
      isWholeMonth: false,
    });
    expect(statement.calls).toEqual({ total: 3, errors: 1 });
    expect(statement.customers.map(({ name }: { name: string }) => name)).toEqual(['=Acme <b>', 'Beta']);
    for (const stated of statement.customers) {
      const own = (await admin.get(`/api/admin/customers/${stated.id}/statement?month=2026-03`)).body.statement;
      const { total, errors, services, notIncluded } = own.calls;
      expect(stated).toEqual({
        ...own.customer,
        seats: own.seats,
        calls: { total, errors, services, ...(notIncluded && { notIncluded }) },
      });
    }
    expect(statement.customers[1].calls.notIncluded).toEqual([{ service: 'jira', calls: 1 }]);
    const asAny = await admin.get(`/api/admin/service-integrators/${integratorId}/statement?month=2026-03`);
    expect(asAny.body.statement).toEqual({ ...statement, createdAt: expect.any(String), to: expect.any(String) });
    expect(await partner.get('/api/service-integrator/statement?month=2026-04')).toMatchObject({ status: 404 });
    expect((await admin.get(`/api/admin/service-integrators/${limited.id}/statement?month=2026-03`)).status).toBe(404);
  });

  it('leaves voided calls out, and says how many there are', async () => {
    const path = `/api/service-integrator/customers/${customer.id}/voids`;
    expect((await partner.post(path, { sourceId: 'one', reason: 'Twice' })).status).toBe(200);
    const { statement } = await eventually(
      async () => (await partner.get(OWN)).body,
      (reply) => reply.statement.calls.total === 1,
    );
    expect(statement.customers[0]).toMatchObject({ calls: { total: 0, services: [] }, voids: { count: 1, calls: 2, errors: 1 } });
    const february = await partner.get('/api/service-integrator/statement?month=2026-02');
    expect(february.body.statement.customers[0]).toMatchObject({ calls: { total: 0 }, voids: { count: 1, calls: 1, errors: 0 } });
    const ofCustomer = await portal.get('/api/customer/statement?month=2026-02');
    expect(ofCustomer.body.statement.voids).toMatchObject([{ reason: 'Twice', sourceId: 'one', calls: 1, errors: 0 }]);
  });

  it('is verified offline as JSON, CSV and page by the same tool', async () => {
    const keys = await file('jwks.json', (await admin.get('/.well-known/jwks.json')).body);
    const verify = async (name: string, content: unknown, ...more: string[]) => {
      const ran = await runAdminTool(['--json', 'statement', 'verify', await file(name, content), '--keys', keys, ...more], {});
      return JSON.parse(ran.out);
    };
    const { body } = await partner.get(OWN);
    const [csv, page] = [await textAs('text/csv'), await textAs('text/html')];
    const table = await file('all.csv', csv);
    expect(await verify('all.json', body, '--csv', table)).toMatchObject({ verified: true, statement: { calls: { total: 1 } } });
    const figures = { verified: true, statement: { customers: 2, calls: 1, errors: 0, integrator: { name: 'Partner & Co' } } };
    expect(await verify('own.csv', csv)).toMatchObject(figures);
    expect(await verify('page.html', page)).toMatchObject(figures);
    const said = await runAdminTool(['statement', 'verify', table, '--keys', keys], {});
    expect(said.out).toContain('Partner & Co, 2026-03: 2 customers, 1 API calls, 0 failed.');
    const more = { ...body, statement: { ...body.statement, customers: body.statement.customers.slice(1) } };
    for (const changed of [more, csv.replace('Beta', 'Gamma'), page.replace('Beta', 'Gamma')]) {
      expect(await verify('changed', changed)).toMatchObject({ code: 'statement_changed' });
    }
    expect(csv).toContain("'=Acme <b>");
    expect(page).toContain('=Acme &lt;b&gt;');
    expect(page).not.toMatch(/<b>|<script/);
  });
});
