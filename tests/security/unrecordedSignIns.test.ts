import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignInEntry } from '../../src/contracts/signIns.ts';
import { asAdmin, type Client, clientOf, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { ADMIN_KEY } from '../support/keys.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: Client;

beforeAll(async () => {
  server = await openServer({ TRUST_PROXY: 'loopback' });
  admin = await asAdmin(server.url);
});

afterAll(() => server.close());

const signIn = (path: string, body: object, address: string) =>
  clientOf(server.url).post(path, body, { headers: { 'x-forwarded-for': address } });

/** The recorded sign-ins of an address, once there are so many. */
const recorded = (address: string, count: number): Promise<SignInEntry[]> =>
  eventually(
    async () => (await admin.get(`/api/admin/sign-ins?search=${encodeURIComponent(address)}`)).body.signIns,
    (found: SignInEntry[]) => found.length >= count,
  );

describe('successful and failed sign-in attempts', () => {
  it('are recorded for every audience with address, outcome and account, and never with the key', async () => {
    const integrator = await newIntegrator(admin, { companyName: 'Northwind' });
    const customer = await newCustomer(admin, integrator.id, { name: 'Acme' });
    const { licenseKey } = customer;
    const tool = { username: 'ada', email: 'ada@acme.example', machineId: 'm' };
    await signIn('/api/auth/admin/login', { adminKey: ADMIN_KEY }, '192.0.2.1:4711');
    await signIn('/api/auth/admin/login', { adminKey: 'wrong' }, '192.0.2.1');
    await signIn('/api/auth/customer/login', { licenseKey: licenseKey.toLowerCase() }, '192.0.2.1');
    await signIn('/api/auth/service-integrator/login', { masterLicenseKey: integrator.masterLicenseKey }, '192.0.2.1');
    await signIn('/api/cli/login', { licenseKey, ...tool }, '192.0.2.1');
    await signIn('/api/auth/customer/login', { licenseKey: 'LK-ENT-0000-00000' }, '192.0.2.1');
    await signIn('/api/cli/license-key/check', { licenseKey }, '192.0.2.1'); // signs nobody in
    await signIn('/api/cli/license-key/check', { licenseKey: 'LK-ENT-0000-00001' }, '192.0.2.1');
    await signIn('/api/auth/customer/login', { licenseKey: '' }, '192.0.2.1'); // no sign-in: the request is not valid
    await admin.put(`/api/admin/customers/${customer.id}`, { name: 'Acme', contactEmail: 'a@b.example', status: 'suspended' });
    await signIn('/api/auth/customer/login', { licenseKey }, '192.0.2.1');

    const found = (await recorded('192.0.2.1', 8)).toReversed();
    const account = { kind: 'customer', id: customer.id, name: 'Acme', username: null };
    const fingerprint = expect.stringMatching(/^[0-9a-f]{12}$/);
    const common = { address: '192.0.2.1', count: 1, keys: 1, fingerprint };
    expect(found).toMatchObject([
      { ...common, audience: 'admin', outcome: 'accepted', reason: null, account: null },
      { ...common, audience: 'admin', outcome: 'rejected', reason: 'wrong_admin_key' },
      { ...common, audience: 'customer', outcome: 'accepted', account },
      { ...common, audience: 'integrator', outcome: 'accepted', account: { kind: 'integrator', name: 'Northwind' } },
      { ...common, audience: 'cli', outcome: 'accepted', account: { ...account, username: 'ada' } },
      { ...common, audience: 'customer', outcome: 'rejected', reason: 'unknown_license_key', account: null },
      { ...common, audience: 'cli', outcome: 'rejected', reason: 'unknown_license_key', method: 'key', account: null },
      { ...common, audience: 'customer', outcome: 'rejected', reason: 'customer_suspended', account },
    ]);
    expect(found[2]?.fingerprint).toBe(found[4]?.fingerprint);
    expect(found[2]?.fingerprint).not.toBe(found[3]?.fingerprint);

    const rows = await server.product.db.selectFrom('read.sign_in').selectAll().execute();
    const events: unknown[] = [];
    for await (const item of server.product.events.subscribe({ after: null, categories: ['signIns'] })) {
      if (item.kind === 'caughtUp') break;
      if (item.kind === 'event') events.push(item.recorded.event);
    }
    expect(events.length).toBeGreaterThanOrEqual(8);
    for (const key of [licenseKey, integrator.masterLicenseKey, ADMIN_KEY, 'LK-ENT-0000-00000']) {
      expect(JSON.stringify([rows, events])).not.toContain(key);
    }
  });

  it('are combined in one event under load, and counted in the metrics', async () => {
    const before = await countOf('latchkey_sign_ins_refused_total');
    const throttledBefore = await countOf('latchkey_sign_ins_throttled_total');
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => signIn('/api/auth/admin/login', { adminKey: `guess ${index}` }, '192.0.2.66')),
    );
    // They are counted after the replies.
    await eventually(
      () => countOf('latchkey_sign_ins_refused_total'),
      (count) => count === before + 60,
    );
    expect(await countOf('latchkey_sign_ins_throttled_total')).toBe(throttledBefore + 50);
    const found = await recorded('192.0.2.66', 2);
    expect(found.map(({ outcome }) => outcome).sort()).toEqual(['rejected', 'throttled']);
  });

  it('are listed for administrators by audience and outcome, page by page', async () => {
    const { body } = await admin.get('/api/admin/sign-ins?audience=admin&outcome=accepted&limit=1');
    expect(body).toMatchObject({ success: true, signIns: [{ audience: 'admin', outcome: 'accepted' }] });
    expect(body.total).toBeGreaterThan(1);
    const next = await admin.get(`/api/admin/sign-ins?audience=admin&outcome=accepted&limit=1&cursor=${body.nextCursor}`);
    expect(next.body.signIns[0].id).not.toBe(body.signIns[0].id);
    expect((await admin.get('/api/admin/sign-ins?outcome=other')).status).toBe(400);
  });
});

const countOf = async (name: string): Promise<number> => {
  const token = admin.headers.cookie?.split('=')[1];
  const text = (await clientOf(server.url).get('/metrics', { headers: { authorization: `Bearer ${token}` } })).body;
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? -1);
};
