import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { startPostgres } from '../../src/embedded/postgres/server.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  type Client,
  newCustomer,
  newIntegrator,
  type Reply,
} from '../support/apiClient.ts';
import { ADMIN_KEY, MASTER_SECRET } from '../support/keys.ts';
import { readTables, type Snapshot } from './snapshot.ts';

/**
 * Records what an installation of a version holds, for `upgrade.test.ts`:
 * `node tests/support/run.js tests/upgrade/record.ts <a checkout of the version, built> <file.json.gz>`.
 */

const [checkout = '', file = ''] = process.argv.slice(3);
const SETTLED_MS = 3_000;

const directory = await mkdtemp(join(tmpdir(), 'latchkey-record-'));
const postgres = await startPostgres({ directory: join(directory, 'postgres'), databases: [], log: () => undefined });
const connect = async (database: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: postgres.url(database, 'superuser') });
  await client.connect();
  return client;
};
const root = await connect('postgres');
await root.query('create database product');
await root.query('create database events');
const { startEventStore } = await import(pathToFileURL(resolve(checkout, 'dist/embedded/eventstore/server.js')).href);
const eventStore = await startEventStore({
  databaseUrl: postgres.url('events', 'superuser'),
  listen: { host: '127.0.0.1', port: 0 },
  log: () => undefined,
});

const child = spawn(process.execPath, [resolve(checkout, 'dist/bootstrap/main.js')], {
  cwd: resolve(checkout),
  env: {
    PATH: process.env.PATH,
    PORT: '0',
    DATA_DIR: join(directory, 'data'),
    DATABASE_URL: postgres.url('product', 'superuser'),
    EVENTSTORE_URL: eventStore.connectionString,
    MASTER_SECRET,
    ADMIN_KEY,
    LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((end) => child.once('exit', end));
const url = await new Promise<string>((ready) => {
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, found] = /^Ready on (http\S+?)\.? /.exec(`${line} `) ?? [];
    if (found) ready(found);
  });
});

const sure = async (reply: Promise<Reply>): Promise<Reply> => {
  const { status, body } = await reply;
  if (status >= 300) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return reply;
};

const admin = await asAdmin(url);
const contoso = await newIntegrator(admin);
const fabrikam = await newIntegrator(admin, { companyName: 'Fabrikam' });
const leaving = await newIntegrator(admin, { companyName: 'Leaving Partners' });
const integrator = await asIntegrator(url, contoso);
await sure(admin.post(`/api/admin/service-integrators/${fabrikam.id}/rotate-key`));
await sure(admin.delete(`/api/admin/service-integrators/${leaving.id}`));
const whiteLabel = { whiteLabelEnabled: true, customDomain: 'licenses.contoso.example', logoUrl: null };
await sure(integrator.put('/api/service-integrator/white-label', whiteLabel));
const look = { displayName: 'Ocean', description: 'Deep', primaryColor: '#0070AD', secondaryColor: '', accentColor: '#FFB81C' };
const { theme: ocean } = (await sure(integrator.post('/api/service-integrator/themes', { themeName: 'ocean', ...look }))).body;

const acme = await newCustomer(admin, contoso.id);
const suspended = await newCustomer(admin, contoso.id, { name: 'Suspended' });
const rotated = await newCustomer(admin, fabrikam.id, { name: 'Rotated' });
const deleted = await newCustomer(admin, fabrikam.id, { name: 'Deleted' });
await sure(admin.delete(`/api/admin/customers/${deleted.id}`));
await sure(admin.post(`/api/admin/customers/${rotated.id}/rotate-key`));
await sure(integrator.post(`/api/service-integrator/themes/${ocean.id}/assign-customer`, { customerId: acme.id }));
const { name, contactEmail } = suspended;
await sure(admin.put(`/api/admin/customers/${suspended.id}`, { name, contactEmail, status: 'suspended' }));
const repeated = {
  path: '/api/admin/customers',
  key: 'b0a1c2d3-0000-4000-8000-000000000001',
  body: {
    name: 'Made once',
    contactEmail,
    company: 'Once Inc.',
    serviceIntegratorId: contoso.id,
    theme: null,
    developerSeats: 1,
    stakeholderSeats: 1,
    seatLimitsEnforced: false,
  },
};
const { body: firstReply } = await sure(admin.post(repeated.path, repeated.body, { headers: { 'idempotency-key': repeated.key } }));

