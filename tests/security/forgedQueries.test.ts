import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cursorOf } from '../../src/projections/lists/cursor.ts';
import { asAdmin, asCustomer, asIntegrator, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { asSuperuser } from '../support/stores.ts';
import { IS_AT_LENGTH } from '../support/tiers.ts';

const ID = '99999999-9999-4999-8999-999999999999';

let server: TestServer;
let admin: Client;
let partner: Client;
let portal: Client;
let customerId: string;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  const integrator = await newIntegrator(admin);
  const customer = await newCustomer(admin, integrator.id);
  customerId = customer.id;
  partner = await asIntegrator(server.url, integrator);
  portal = await asCustomer(server.url, customer);
});

afterAll(() => server.close());

/** Whatever a client may write into a cursor in place of a value that the list gave. */
const values = [
  '9999-99-99T99:99:99.999Z',
  '0000-01-01T00:00:00.000Z',
  '2026-02-30T00:00:00.000Z',
  '2026-01-01T24:00:00.000Z',
  'infinity',
  '-infinity',
  'NaN',
  'now',
  '',
  '\u0000',
  '\ud800',
  "' or 1=1 --",
  '99999999999999999999/0',
  '999999999999999999/999999999999999999',
  '-1/-1',
  -1,
  1.5,
  1e300,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  null,
  true,
  [],
  {},
];

const listsOf = (): [Client, string, readonly string[]][] => [
  [admin, '/api/admin/customers', ['createdAt', '-createdAt', 'name', '-name', 'totalApiCalls', '-totalApiCalls']],
  [admin, '/api/admin/service-integrators', ['createdAt', '-createdAt', 'companyName', '-companyName']],
  [admin, '/api/admin/users', ['createdAt', '-createdAt', 'username', '-username', 'lastLogin', '-lastLogin']],
  [partner, '/api/service-integrator/customers', ['createdAt', 'name', 'totalApiCalls']],
  [partner, '/api/users', ['createdAt', 'username', 'lastLogin']],
  [portal, '/api/users/with-connections', ['createdAt', 'username', 'lastLogin']],
  [portal, '/api/customer/seats', ['username', 'since', 'lastCall', 'idleSince', '-idleSince']],
];

describe('a forged cursor', () => {
  it('never causes a server error', async () => {
    const statuses = new Map<string, number>();
    for (const [client, path, sorts] of listsOf()) {
      for (const [at, sort] of sorts.entries()) {
        for (const value of values.filter((_, index) => IS_AT_LENGTH || index % 3 === at % 3)) {
          const cursor = cursorOf(sort, { value: value as string, id: ID });
          const { status } = await client.get(`${path}?sort=${sort}&cursor=${cursor}`);
          statuses.set(`${path} ${sort} ${JSON.stringify(value)}`, status);
        }
      }
    }
    for (const value of values) {
      const cursor = cursorOf('-position', { value: value as string, id: ID });
      statuses.set(`history ${JSON.stringify(value)}`, (await portal.get(`/api/customer/history?cursor=${cursor}`)).status);
    }
    expect([...statuses].filter(([, status]) => status !== 200 && status !== 400)).toEqual([]);
    expect(new Set(statuses.values())).toEqual(new Set([200, 400]));
  });
});

describe('a time outside of what the stores support', () => {
  const times = ['0000-01-01T00:00:00Z', '0000-12-31T23:59:59.999Z', `2026-01-01T00:00:00.${'1'.repeat(200)}Z`];
  const formats = ['application/json', 'text/csv', 'application/x-ndjson'];

  it.each(times)('is rejected by every call that takes a time: %s', async (time) => {
    const at = encodeURIComponent(time);
    const replies = [
      ...(await Promise.all(
        formats.flatMap((accept) =>
          ['from', 'to'].map((name) => portal.get(`/api/customer/history?${name}=${at}`, { headers: { accept } })),
        ),
      )),
      await admin.get(`/api/admin/customers/${customerId}/as-of?at=${at}`),
      await admin.get(`/api/admin/customers/${customerId}/as-of?at=2026-01-01T00:00:00Z&compareTo=${at}`),
      await portal.post('/api/credentials/store', {
        service: 'jira',
        instanceUrl: 'https://127.0.0.1:1',
        username: 'u',
        password: 'p',
        expiresAt: time,
      }),
    ];
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(replies.map(() => [400, 'validation_failed']));
  });
});

describe('an export that cannot be read', () => {
  it.each(['text/csv', 'application/x-ndjson'])('fails instead of returning an empty or truncated %s', async (accept) => {
    const { db } = server.product;
    await asSuperuser(db, 'alter table read.history rename to history_away');
    try {
      const reply = await portal.get('/api/customer/history', { headers: { accept } });
      expect([reply.status, reply.body.code]).toEqual([500, 'internal_error']);
      expect(reply.headers.get('content-disposition')).toBeNull();
    } finally {
      await asSuperuser(db, 'alter table read.history_away rename to history');
    }
    expect((await portal.get('/api/customer/history', { headers: { accept } })).status).toBe(200);
  });
});
