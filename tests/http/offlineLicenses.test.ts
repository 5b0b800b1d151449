import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { asAdmin, asCustomer, asIntegrator, asTool, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let ahead = 0;

beforeAll(async () => {
  server = await openServer({}, { now: () => Date.now() + ahead });
});
afterAll(() => server.close());

it('lists the valid offline licenses of a user with its machines, for all who see them', async () => {
  const admin = await asAdmin(server.url);
  const integrator = await newIntegrator(admin);
  const customer = await newCustomer(admin, integrator.id, { name: 'Acme' });
  const ada = await asTool(server.url, customer, 'ada');
  const [partner, portal] = [await asIntegrator(server.url, integrator), await asCustomer(server.url, customer)];
  const path = `/users/${ada.userId}`;
  const [field, lab] = ['0', '1'].map((digit) => digit.repeat(32));
  expect((await portal.get(`/api${path}/machines`)).body).not.toHaveProperty('offlineLicenses');
  expect((await portal.post(`/api${path}/offline-licenses`, { fingerprint: field, machineName: 'Field laptop' })).status).toBe(200);
  ahead += 10 * MINUTE_MS;
  expect((await portal.post(`/api${path}/offline-licenses`, { fingerprint: lab })).status).toBe(200);

  const expected = [
    { fingerprint: field, machineName: 'Field laptop', issuedAt: expect.any(String), expiresAt: expect.any(String) },
    { fingerprint: lab, machineName: null },
  ];
  for (const [client, root] of [
    [portal, `/api${path}`],
    [partner, `/api${path}`],
    [admin, `/api/admin${path}`],
    [ada, '/api/cli'],
  ] as const) {
    expect((await client.get(`${root}/machines`)).body.offlineLicenses).toMatchObject(expected);
  }

  ahead += 7 * DAY_MS - 5 * MINUTE_MS;
  const later = await asAdmin(server.url); // the session has ended since
  expect((await later.get(`/api/admin${path}/machines`)).body.offlineLicenses).toMatchObject(expected.slice(1));
});
