import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kind, rows } from '../http/proofs/matrixTable.ts';
import { nameOf, openServerWithRoutes, type Route } from '../http/proofs/registeredRoutes.ts';
import { newTeamResource, TEAM_PARAMETERS } from '../http/proofs/teamResources.ts';
import { createTestTenant, pathIn, type TestTenant } from '../http/proofs/testAccounts.ts';
import { asAdmin, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { ownKey } from '../support/keys.ts';
import type { TestServer } from '../support/server.ts';
import { IS_AT_LENGTH } from '../support/tiers.ts';

let server: TestServer;
let routes: Route[];
let admin: Client;

beforeAll(async () => {
  ({ server, routes } = await openServerWithRoutes());
  admin = await asAdmin(server.url);
});

afterAll(() => server.close());

const stored = (key: string) =>
  server.product.db.selectFrom('http.idempotency').selectAll().where('key', '=', ownKey(key)).executeTakeFirst();

const keyed = (key: string) => ({ headers: { 'idempotency-key': ownKey(key) } });

describe('an attacker who replays an Idempotency-Key after an erasure', () => {
  it('does not get the data of a deleted customer', async () => {
    const integrator = await newIntegrator(admin);
    const wanted = {
      name: 'Aardvark',
      contactEmail: 'boss@aardvark.example',
      serviceIntegratorId: integrator.id,
      developerSeats: 1,
      stakeholderSeats: 1,
    };
    const change = { name: 'Armadillo', contactEmail: 'chief@armadillo.example' };
    const { customer } = (await admin.post('/api/admin/customers', wanted, keyed('create'))).body;
    const path = `/api/admin/customers/${customer.id}`;
    const rotated = (await admin.post(`${path}/rotate-key`, {}, keyed('rotate'))).body.customer;
    await admin.put(path, change, keyed('change'));
    await admin.delete(path, keyed('delete'));
    await eventually(
      () => stored('create'),
      (row) => row === undefined,
      30_000,
    );

    const replays = [
      await admin.post('/api/admin/customers', wanted, keyed('create')),
      await admin.post(`${path}/rotate-key`, {}, keyed('rotate')),
      await admin.put(path, change, keyed('change')),
    ];
    expect(replays.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'customer_deleted'],
      [404, 'customer_not_found'],
      [404, 'customer_not_found'],
    ]);
    for (const word of ['Aardvark', 'Armadillo', 'aardvark.example', customer.licenseKey, rotated.licenseKey]) {
      expect(JSON.stringify(replays)).not.toContain(word);
    }
    const deletion = await admin.delete(path, keyed('delete'));
    expect([deletion.status, deletion.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  });

  it('does not get the data of a deleted service integrator', async () => {
    const wanted = { companyName: 'Pangolin', contactEmail: 'it@pangolin.example', billingEmail: 'pay@pangolin.example' };
    const create = () => admin.post('/api/admin/service-integrators', wanted, keyed('integrator'));
    const { service_integrator } = (await create()).body;
    await admin.delete(`/api/admin/service-integrators/${service_integrator.id}`);
    await eventually(
      () => stored('integrator'),
      (row) => row === undefined,
      30_000,
    );
    const replay = await create();
    expect([replay.status, replay.body.code]).toEqual([409, 'integrator_deleted']);
    expect(JSON.stringify(replay.body)).not.toMatch(/pangolin/i);
  });

  it('gets nothing from a row that was restored from a backup', async () => {
    const { db } = server.product;
    const { id } = await newCustomer(admin, (await newIntegrator(admin)).id);
    const change = { name: 'Numbat', contactEmail: 'it@numbat.example' };
    const send = () => admin.put(`/api/admin/customers/${id}`, change, keyed('restored'));
    expect((await send()).body.customer.name).toBe('Numbat');
    const row = await stored('restored');
    if (!row) throw new Error('The reply was not stored');
    await admin.delete(`/api/admin/customers/${id}`);
    await eventually(
      () => stored('restored'),
      (left) => left === undefined,
      30_000,
    );
    await db
      .insertInto('http.idempotency')
      .values({ ...row, headers: JSON.stringify(row.headers) })
      .execute();
    const replay = await send();
    expect([replay.status, replay.body.code]).toEqual([404, 'customer_not_found']);
    expect(replay.headers.get('idempotent-replayed')).toBeNull();
  });
});

/** The removal of a user deletes the replies that are kept for its customer, its own reply among them. */
const DELETES_REPLIES = /^DELETE \/api\/(admin\/)?users\/:userId$/;

describe('the stored reply of every unsafe call', () => {
  const clientIn = (tenant: TestTenant, kind: Kind): Client =>
    kind === 'integrator' ? tenant.partner : kind === 'customer' ? tenant.portal : kind === 'cli' ? tenant.tool : admin;

  it('is sealed with the data key of the owner of its data', async () => {
    const calls = routes.flatMap((route) =>
      ['POST', 'PUT', 'PATCH', 'DELETE'].includes(route.method) &&
      route.idempotent &&
      !DELETES_REPLIES.test(nameOf(route)) &&
      !route.audience.includes('public') &&
      !rows[nameOf(route)]?.needsMember &&
      // What ends a tenant needs one of its own.
      (IS_AT_LENGTH || !rows[nameOf(route)]?.ends)
        ? route.audience.map((kind) => ({ name: nameOf(route), kind, row: rows[nameOf(route)] }))
        : [],
    );
    expect(calls.length).toBeGreaterThan(25);
    const wrong: unknown[] = [];
    /** One for each kind of caller, since two callers cannot create the same user. */
    const tenants = new Map<Kind, TestTenant>();
    for (const { name, kind, row } of calls) {
      const tenant = (!row?.ends && tenants.get(kind)) || (await createTestTenant(server.url, admin));
      if (!row?.ends) tenants.set(kind, tenant);
      const [method = '', route = ''] = name.split(' ');
      const resource = row?.teamResource;
      const named = resource
        ? { tenant, resource, kind: kind === 'admin' || kind === 'integrator' ? kind : ('customer' as const) }
        : null;
      const address = named
        ? route.replace(TEAM_PARAMETERS[named.resource], await newTeamResource(server, admin, named))
        : (row?.at ?? route);
      const path = pathIn(tenant, address);
      const body = row?.body?.(tenant);
      const reply = await clientIn(tenant, kind as Kind).send(method, path, {
        headers: {
          ...keyed(`${name.replaceAll(' ', '_')}_${kind}`).headers,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const kept = await stored(`${name.replaceAll(' ', '_')}_${kind}`);
      const text = JSON.stringify(reply.body);
      const [, kindOfOwner, id] = /^(customer|integrator|user):(.+)$/.exec(kept?.owner ?? '') ?? [];
      const holdsCustomer = /"(customer|user|credential|profile)":/.test(text);
      const holdsNobody =
        /^\{"success":true(,"(revoked|changed)":\d+)?\}$/.test(text) ||
        reply.status >= 400 ||
        route === '/api/team/policy' ||
        route === '/api/admin/alert-rules';
      const isRight = holdsNobody
        ? kind === 'admin' || id !== undefined
        : text.includes('"member":')
          ? kindOfOwner === (route.startsWith('/api/users/') ? 'customer' : 'user') &&
            (kindOfOwner === 'customer' || text.includes(String(id)))
          : holdsCustomer
            ? kindOfOwner === 'customer' && (text.includes(String(id)) || id === tenant.ids.customer)
            : id !== undefined;
      if (reply.status !== row?.own || !kept?.sealed_body || !isRight) wrong.push([name, kind, reply.status, kept?.owner, text]);
    }
    expect(wrong).toEqual([]);
  });
});
