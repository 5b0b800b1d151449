import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { type RunningEventStore, startEventStore } from '../../src/embedded/eventstore/server.ts';
import { asAdmin, asIntegrator, askApproval, asTool, clientOf } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { inDatabase } from '../support/inDatabase.ts';
import { MASTER_SECRET } from '../support/keys.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { openDatabase, type TestDatabase } from '../support/stores.ts';
import { IS_AT_LENGTH, itAtLength } from '../support/tiers.ts';
import { type Snapshot, writeTables } from './snapshot.ts';

/** The versions that were recorded, each with its last migration, and whether its sessions have the time of the sign-in. */
const RECORDINGS = [
  { version: 'first version', file: 'before.json.gz', lastMigration: '0024_lag_minutes', isConfirmed: false },
  { version: 'version before quotas', file: 'beforeQuotas.json.gz', lastMigration: '0095_machine_limit', isConfirmed: true },
  {
    version: 'version before sums of four hours',
    file: 'beforeFourHours.json.gz',
    lastMigration: '0120_seats_held_offline',
    isConfirmed: true,
  },
];

let before: Snapshot;
let product: TestDatabase;
let events: TestDatabase;
let eventStore: RunningEventStore;
let dataDir: string;
let server: ServerProcess;

const startEvents = (): Promise<RunningEventStore> =>
  startEventStore({ databaseUrl: events.databaseUrl, listen: { host: '127.0.0.1', port: 0 }, log: () => undefined });

const storesEnv = () => ({
  DATABASE_URL: product.databaseUrl,
  EVENTSTORE_URL: eventStore.connectionString,
  MASTER_SECRET,
});

/** The sentences of the history may be worded otherwise in a later version. */
const withoutSentences = (key: string, value: unknown): unknown => (key === 'summary' ? undefined : value);

const expectSameReplies = async (): Promise<void> => {
  for (const audience of ['admin', 'integrator', 'portal', 'tool'] as const) {
    const client = clientOf(server.url, before.people.headers[audience]);
    for (const [path, reply] of Object.entries(before.replies[audience])) {
      const { status, body } = await client.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(body).toMatchObject(JSON.parse(JSON.stringify(reply, withoutSentences)));
    }
  }
};

/** Rebuilds the read models and compares them, and the events with the audit log. */
const expectNoDifferences = async (): Promise<void> => {
  const verify = spawn(process.execPath, ['bin/latchkey-admin.js', '--json', 'verify'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...storesEnv() },
  });
  const [printed, [code]] = await Promise.all([text(verify.stdout), once(verify, 'exit')]);
  expect(code).toBe(0);
  const projections = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(projections).toMatchObject([{ differences: [] }, { differences: [] }, { auditLog: { wrongEvents: [], wrongTiles: [] } }]);
};

/** `npm test` upgrades from the newest recording only. */
const CHOSEN = IS_AT_LENGTH ? RECORDINGS : RECORDINGS.slice(-1);