const terms = { name: 'Team', developerSeats: 3, stakeholderSeats: 2, termMonths: 12, graceDays: 7 };
const included = { entitlements: [{ code: 'jira' }, { code: 'reports', endsAt: '2099-01-01T00:00:00.000Z' }] };
await sure(admin.post('/api/admin/plans', { code: 'TEA', ...terms, ...included }));
const records = { externalId: 'crm-17', tags: ['pilot'], notes: 'Renews in spring', customFields: { crm: 17 } };
const planned = await newCustomer(admin, fabrikam.id, { name: 'Planned', plan: 'TEA', ...records });
await sure(admin.put(`/api/admin/customers/${planned.id}/term`, { expiresAt: '2099-01-01T00:00:00.000Z', graceDays: 7 }));
// Quotas and floating seats of licenses change with the time, so only a plan has a quota.
const shared = { developerSeats: 2, floatingDeveloperMinutes: 30 };
await sure(
  admin.post('/api/admin/plans', { code: 'FLO', ...terms, ...shared, name: 'Shared', callQuota: { limit: 400, kind: 'soft' } }),
);
const floating = await newCustomer(admin, fabrikam.id, { name: 'Floating', ...shared });
const voided = await newCustomer(admin, fabrikam.id, { name: 'Voided' });
const contact = { name: planned.name, contactEmail: planned.contactEmail };
await sure(admin.put(`/api/admin/customers/${planned.id}`, { ...contact, machineLimit: 4, status: 'suspended', reason: 'Unpaid' }));

const portal = await asCustomer(url, acme);
const passwords = { currentPassword: acme.licenseKey, newPassword: 'correct horse battery' };
await sure(portal.post('/api/customer/change-password', passwords));
await sure(portal.post('/api/customer/request-deletion'));
const credential = {
  service: 'jira',
  instanceUrl: 'https://acme.atlassian.net',
  username: 'ada',
  password: 'secret',
  apiToken: 'token',
};
await sure(portal.post('/api/credentials/store', credential));
const tool = await asTool(url, acme, 'ada');
const bob = await asTool(url, acme, 'bob');
const cleo = await asTool(url, acme, 'cleo');
await sure(portal.put(`/api/users/${bob.userId}`, { username: 'bob', email: 'bob@example.com', role: 'stakeholder' }));
await sure(portal.put(`/api/users/${cleo.userId}/status`, { status: 'suspended' }));
const calls = Array.from({ length: 250 }, (_, at) => ({
  service: at % 5 === 0 ? 'azdo' : 'jira',
  instanceUrl: at % 5 === 0 ? 'https://dev.azure.com/acme' : 'https://acme.atlassian.net',
  operation: at % 2 ? 'GET:/issue' : 'POST:/issue',
  status: at % 10 === 0 ? 500 : 200,
  durationMs: at,
}));
const recorded = { path: '/api/cli/api-calls', body: { sourceId: 'spool-of-ada', firstSequence: 1, calls } };
await sure(tool.post(recorded.path, recorded.body));
await sure((await asTool(url, voided, 'dora')).post(recorded.path, { sourceId: 'spool-of-dora', firstSequence: 1, calls }));
await sleep(SETTLED_MS);
const mistake = { sourceId: 'spool-of-dora', firstSequence: 241, lastSequence: 250, reason: 'Sent twice' };
await sure((await asCustomer(url, voided)).post('/api/customer/voids', mistake));
await sleep(SETTLED_MS);

const read = async (client: Client, paths: readonly string[]): Promise<Record<string, unknown>> => {
  const replies: Record<string, unknown> = {};
  for (const path of paths) replies[path] = (await sure(client.get(path))).body;
  return replies;
};
// Not what depends on the day that it is read.
const replies = {
  admin: await read(admin, [
    '/api/admin/customers?sort=name',
    '/api/admin/service-integrators',
    `/api/admin/customers/${acme.id}`,
    `/api/admin/customers/${acme.id}/instances`,
    `/api/admin/customers/${acme.id}/history?limit=100`,
    `/api/admin/customers/${suspended.id}/history`,
    `/api/admin/users?customerId=${acme.id}`,
    '/api/admin/plans',
    `/api/admin/customers/${planned.id}`,
    `/api/admin/customers/${planned.id}/history`,
    `/api/admin/customers/${acme.id}/seats`,
    `/api/admin/customers/${floating.id}`,
    `/api/admin/customers/${floating.id}/history`,
    `/api/admin/customers/${voided.id}`,
    `/api/admin/customers/${voided.id}/voids`,
  ]),
  integrator: await read(integrator, [
    '/api/service-integrator/profile',
    '/api/service-integrator/customers?sort=name',
    '/api/service-integrator/themes',
  ]),
  portal: await read(portal, [
    '/api/customer/profile',
    '/api/users/with-connections',
    '/api/credentials/list',
    '/api/themes/customer/current',
  ]),
  tool: await read(tool, ['/api/cli/session', '/api/cli/theme']),
};

child.kill('SIGINT');
await ended;
await eventStore.close();
const tablesOf = async (database: string) => {
  const client = await connect(database);
  const tables = await readTables(client);
  await client.end();
  return tables;
};
const snapshot: Snapshot = {
  version: execFileSync('git', ['-C', checkout, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
  product: await tablesOf('product'),
  events: await tablesOf('events'),
  people: {
    integrator: contoso,
    customer: acme,
    password: passwords.newPassword,
    headers: { admin: admin.headers, integrator: integrator.headers, portal: portal.headers, tool: tool.headers },
  },
  repeated: { ...repeated, reply: firstReply },
  recorded,
  replies,
};
await writeFile(file, gzipSync(JSON.stringify(snapshot), { level: 9 }));
await root.end();
await postgres.stop();
await rm(directory, { recursive: true, force: true });
process.stdout.write(`Recorded ${snapshot.version} to ${file}\n`);
