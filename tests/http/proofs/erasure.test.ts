import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProduct, type Product } from '../../../src/bootstrap/product.ts';
import { streams } from '../../../src/commands/streams.ts';
import { type RunningEventStore, startEventStore } from '../../../src/embedded/eventstore/server.ts';
import { scavengeStore } from '../../../src/eventstore/scavenge.ts';
import { verify } from '../../../src/projections/engine/verify.ts';
import { projectionGroupsOf } from '../../../src/projections/projector.ts';
import { customerOwner } from '../../../src/security/owner.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  askApproval,
  asTool,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
} from '../../support/apiClient.ts';
import { eventually } from '../../support/eventually.ts';
import { type ServerProcess, startServerProcess } from '../../support/serverProcess.ts';
import { openDatabase, type TestDatabase } from '../../support/stores.ts';
import { describeAtLength } from '../../support/tiers.ts';
import { openToolSocket } from '../../support/toolSocket.ts';
import { dump, tablesWith } from './dump.ts';

const MASTER_SECRET = Buffer.alloc(32, 9);

let dataDir: string;
let database: TestDatabase;
let eventDatabase: TestDatabase;
let eventStore: RunningEventStore;
let server: ServerProcess;
let product: Product;
let admin: Client;
let partner: Client;
let customer: Awaited<ReturnType<typeof newCustomer>>;

/** The body that the customer was created with. */
let wanted: Record<string, unknown>;

/** What stood in clear somewhere in the life of the customer. */
const words = new Set<string>([
  'Aardvark',
  'Armadillo',
  'boss@aardvark.example',
  'chief@armadillo.example',
  'zyzzyva',
  'xenophon',
  'quetzal',
  'capybara-machine',
  'third-party-login',
  'third-party-password',
  'third-party-token',
  'the-portal-password',
  'pangolin-reason',
  'capybara-laptop',
  'okapi-machine',
  'wombat-reason',
  'narwhal-17',
  'ocelot',
  'Tapir',
  'Lemur',
]);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'latchkey-erasure-'));
  [database, eventDatabase] = [await openDatabase(), await openDatabase()];
  eventStore = await startEventStore({
    databaseUrl: eventDatabase.databaseUrl,
    listen: { host: '127.0.0.1', port: 0 },
    log: () => undefined,
  });
  const stores = { databaseUrl: database.databaseUrl, eventStoreUrl: eventStore.connectionString };
  server = await startServerProcess(dataDir, {
    LOG_LEVEL: 'trace',
    DATABASE_URL: stores.databaseUrl,
    EVENTSTORE_URL: stores.eventStoreUrl,
    MASTER_SECRET: MASTER_SECRET.toString('base64'),
  });
  product = await openProduct({ ...stores, masterSecret: MASTER_SECRET, log: pino({ level: 'silent' }) });
  admin = await asAdmin(server.url);
});