describe.each(CHOSEN)('an installation of the $version', ({ file, lastMigration, isConfirmed }) => {
  beforeAll(async () => {
    before = JSON.parse(gunzipSync(await readFile(new URL(file, import.meta.url))).toString('utf8'));
    [product, events] = [await openDatabase(), await openDatabase()];
    const { db } = connectDatabase(product.databaseUrl, {
      max: 1,
      application: 'latchkey-test',
      statementMs: 0,
      onError: (error) => {
        throw error;
      },
    });
    await migrate(db, { upTo: lastMigration });
    await db.destroy();
    await (await startEvents()).close();
    await inDatabase(product.databaseUrl, async (client) => {
      await writeTables(client, before.product);
      // As if it had been stopped a moment ago.
      await client.query(
        "update auth.session set created_at = now(), last_seen_at = now(), expires_at = now() + interval '1 hour'",
      );
      if (isConfirmed) await client.query('update auth.session set authenticated_at = now()');
      await client.query('update http.idempotency set created_at = now()');
    });
    await inDatabase(events.databaseUrl, (client) => writeTables(client, before.events));
    eventStore = await startEvents();
    dataDir = await mkdtemp(join(tmpdir(), 'latchkey-upgrade-'));
    server = await startServerProcess(dataDir, storesEnv());
  });

  afterAll(async () => {
    await server.stop();
    await eventStore.close();
    await Promise.all([product.close(), events.close(), rm(dataDir, { recursive: true, force: true })]);
  });

  it('keeps its sessions and shows the same, before its read models are rebuilt and after', async () => {
    await expectSameReplies();
    await expectNoDifferences();
    await expectSameReplies();
  });

  it('accepts its keys, asks for its password, and finds its customer by a part of the key', async () => {
    const { integrator, customer, password } = before.people;
    await asIntegrator(server.url, integrator);
    const signIn = (body: object) =>
      clientOf(server.url).post('/api/auth/customer/login', { licenseKey: customer.licenseKey, ...body });
    expect(await signIn({})).toMatchObject({ status: 401, body: { code: 'password_required' } });
    expect(await signIn({ password })).toMatchObject({ status: 200 });
    const admin = await asAdmin(server.url);
    const { body } = await admin.get(`/api/admin/customers?search=${customer.licenseKey.slice(-5)}`);
    expect(body.customers.map(({ name }: { name: string }) => name)).toContain('Acme');
  });

  it('signs a user in on the machine of before without an approval, and asks for one on another machine', async () => {
    const { customer } = before.people;
    await asTool(server.url, customer, 'ada');
    await askApproval(server.url, customer, 'ada', 'machine-new');
  });

  it('shows what happened to a service integrator, of which the version before kept no history', async () => {
    const admin = clientOf(server.url, before.people.headers.admin);
    const { service_integrators: integrators } = (await admin.get('/api/admin/service-integrators')).body;
    expect(integrators.length).toBeGreaterThan(0);
    for (const { id, companyName } of integrators) {
      const { history } = (await admin.get(`/api/admin/service-integrators/${id}/history?limit=500`)).body;
      expect(history.at(-1)).toMatchObject({ type: 'IntegratorRegistered', summary: `${companyName} was registered` });
    }
  });

  it('knows which calls it has recorded', async () => {
    const { path, body } = before.recorded;
    const tool = clientOf(server.url, before.people.headers.tool);
    expect(await tool.post(path, body)).toMatchObject({ status: 202, body: { accepted: 0, duplicates: 250 } });
  });

  it('makes nothing twice when a request of before is repeated', async () => {
    const { path, key, body, reply } = before.repeated;
    const admin = clientOf(server.url, before.people.headers.admin);
    const again = await admin.post(path, body, { headers: { 'idempotency-key': key } });
    expect(again).toMatchObject({ status: 201, body: reply as object });
    const { body: found } = await admin.get('/api/admin/customers?search=Made%20once');
    expect(found.customers).toHaveLength(1);
  });

  it('takes new changes on the aggregates of before', async () => {
    const admin = clientOf(server.url, before.people.headers.admin);
    const [{ id, name, contactEmail }] = (await admin.get('/api/admin/customers?search=Suspended')).body.customers;
    const change = { name, contactEmail, status: 'active', reason: 'Paid' };
    expect(await admin.put(`/api/admin/customers/${id}`, change)).toMatchObject({
      status: 200,
      body: { customer: { status: 'active' } },
    });
  });

  itAtLength('erases a user whose data the key of the customer seals, also for a rebuild', async () => {
    const admin = clientOf(server.url, before.people.headers.admin);
    const [user] = (await admin.get('/api/admin/users?search=ada@example.com')).body.users;
    const history = async (): Promise<string> =>
      JSON.stringify((await admin.get(`/api/admin/customers/${user.customerId}/history?limit=500`)).body.history);
    expect(await history()).toContain(user.email);
    expect((await admin.delete(`/api/admin/users/${user.id}`)).status).toBe(200);
    const erased = await eventually(history, (entries) => entries.includes('UserRemoved'));
    expect(erased).not.toContain(user.email);
    await inDatabase(product.databaseUrl, async (client) => {
      const isDestroyed = async () =>
        (await client.query("select wrapped is null as gone from vault.data_key where owner = 'user:' || $1", [user.id])).rows[0];
      await eventually(isDestroyed, (row) => row?.gone === true);
    });
    await expectNoDifferences();
    expect(await history()).toBe(erased);
  });
});
