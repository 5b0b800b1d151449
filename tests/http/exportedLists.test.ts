import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  askApproval,
  asTool,
  type Client,
  newCustomer,
  newIntegrator,
  type Tool,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: Client;
let partner: Client;
let portal: Client;
let integrator: ServiceIntegrator;
let customer: Customer;
let ada: Tool;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin, { companyName: 'Contoso' });
  customer = await newCustomer(admin, integrator.id, { name: 'Acme, Inc.' });
  partner = await asIntegrator(server.url, integrator);
  portal = await asCustomer(server.url, customer);
  ada = await asTool(server.url, customer, 'ada');
});
afterAll(() => server.close());

/** The name of the file, its lines, and the entries of the same list as NDJSON. */
const fileOf = async (client: Client, path: string) => {
  const csv = await client.get(path, { headers: { accept: 'text/csv' } });
  expect([path, csv.status, csv.headers.get('content-type')]).toEqual([path, 200, 'text/csv; charset=utf-8']);
  const ndjson = await client.get(path, { headers: { accept: 'application/x-ndjson' } });
  const lines = String(csv.body).trimEnd().split(/\r?\n/);
  // A file of one line is JSON.
  const texts = typeof ndjson.body === 'string' ? ndjson.body.trimEnd().split('\n') : [JSON.stringify(ndjson.body)];
  const entries = texts.map((text) => JSON.parse(text));
  expect(entries).toHaveLength(lines.length - 1);
  const name = csv.headers.get('content-disposition')?.match(/"(.*)-\d{4}-\d\d-\d\d\.csv"/)?.[1];
  return { name, header: lines[0], lines: lines.slice(1), entries };
};
const jsonOf = async (client: Client, path: string) => (await client.get(path)).body;

describe('a list as a file', () => {
  it('has the instances and the voided calls of a customer', async () => {
    const call = { service: 'jira', instanceUrl: 'https://acme.example', operation: 'GET:/issue', status: 200, durationMs: 40 };
    expect((await ada.post('/api/cli/api-calls', { sourceId: 'laptop', firstSequence: 1, calls: [call, call] })).status).toBe(202);
    const of = `customers/${customer.id}`;
    await eventually(
      () => jsonOf(admin, `/api/admin/${of}/instances`),
      ({ instances }) => instances.length > 0,
    );
    const body = { sourceId: 'laptop', lastSequence: 1, reason: '=Test calls' };
    expect((await portal.post('/api/customer/voids', body)).status).toBe(200);
    await eventually(
      () => jsonOf(admin, `/api/admin/${of}/voids`),
      ({ voids }) => voids[0]?.calls === 1,
    );
    for (const [client, root] of [
      [admin, `/api/admin/${of}`],
      [partner, `/api/service-integrator/${of}`],
      [portal, '/api/customer'],
    ] as const) {
      const instances = await fileOf(client, `${root}/instances`);
      expect(instances.name).toBe('instances-acme-inc');
      expect(instances.header).toBe('instance_url,service,calls,errors,average_response_ms,last_active_at');
      expect(instances.lines[0]).toMatch(/^https:\/\/acme\.example,jira,/);
      const voids = await fileOf(client, `${root}/voids`);
      expect(voids.name).toBe('voids-acme-inc');
      expect(voids.header).toBe(
        'id,at,by,reason,source,first_sequence,last_sequence,from,until,calls,errors,users,first_at,last_at',
      );
      expect(voids.lines[0]).toMatch(/,'=Test calls,laptop,,1,,,/);
    }
    const outsider = await asIntegrator(server.url, await newIntegrator(admin));
    const path = `/api/service-integrator/${of}/voids`;
    expect((await outsider.get(path, { headers: { accept: 'text/csv' } })).status).toBe(404);
  });

  it('has the machines that wait for approval, without their codes', async () => {
    expect((await portal.put('/api/customer/machine-approval', { enforced: true })).status).toBe(200);
    const { code } = await askApproval(server.url, customer, 'ada', 'second-machine');
    await eventually(
      () => jsonOf(admin, '/api/admin/users/machine-requests'),
      ({ requests }) => requests.length > 0,
    );
    for (const [client, path] of [
      [admin, '/api/admin/users/machine-requests'],
      [partner, '/api/users/machine-requests'],
      [portal, '/api/users/machine-requests'],
    ] as const) {
      const { header, lines, entries } = await fileOf(client, path);
      expect(header).toBe('id,user_id,user,customer_id,customer,machine,machine_name,requested_at,expires_at');
      expect(lines[0]).toContain(',ada,');
      expect([...lines, JSON.stringify(entries)].join()).not.toContain(code);
    }
  });

  it('has the own sessions', async () => {
    const own = await fileOf(partner, '/api/account/sessions');
    expect([own.name, own.lines.length]).toEqual(['sessions-contoso', 1]);
    expect(own.header).toContain('started_at');
    const { sessions } = await jsonOf(partner, '/api/account/sessions');
    expect(own.entries).toMatchObject([{ sessionId: sessions[0].sessionId, method: 'key', isCurrent: true }]);
  });

  it('has the annotations of charts', async () => {
    expect((await admin.post(`/api/admin/customers/${customer.id}/rotate-key`, {})).status).toBe(200);
    const period = `from=${new Date(Date.now() - HOUR_MS).toISOString()}&to=${new Date(Date.now() + HOUR_MS).toISOString()}`;
    const { name, header, lines } = await fileOf(admin, `/monitoring/annotations?${period}&customer=${customer.id}`);
    expect(name).toBe('annotations');
    expect(header).toBe('at,type,summary,actor_kind,actor,about_kind,about_id,about,replaced,id');
    expect(lines.at(-1)).toContain(`,LicenseKeyRotated,`);
    expect(lines.at(-1)).toContain(`,customer,${customer.id},"Acme, Inc.",`);
  });
});
