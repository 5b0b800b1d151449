import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { startEventStore } from '../../src/embedded/eventstore/server.ts';
import { openServerFixture } from '../embedded/eventstore/serverSupport.ts';
import { runAdminTool } from '../support/adminTool.ts';
import { asAdmin, asCustomer, clientOf, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { ADMIN_KEY } from '../support/keys.ts';
import { invite, join as joinTeam } from '../support/members.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { describeAtLength } from '../support/tiers.ts';

let dataDir: string;
let server: ServerProcess | null = null;
let customer: Customer;

const MISSING = '99999999-9999-4999-8999-999999999999';

const admin = (argv: readonly string[], env: Record<string, string> = {}) => runAdminTool(argv, { DATA_DIR: dataDir, ...env });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'latchkey-admin-'));
  server = await startServerProcess(dataDir);
  const signedIn = await asAdmin(server.url);
  customer = await newCustomer(signedIn, (await newIntegrator(signedIn)).id);
});

afterAll(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('latchkey-admin beside a running server', () => {
  it('finds no differences after a rebuild, and rebuilds read models', async () => {
    const verified = await admin(['--json', 'verify']);
    expect(verified).toMatchObject({ code: 0 });
    expect(
      verified.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { projection: 'main', differences: [] },
      { projection: 'usage', differences: [] },
      { auditLog: { wrongEvents: [], wrongTiles: [], wrongCheckpoints: [], deleted: 0 } },
    ]);
    expect(await admin(['rebuild', 'main'])).toMatchObject({ code: 0, out: 'main: rebuilt and active\n' });
    const signedIn = await asAdmin(server?.url ?? '');
    expect((await signedIn.get(`/api/admin/customers/${customer.id}`)).body.customer.name).toBe(customer.name);
  });

  it('confirms the event store only if a policy waits for it', async () => {
    const text = '0 policies confirmed, 0 wait\n';
    expect(await admin(['confirm-store'])).toMatchObject({ code: 0, out: text });
    expect(await admin(['confirm-store', 'different'])).toMatchObject({ code: 0, out: text });
  });

  it('rotates the signing key, and says what a revocation does', async () => {
    const { code, out } = await admin(['rotate-signing-key']);
    expect([code, out]).toEqual([0, expect.stringMatching(/^New key: \S+\nFormer key: \S+\n$/)]);
    const revoked = await admin(['rotate-signing-key', '--revoke']);
    expect(revoked.out).toMatch(/\nNo former key is published any more\. Users fetch new offline licenses\.\n$/);
  });

  it('allows sign-in with a key that a policy turned off', async () => {
    const url = server?.url ?? '';
    const key = await asAdmin(url);
    for (const _owner of [1, 2]) await joinTeam(url, await invite(key, 'owner'));
    expect(await key.put('/api/team/policy', { keySignIn: 'off' })).toMatchObject({ status: 200 });
    await expect(asAdmin(url)).rejects.toThrow('key_sign_in_off');
    // A policy ends the sessions of the key, and with them those that are opened until then.
    await eventually(
      () => key.get('/api/team'),
      ({ status }) => status === 401,
    );
    expect(await admin(['allow-key-sign-in'])).toMatchObject({ code: 0, out: 'Sign-in with the key is allowed again\n' });
    const again = await eventually(
      () => asAdmin(url).catch(() => null),
      (client) => client !== null,
    );
    expect((await again?.get('/api/team'))?.body.policy).toMatchObject({ keySignIn: 'allowed' });
    expect(await admin(['allow-key-sign-in'])).toMatchObject({ code: 0, out: 'Sign-in with the key was allowed already\n' });
    expect(await admin(['allow-key-sign-in', 'nobody'])).toMatchObject({ code: 1, err: expect.stringContaining('UUID') });
    expect(await admin(['allow-key-sign-in', MISSING])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no such service integrator'),
    });
  });

  it('grants access to an external event store only', async () => {
    expect(await admin(['grant-store-access', 'latchkey'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Set EVENTSTORE_URL'),
    });
  });

  it('has nothing to retry without stalled streams', async () => {
    expect(await admin(['retry', 'main'])).toMatchObject({
      code: 0,
      out: 'main: 0 events projected, 0 streams still stalled\n',
    });
  });

  it('exports every event decrypted, except for passwords and tokens', async () => {
    const signedIn = await asCustomer(server?.url ?? '', customer);
    const stored = await signedIn.post('/api/credentials/store', {
      service: 'jira',
      instanceUrl: 'https://127.0.0.1:1',
      username: 'ada',
      password: 'a-password-nobody-exports',
    });
    expect(stored.status).toBe(201);
    const { code, out, err } = await admin(['export']);
    expect(code).toBe(0);
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(err).toContain(`${events.length} events`);
    expect(events.find(({ type }) => type === 'CustomerRegistered')).toMatchObject({ data: { name: customer.name } });
    expect(events.find(({ type }) => type === 'CredentialStored')).toMatchObject({
      data: { username: 'ada', password: '[sealed]' },
    });
    expect(out).not.toContain('a-password-nobody-exports');
  });

  it('permanently removes the events of a deleted customer from the event store', async () => {
    const signedIn = await asAdmin(server?.url ?? '');
    const leaving = await newCustomer(signedIn, customer.serviceIntegratorId);
    const portal = await asCustomer(server?.url ?? '', leaving);
    const credential = { service: 'jira', instanceUrl: 'https://127.0.0.1:1', username: 'ada', password: 'a-password' };
    const stored = (await portal.post('/api/credentials/store', credential)).body.credential;
    expect((await admin(['export'])).out).toContain(`credential-${stored.id}`);
    await signedIn.delete(`/api/admin/customers/${leaving.id}`);
    // Its integrator is the last to be changed, after all streams are deleted.
    await eventually(
      async () => (await admin(['export'])).out,
      (exported) => exported.split('\n').some((line) => line.includes('"type":"CustomerWithdrawn"') && line.includes(leaving.id)),
      120_000,
    );
    const { out } = await admin(['--json', 'scavenge']);
    expect(JSON.parse(out).eventsRemoved).toBeGreaterThan(0);
    expect(JSON.parse(out)).toMatchObject({ result: 'success', error: null });
    expect((await admin(['export'])).out).not.toContain(`credential-${stored.id}`);
    expect(await admin(['scavenge'])).toEqual({ code: 0, out: 'event store: 0 events, 0 bytes removed\n', err: '' });
  });

  it('copies the events to another event store, and reports a wrong address by its option', async () => {
    const target = await openServerFixture();
    const listen = { host: '127.0.0.1', port: 0 };
    const store = await startEventStore({ databaseUrl: target.databaseUrl, listen, log: () => undefined });
    onTestFinished(async () => {
      await store.close();
      await target.close();
    });
    const to = store.connectionString;
    const typesIn = async (env: Record<string, string> = {}) => (await admin(['export'], env)).out.match(/(?<="type":")\w+/g);
    expect(await admin(['copy-events', '--to', to])).toMatchObject({ code: 0, out: expect.stringContaining('Copied ') });
    const copied = await typesIn({ EVENTSTORE_URL: to });
    expect(copied?.length).toBeGreaterThan(5);
    expect((await typesIn())?.slice(0, copied?.length)).toEqual(copied); // the server appends more
    expect(await admin(['copy-events', '--to', 'nowhere'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('--to is not a valid connection string'),
    });
  });

  it('refuses to rotate the master secret', async () => {
    expect(await admin(['rotate-master-secret'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Stop every server, then run this command again'),
    });
  });

  it('reports that ADMIN_KEY sets the admin key', async () => {
    expect(await admin(['rotate-admin-key'], { ADMIN_KEY })).toMatchObject({ code: 1, err: expect.stringContaining('ADMIN_KEY') });
  });
});

describeAtLength('latchkey-admin without a server', () => {
  it('rotates the master secret and the admin key, after which every other key is still valid', async () => {
    await server?.stop();
    server = null;
    expect(await admin(['--json', 'rotate-master-secret'])).toMatchObject({ code: 0 });
    expect((await readdir(dataDir)).filter((name) => /secret|rotation/.test(name))).toEqual(['master-secret']);
    const { code, out } = await admin(['--json', 'rotate-admin-key']);
    expect(code).toBe(0);
    const { adminKey } = JSON.parse(out);
    server = await startServerProcess(dataDir, { ADMIN_KEY: '' });
    const signedIn = await asCustomer(server.url, customer);
    expect((await signedIn.get('/api/customer/profile')).body.profile.licenseKey).toBe(customer.licenseKey);
    const login = (key: string) => clientOf(server?.url ?? '').post('/api/auth/admin/login', { adminKey: key });
    expect((await login(adminKey)).status).toBe(200);
    expect((await login(`${adminKey.slice(0, -1)}?`)).status).toBe(401);
    expect((await admin(['export'])).out).toContain('"type":"AdminKeyRotated"');
  }, 240_000);
});

describe('latchkey-admin without a store', () => {
  it.each(['verify', 'export', 'rotate-admin-key', 'rebuild', 'retry', 'scavenge', 'rotate-master-secret'])(
    'creates no data directory by %s, and ends with 2',
    async (command) => {
      const parent = await mkdtemp(join(tmpdir(), 'latchkey-no-store-'));
      const mistyped = join(parent, 'mistyped');
      const { code, out, err } = await admin([command], { DATA_DIR: mistyped });
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain(`There is no data in ${mistyped}. Set DATA_DIR`);
      expect(await readdir(parent)).toEqual([]);
      await rm(parent, { recursive: true });
    },
  );

  it('leaves a directory without a store unchanged, and reports it as JSON', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'latchkey-no-store-'));
    const { code, out } = await admin(['--json', 'verify'], { DATA_DIR: parent });
    expect([code, JSON.parse(out)]).toMatchObject([2, { success: false, code: 'store_missing' }]);
    expect(await readdir(parent)).toEqual([]);
    await rm(parent, { recursive: true });
  });
});
