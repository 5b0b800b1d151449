import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerId as customerIdOf, integratorId as integratorIdOf } from '../../src/contracts/fields.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import type { EventMeta } from '../../src/domain/event.ts';
import { uuidOf } from '../../src/http/requests/meta.ts';
import { asAdmin, asIntegrator, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { ownKey } from '../support/keys.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: Client;
let integrator: ServiceIntegrator;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
});

afterAll(() => server.close());

const wanted = (name: string) => ({
  name,
  contactEmail: 'it@acme.example',
  serviceIntegratorId: integrator.id,
  developerSeats: 1,
  stakeholderSeats: 1,
});
const create = (key: string, name: string, as = admin) =>
  as.post('/api/admin/customers', wanted(name), { headers: { 'idempotency-key': ownKey(key) } });
const countOf = async (name: string): Promise<number> => (await admin.get(`/api/admin/customers?search=${name}`)).body.total;

describe('the same request with the same Idempotency-Key', () => {
  it('is executed once and gets the first reply again', async () => {
    const first = await create('once', 'Once');
    const again = await create('once', 'Once');
    expect(again.body).toEqual(first.body);
    expect([again.status, again.headers.get('x-position'), again.headers.get('etag')]).toEqual([
      first.status,
      first.headers.get('x-position'),
      first.headers.get('etag'),
    ]);
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect(await countOf('Once')).toBe(1);
  });

  it('waits for the first one if both are concurrent, on any node', async () => {
    const node = await server.openNode();
    const elsewhere = await asAdmin(node.url);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create('at-once', 'Together', index % 2 === 0 ? admin : elsewhere)),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(replies.map(({ body }) => body.customer.id)).size).toBe(1);
    expect(await countOf('Together')).toBe(1);
    await node.close();
  });

  it('gets the first refusal again too', async () => {
    const churned = await newIntegrator(admin, { companyName: 'Gone' });
    const path = `/api/admin/service-integrators/${churned.id}`;
    const profile = { companyName: 'Gone', contactEmail: 'a@b.example', billingEmail: 'a@b.example' };
    await admin.put(path, { ...profile, status: 'churned' });
    const refused = () =>
      admin.post(
        '/api/admin/customers',
        { ...wanted('Refused'), serviceIntegratorId: churned.id },
        { headers: { 'idempotency-key': ownKey('refused') } },
      );
    expect(await refused()).toMatchObject({ status: 409, body: { code: 'integrator_churned' } });
    await admin.put(path, { ...profile, status: 'active' });
    expect(await refused()).toMatchObject({ status: 409, body: { code: 'integrator_churned' } });
  });

  it('can be corrected after it was invalid', async () => {
    const key = { headers: { 'idempotency-key': ownKey('corrected') } };
    expect((await admin.post('/api/admin/customers', { ...wanted('Corrected'), developerSeats: -2 }, key)).status).toBe(400);
    expect((await admin.post('/api/admin/customers', wanted('Corrected'), key)).status).toBe(201);
  });

  it('creates the same resource even if the first reply was not stored', async () => {
    const first = await create('crashed', 'Crashed');
    await server.product.db.deleteFrom('http.idempotency').where('key', '=', ownKey('crashed')).execute();
    const again = await create('crashed', 'Crashed');
    expect(again.headers.get('idempotent-replayed')).toBeNull();
    expect(again.body).toEqual(first.body);
    expect(await countOf('Crashed')).toBe(1);
  });

  it('returns the complete resource while the read models have half of its events', async () => {
    const { db } = server.product;
    const { body: first } = await create('late', 'Late');
    const half = { revision: 0, license_sealed: null, license_event: null, developer_seats: 0 };
    await db.updateTable('read.customer').set(half).where('customer_id', '=', first.customer.id).execute();
    await db.deleteFrom('http.idempotency').where('key', '=', ownKey('late')).execute();
    const { customer } = (await create('late', 'Late')).body;
    expect([customer.licenseKey, customer.developerSeats]).toEqual([first.customer.licenseKey, 1]);
  });

  it('creates a resource whose first attempt was interrupted by a crash and abandoned', async () => {
    const { commands } = server.product;
    const commandId = uuidOf('command', 'admin:admin', ownKey('abandoned'));
    const customerId = customerIdOf.parse(uuidOf('customer', commandId));
    const integratorId = integratorIdOf.parse(integrator.id);
    const meta: EventMeta = {
      actor: { kind: 'admin', id: 'admin' },
      commandId,
      correlationId: commandId,
      causationId: null,
      at: '2026-01-31T12:00:00.000Z',
    };
    await commands.integrators.handle({ type: 'EnrolCustomer', data: { integratorId, customerId }, meta });
    await commands.customers.handle({
      type: 'AbandonEnrolment',
      data: { customerId },
      meta: { ...meta, commandId: uuidOf('abandon', commandId) },
    });
    const created = await create('abandoned', 'Abandoned');
    expect(created).toMatchObject({ status: 201, body: { customer: { name: 'Abandoned' } } });
    await server.product.db.deleteFrom('http.idempotency').where('key', '=', ownKey('abandoned')).execute();
    expect((await create('abandoned', 'Abandoned')).body).toEqual(created.body);
    expect(await countOf('Abandoned')).toBe(1);

    await admin.delete(`/api/admin/customers/${created.body.customer.id}`);
    await server.product.db.deleteFrom('http.idempotency').where('key', '=', ownKey('abandoned')).execute();
    expect(await create('abandoned', 'Abandoned')).toMatchObject({ status: 409, body: { code: 'customer_deleted' } });
  });

  it('is taken over from a node that crashed', async () => {
    await server.product.db
      .insertInto('http.idempotency')
      .values({
        principal: 'admin:admin',
        key: ownKey('orphan'),
        fingerprint: 'x',
        claim: '00000000-0000-4000-8000-000000000001',
        claimed_until: new Date(Date.now() - 1_000),
        created_at: new Date(),
        status: null,
        headers: null,
        sealed_body: null,
      })
      .execute();
    expect(await create('orphan', 'Orphan')).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    const sent = await create('probe', 'Probe');
    const { fingerprint } = await server.product.db
      .selectFrom('http.idempotency')
      .select('fingerprint')
      .where('key', '=', ownKey('probe'))
      .executeTakeFirstOrThrow();
    await server.product.db
      .updateTable('http.idempotency')
      .set({ status: null, sealed_body: null, claimed_until: new Date(Date.now() - 1_000), fingerprint })
      .where('key', '=', ownKey('probe'))
      .execute();
    expect((await create('probe', 'Probe')).body).toEqual(sent.body);
  });
});