afterAll(async () => {
  await product.close();
  await server.stop();
  await eventStore.close();
  await eventDatabase.close();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

const allTables = async (): Promise<[string, string][]> => [
  ...(await dump(database.databaseUrl)),
  ...(await dump(eventDatabase.databaseUrl)),
];

/** The streams of calls, credentials and users that hold an event of a customer. */
const streamsAbout = async (customerId: string): Promise<string[]> => {
  const tables = new pg.Client({ connectionString: eventDatabase.databaseUrl });
  await tables.connect();
  try {
    const { rows } = await tables.query<{ stream: string }>(
      `select distinct stream from eventstore.event where stream ~ '^(apiCalls|credential|userActivity)-'
       and (strpos(stream, $1) > 0 or position(convert_to($1, 'UTF8') in data) > 0) order by stream`,
      [customerId],
    );
    return rows.map(({ stream }) => stream);
  } finally {
    await tables.end();
  }
};

/** A customer that does everything that a customer can. */
const live = async (): Promise<void> => {
  const integrator = await newIntegrator(admin, { companyName: 'Survivor' });
  partner = await asIntegrator(server.url, integrator);
  wanted = {
    name: 'Aardvark',
    contactEmail: 'boss@aardvark.example',
    company: 'Aardvark Ltd',
    externalId: 'narwhal-17',
    tags: ['ocelot'],
    notes: 'Tapir prefers calls',
    customFields: { contact: 'Lemur' },
    serviceIntegratorId: integrator.id,
    developerSeats: 5,
    stakeholderSeats: 5,
  };
  const created = await admin.post('/api/admin/customers', wanted, { headers: { 'idempotency-key': 'one' } });
  customer = created.body.customer;
  words.add(customer.licenseKey);
  const path = `/api/admin/customers/${customer.id}`;
  customer = (await admin.post(`${path}/rotate-key`)).body.customer;
  words.add(customer.licenseKey);
  const portal = await asCustomer(server.url, customer);
  const tools = [await asTool(server.url, customer, 'zyzzyva'), await asTool(server.url, customer, 'xenophon')];
  await clientOf(server.url).post('/api/cli/login', {
    licenseKey: customer.licenseKey,
    username: 'zyzzyva',
    email: 'zyzzyva@example.com',
    machineId: 'capybara-machine',
    machineName: 'capybara-laptop',
  });
  expect((await askApproval(server.url, customer, 'zyzzyva', 'okapi-machine')).code).toMatch(/-/);
  // The sign-ins do not wait for the read model.
  const { machines, requests } = await eventually(
    async () => (await portal.get(`/api/users/${tools[0]?.userId}/machines`)).body,
    ({ requests }) => requests.length === 2,
  );
  expect([machines.length, requests.length]).toEqual([1, 2]);
  const request = (index: number) => `/api/users/${tools[0]?.userId}/machine-requests/${requests[index].id}`;
  expect((await portal.post(`${request(0)}/approve`)).status).toBe(200);
  expect((await portal.post(`${request(1)}/reject`)).status).toBe(200);
  expect((await asTool(server.url, customer, 'zyzzyva', 'capybara-machine')).userId).toBe(tools[0]?.userId);
  await portal.put('/api/customer/machine-approval', { enforced: false });
  for (const tool of tools) {
    const call = { service: 'jira', instanceUrl: 'https://jira.invalid', operation: 'GET:/issue', status: 200, durationMs: 12 };
    await tool.post('/api/cli/api-calls', { sourceId: 'build', firstSequence: 1, calls: Array.from({ length: 50 }, () => call) });
  }
  const socket = await openToolSocket(server.url, tools[0]?.token ?? '');
  await socket.close();
  expect((await portal.delete(`/api/users/${tools[0]?.userId}/machines/${machines[0].id}`)).status).toBe(200);
  const user = { username: 'quetzal', email: 'quetzal@example.com', role: 'stakeholder' };
  await portal.put(`/api/users/${tools[1]?.userId}`, user, { headers: { 'idempotency-key': 'two' } });
  await partner.put(`/api/users/${tools[1]?.userId}/status`, { status: 'suspended', reason: 'pangolin-reason' });
  const login = {
    service: 'jira',
    instanceUrl: 'https://127.0.0.1:1',
    username: 'third-party-login',
    password: 'third-party-password',
    apiToken: 'third-party-token',
  };
  const { body } = await portal.post('/api/credentials/store', login);
  await portal.post(`/api/credentials/${body.credential.id}/test`);
  await portal.put('/api/customer/profile', { name: 'Armadillo', contactEmail: 'chief@armadillo.example', company: 'Armadillo' });
  const password = { currentPassword: customer.licenseKey, newPassword: 'the-portal-password' };
  expect((await portal.post('/api/customer/change-password', password)).status).toBe(200);
  await portal.post('/api/customer/request-deletion');
  const status = (change: Record<string, unknown>) =>
    admin.put(path, { name: 'Armadillo', contactEmail: 'chief@armadillo.example', ...change });
  expect((await status({ status: 'suspended', reason: 'wombat-reason' })).status).toBe(200);
  expect((await status({ status: 'active' })).status).toBe(200);
  await partner.post(`/api/themes/customer/${customer.id}/assign`, { theme: 'aurora' });
  await admin.get(`/api/admin/customers?search=${customer.licenseKey}`);
  await admin.get('/api/admin/users?search=quetzal');
  await admin.get(`${path}/history`, { headers: { accept: 'text/csv' } });
  await admin.get(`${path}/as-of?at=2999-01-01T00:00:00Z`);
};

describe('a deleted customer', () => {
  it('was in the tables before its deletion', async () => {
    await live();
    const other = await newCustomer(admin, customer.serviceIntegratorId, { name: 'Neighbour' });
    await asTool(server.url, other, 'neighbour');
    await eventually(
      () => admin.get(`/api/admin/customers/${customer.id}/usage`),
      ({ body }) => body.usage.totalApiCalls === 50,
    );
    const tables = await allTables();
    for (const word of ['Aardvark', 'Armadillo', 'zyzzyva', 'quetzal', 'capybara-machine', 'third-party-login', 'wombat-reason']) {
      expect([word, tablesWith(tables, word)]).toEqual([word, expect.arrayContaining([expect.stringMatching(/^read\./)])]);
    }
    // Secrets are nowhere in plain text, deleted or not, and the event store contains no name.
    for (const word of [customer.licenseKey, 'third-party-password', 'third-party-token', 'the-portal-password']) {
      expect([word, tablesWith(tables, word)]).toEqual([word, []]);
    }
    for (const word of words) {
      const events = tables.filter(([name]) => name.startsWith('eventstore.'));
      expect([word, tablesWith(events, word)]).toEqual([word, []]);
    }
    const categories = (await streamsAbout(customer.id)).map((stream) => stream.slice(0, stream.indexOf('-')));
    expect(categories).toEqual(['apiCalls', 'credential', 'userActivity', 'userActivity']);
  });

  it('is erased from every table of both stores, and none of its events can be opened', async () => {
    expect((await admin.delete(`/api/admin/customers/${customer.id}`)).status).toBe(200);
    const owner = customerOwner(customer.id);
    await eventually(
      () => product.db.selectFrom('vault.data_key').selectAll().where('owner', '=', owner).executeTakeFirst(),
      (key) => key?.wrapped === null,
      30_000,
    );
    await eventually(
      () => product.commands.integrators.load(customer.serviceIntegratorId),
      ({ state }) => 'customers' in state && !state.customers.has(customer.id),
      30_000,
    );
    const tables = await allTables();
    for (const word of words) expect([word, tablesWith(tables, word)]).toEqual([word, []]);
    expect(tablesWith(tables, 'Neighbour')).toContain('read.customer');

    // A second product has no key in its cache: what it reads is what there is.
    const opened: string[] = [];
    for await (const { event } of product.events.read(streams.customer(customer.id))) opened.push(JSON.stringify(event.data));
    expect(opened.length).toBeGreaterThan(15);
    for (const word of words) expect(opened.filter((data) => data.includes(word))).toEqual([]);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from vault.data_key where owner = ${owner} and wrapped is not null`.execute(product.db);
    expect(rows[0]?.n).toBe(0);
  });

  it('is in no reply to a repeated request with its Idempotency-Key', async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from http.idempotency where owner = ${customerOwner(customer.id)}`.execute(product.db);
    expect(rows[0]?.n).toBe(0);
    const replay = await admin.post('/api/admin/customers', wanted, { headers: { 'idempotency-key': 'one' } });
    expect([replay.status, replay.body.code]).toEqual([409, 'customer_deleted']);
    for (const word of words) expect(JSON.stringify(replay.body)).not.toContain(word);
  });

  it('leaves no event of its calls, credentials and users after a scavenge', async () => {
    const left = async (): Promise<string[]> => {
      await scavengeStore(eventStore.connectionString, new AbortController().signal);
      return streamsAbout(customer.id);
    };
    await eventually(left, (streams) => streams.length === 0, 30_000);
    const events = (await dump(eventDatabase.databaseUrl)).filter(([, row]) => row.includes(`customer-${customer.id}`));
    expect(events.length).toBeGreaterThan(15);
  });

  it('leaves read models that a rebuild reproduces', async () => {
    const deps = {
      ownerUrl: database.databaseUrl,
      events: product.events,
      node: 'proof',
      now: () => Date.now(),
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onParked: () => undefined,
    };
    for (const plan of Object.values(projectionGroupsOf(product))) {
      expect([plan.name, (await verify(plan, deps)).differences]).toEqual([plan.name, []]);
    }
  });

  it('keeps its history, without names, for administrators', async () => {
    const outsider = await asIntegrator(server.url, await newIntegrator(admin));
    const path = (who: string) => `/api/${who}/customers/${customer.id}`;
    const { body } = await admin.get(`${path('admin')}/history?limit=500`);
    expect(body.history.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(['CustomerRegistered', 'LicenseKeyRotated', 'UserRegistered', 'ThemeAssigned', 'CustomerDeleted']),
    );
    const csv = await admin.get(`${path('admin')}/history`, { headers: { accept: 'text/csv' } });
    expect(String(csv.body).trim().split('\r\n')).toHaveLength(body.total + 1);
    for (const word of words) expect(JSON.stringify(body) + csv.body).not.toContain(word);
    const missing = await outsider.get(path('service-integrator').replace(customer.id, randomUUID()));
    for (const what of ['/history', '', '/usage', '/as-of?at=2999-01-01T00:00:00Z']) {
      for (const client of [partner, outsider]) {
        const reply = await client.get(`${path('service-integrator')}${what}`);
        expect([reply.status, reply.body]).toEqual([404, missing.body]);
      }
    }
    expect((await admin.get(`${path('admin')}/as-of?at=2999-01-01T00:00:00Z`)).status).toBe(404);
  });

  it('was never in the log', () => {
    const log = server.output();
    expect(log).toContain('"route":"/api/admin/customers/:customerId"');
    for (const word of words) expect([word, log.toLowerCase().includes(word.toLowerCase())]).toEqual([word, false]);
  });
});

describeAtLength('a write for a customer during its erasure', () => {
  it('does not find the customer', async () => {
    const doomed = await newCustomer(admin, customer.serviceIntegratorId, { name: 'Doomed' });
    const portal = await asCustomer(server.url, doomed);
    await product.vault.destroy(customerOwner(doomed.id));
    // The server forgets a key that was destroyed elsewhere within half a minute; a new node never knew it.
    const late = await startServerProcess(dataDir, {
      DATABASE_URL: database.databaseUrl,
      EVENTSTORE_URL: eventStore.connectionString,
      MASTER_SECRET: MASTER_SECRET.toString('base64'),
      ROLES: 'api',
    });
    try {
      const change = { name: 'Late', contactEmail: 'late@doomed.example', company: 'Late' };
      const replies = [
        await clientOf(late.url, admin.headers).put(`/api/admin/customers/${doomed.id}`, change),
        await clientOf(late.url, portal.headers).put('/api/customer/profile', change),
        await clientOf(late.url, portal.headers).post('/api/credentials/store', {
          service: 'azdo',
          instanceUrl: 'https://127.0.0.1:1',
          username: 'u',
          password: 'p',
        }),
      ];
      for (const { status, body } of replies) expect([status, body.code]).toEqual([404, 'customer_not_found']);
    } finally {
      await late.stop();
    }
  });
});