describe('an Idempotency-Key', () => {
  it('is refused for another request', async () => {
    await create('reused', 'First');
    expect(await create('reused', 'Second')).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    const elsewhere = await admin.post('/api/admin/service-integrators', {}, { headers: { 'idempotency-key': ownKey('reused') } });
    expect(elsewhere.status).toBe(400);
    expect(await countOf('Second')).toBe(0);
  });

  it('is separate for each principal', async () => {
    const [one, two] = [await asIntegrator(server.url, integrator), await asIntegrator(server.url, await newIntegrator(admin))];
    const key = { headers: { 'idempotency-key': ownKey('shared') } };
    const customer = { name: 'Shared', contactEmail: 'a@b.example', company: 'Shared' };
    const replies = [
      await one.post('/api/service-integrator/customers', customer, key),
      await two.post('/api/service-integrator/customers', customer, key),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(replies[0]?.body.customer.id).not.toBe(replies[1]?.body.customer.id);
  });

  it('is 1 to 200 visible characters', async () => {
    const { id } = await newCustomer(admin, integrator.id);
    for (const key of ['', 'with blank', 'x'.repeat(201), 'ü']) {
      const reply = await admin.put(
        `/api/admin/customers/${id}`,
        { name: 'X', contactEmail: 'a@b.example' },
        { headers: { 'idempotency-key': key } },
      );
      expect([key, reply.body.code]).toEqual([key, 'idempotency_key_invalid']);
    }
  });

  it('stores the reply sealed', async () => {
    const reply = await create('sealed', 'Sealed');
    const row = await server.product.db
      .selectFrom('http.idempotency')
      .selectAll()
      .where('key', '=', ownKey('sealed'))
      .executeTakeFirstOrThrow();
    const stored = JSON.stringify(row) + row.sealed_body?.toString('latin1');
    for (const secret of [reply.body.customer.licenseKey, 'it@acme.example', 'Sealed']) expect(stored).not.toContain(secret);
  });
});
