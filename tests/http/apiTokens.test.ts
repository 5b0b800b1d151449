import { io } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { tokenScopesOf } from '../../src/domain/permissions.ts';
import { ADMIN_COOKIE } from '../../src/http/requests/guard.ts';
import { newApiToken } from '../../src/security/apiTokenFormat.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  bearer,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
  type Reply,
  refusal,
} from '../support/apiClient.ts';
import { newTokenBody, newTokenClient } from '../support/apiTokens.ts';
import { eventually } from '../support/eventually.ts';
import { asIntegratorMember, asPortalMember, invite, inviteUser, join } from '../support/members.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { itAtLength } from '../support/tiers.ts';

let server: TestServer;
/** The other node of the same deployment. */
let other: Awaited<ReturnType<TestServer['openNode']>>;
let url: string;
let admin: Client;
let integrator: ServiceIntegrator;
let customer: Customer;
let partner: Client;
let portal: Client;
const sockets: { disconnect: () => void }[] = [];
/** How far the clocks of both nodes are ahead, in ms, and when that of the other node stands still. */
const clock = { ahead: 0, stopped: null as number | null };
const now = (): number => Date.now() + clock.ahead;
const nowElsewhere = (): number => (clock.stopped ?? Date.now()) + clock.ahead;

beforeAll(async () => {
  server = await openServer({ TRUST_PROXY: 'loopback' }, { now });
  other = await server.openNode({ ROLES: 'api' }, { now: nowElsewhere });
  ({ url } = server);
  admin = await asAdmin(url);
  integrator = await newIntegrator(admin, { companyName: 'Contoso Partners' });
  customer = await newCustomer(admin, integrator.id);
  partner = await asIntegrator(url, integrator);
  portal = await asCustomer(url, customer);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.disconnect();
  await server.product.db.deleteFrom('auth.sign_in_permit').execute();
  server.product.permits.forget();
});
afterAll(() => server.close());

const TOKENS = '/api/tokens';
const PROFILE = '/api/service-integrator/profile';
const CUSTOMERS = '/api/service-integrator/customers';
/** The same client, on the other node. */
const elsewhere = ({ headers }: Client): Client => clientOf(other.url, headers);
const refusedWith = (client: Client, path: string, code: string): Promise<Reply> =>
  eventually(
    () => client.get(path),
    ({ body }) => body.code === code,
  );
const newOwner = async (): Promise<Client & { userId: string }> => {
  const joined = await join(url, await invite(partner, 'owner'), { secondFactor: false });
  return { ...(await asIntegratorMember(url, joined)), userId: joined.userId };
};
const accountOf = (status: string) => ({
  companyName: 'Any',
  contactEmail: 'it@any.example',
  billingEmail: 'it@any.example',
  status,
});

describe('an API token', () => {
  it.each([
    ['the administration', () => admin, 'customers:read', '/api/admin/customers', '/api/admin/stats/dashboard'],
    ['a service integrator', () => partner, 'customers:read', CUSTOMERS, PROFILE],
    ['a customer', () => portal, 'profile:read', '/api/customer/profile', '/api/customer/usage'],
  ] as const)(
    'of %s calls the API without cookie and origin, with exactly its scopes',
    async (_who, owner, scope, path, notInScope) => {
      const token = await newTokenClient(url, owner(), [scope]);
      expect(token.secret).toMatch(/^lkt_[0-9A-Za-z]{49}$/);
      const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
      for (const client of [token, elsewhere(token)]) {
        expect((await client.get(path, { headers })).status).toBe(200);
        expect(refusal(await client.get(notInScope))).toEqual([403, 'forbidden']);
        expect(refusal(await client.get('/api/cli/session'))).toEqual([403, 'forbidden']);
      }
    },
  );

  it('changes data without an origin, and the event and the history name it', async () => {
    const token = await newTokenClient(url, partner, ['customers:write', 'customers:read', 'history:read'], { name: 'CI export' });
    const headers = { origin: 'https://elsewhere.example' };
    const body = { name: 'Made by CI', contactEmail: 'ci@acme.example', company: 'Acme', theme: null };
    const { status, body: made } = await token.post(CUSTOMERS, body, { headers });
    expect(status).toBe(201);
    const { history } = (await token.get(`${CUSTOMERS}/${made.customer.id}/history`)).body;
    expect(history[0].actor).toMatchObject({ kind: 'integrator', id: integrator.id, name: 'token CI export' });
    const filtered = await token.get(`${CUSTOMERS}/${made.customer.id}/history?actor=${token.tokenId}`);
    expect(filtered.body.total).toBe(history.length);
    const csv = await token.get(`${CUSTOMERS}/${made.customer.id}/history`, { headers: { accept: 'text/csv' } });
    expect(csv.body).toContain('token CI export');
    const own = await admin.get(`/api/admin/service-integrators/${integrator.id}/history?search=CI export`);
    expect(own.body.history[0]).toMatchObject({ type: 'ApiTokenCreated', summary: 'API token CI export was created' });
  });

  it('is listed without its secret, with its creator, networks and last use', async () => {
    const owner = await newOwner();
    const more = { name: 'Nightly', networks: ['203.0.113.9/24', '2001:db8::1', '203.0.113.0/24'] };
    const token = await newTokenClient(url, owner, ['profile:read', 'customers:read'], more);
    const from = { 'x-forwarded-for': '203.0.113.77' };
    expect((await token.get(PROFILE, { headers: from })).status).toBe(200);
    const { body } = await partner.get(TOKENS);
    expect(body.tokens.find(({ name }: { name: string }) => name === 'Nightly')).toMatchObject({
      tokenId: token.tokenId,
      scopes: ['customers:read', 'profile:read'],
      networks: ['203.0.113.0/24', '2001:db8::1/128'],
      state: 'active',
      createdBy: { userId: owner.userId, name: 'Ana Ruiz' },
      lastUse: { at: expect.any(String), address: '203.0.113.77' },
    });
    expect(JSON.stringify(body)).not.toContain(token.secret);
    expect([...body.scopes].sort()).toEqual([...tokenScopesOf('integrator')].sort());
  });

  it('is of one tenant', async () => {
    const token = await newTokenClient(url, partner, ['profile:read']);
    for (const outsider of [admin, portal, await asIntegrator(url, await newIntegrator(admin))]) {
      expect(refusal(await outsider.delete(`${TOKENS}/${token.tokenId}`))).toEqual([404, 'api_token_not_found']);
      expect(JSON.stringify((await outsider.get(TOKENS)).body.tokens)).not.toContain(token.tokenId);
    }
    expect((await token.get(PROFILE)).status).toBe(200);
  });

  it('sees no keys, and has replies and limits of its own', async () => {
    const blind = await newTokenClient(url, partner, ['profile:read', 'customers:read', 'customers:write', 'keys:rotate']);
    const seeing = await newTokenClient(url, partner, ['profile:read', 'customers:write']);
    expect((await blind.get(PROFILE)).body.serviceIntegrator.masterLicenseKey).toMatch(/^LK-SI-••••-•••••$/);
    for (const [owner, scope] of [
      [admin, 'keys:read'],
      [admin, 'masterKey:read'],
      [partner, 'keys:read'],
      [partner, 'masterKey:rotate'],
      [portal, 'keys:read'],
    ] as const) {
      const reply = await owner.post(TOKENS, newTokenBody([scope], 'reads keys'));
      expect([scope, ...refusal(reply)]).toEqual([scope, 400, 'api_token_scopes_refused']);
    }
    const { id } = (await partner.get(CUSTOMERS)).body.customers[0];
    const rotated = await blind.post(`${CUSTOMERS}/${id}/rotate-key`);
    expect([rotated.status, JSON.stringify(rotated.body).includes('•••••')]).toEqual([200, true]);
    const call = { headers: { 'idempotency-key': 'one-key-of-two-tokens' } };
    const body = { name: 'Twice', contactEmail: 'ci@acme.example', company: 'Acme', theme: null };
    const made = [await blind.post(CUSTOMERS, body, call), await seeing.post(CUSTOMERS, body, call)];
    const again = await blind.post(CUSTOMERS, body, call);
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    expect(made[0]?.body.customer.id).not.toBe(made[1]?.body.customer.id);
    expect(again.body.customer.id).toBe(made[0]?.body.customer.id);
  });

  it.each([
    ['networks', { networks: ['anywhere'] }, 'networks.0'],
    ['networks', { networks: ['203.0.113.0/33'] }, 'networks.0'],
    ['scopes', { scopes: [] }, 'scopes'],
    ['scopes', { scopes: ['everything'] }, 'scopes.0'],
    ['name', { name: ' ' }, 'name'],
    ['expiry', { expiresAt: 'never' }, 'expiresAt'],
  ])('is not created with invalid %s', async (_what, invalid, path) => {
    const { status, body } = await partner.post(TOKENS, { ...newTokenBody(['profile:read'], 'invalid'), ...invalid });
    expect([status, body.issues?.[0].path]).toEqual([400, path]);
  });
});

describe('an attacker', () => {
  it('gets the reason why a token is refused', async () => {
    const { secret } = await newTokenClient(url, partner, ['profile:read']);
    const forged = `${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`;
    for (const [token, code] of [
      [forged, 'api_token_malformed'],
      ['lkt_', 'api_token_malformed'],
      [`${secret}a`, 'api_token_malformed'],
      [newApiToken(), 'api_token_unknown'],
    ] as const) {
      expect(refusal(await clientOf(url, bearer(token)).get(PROFILE))).toEqual([401, code]);
    }
  });

  it('gets nothing by a token in the query, a cookie or beside the session of another user', async () => {
    const { secret } = await newTokenClient(url, admin, ['customers:read']);
    const path = '/api/admin/customers';
    for (const [address, headers] of [
      [`${path}?token=${secret}`, {}],
      [`${path}?access_token=${secret}`, {}],
      [path, { cookie: `${ADMIN_COOKIE}=${secret}` }],
      [path, { authorization: secret }],
      [path, { 'x-api-key': secret }],
    ] as const) {
      expect((await clientOf(url, headers).get(address)).status).toBeGreaterThanOrEqual(400);
    }
    // The token is the only credential of its request.
    const { cookie = '' } = admin.headers;
    expect(refusal(await clientOf(url, { ...bearer(newApiToken()), cookie }).get(path))).toEqual([401, 'api_token_unknown']);
    expect((await clientOf(url, { ...bearer(secret), cookie }).get('/api/admin/stats/dashboard')).status).toBe(403);
  });

  it('cannot create access with a token that has every scope', async () => {
    for (const [owner, kind] of [
      [admin, 'administration'],
      [partner, 'integrator'],
      [portal, 'customer'],
    ] as const) {
      const token = await newTokenClient(url, owner, [...tokenScopesOf(kind)]);
      const { tokenId } = token;
      expect((await token.get(TOKENS)).body.scopes.sort()).toEqual([...tokenScopesOf(kind)].sort());
      for (const reply of [
        await token.post(TOKENS, newTokenBody(['ownSession:read'], 'child')),
        await token.delete(`${TOKENS}/${tokenId}`),
        await token.post('/api/team/members', { name: 'Mallory', email: 'mallory@evil.example', role: 'owner' }),
        await token.put('/api/team/policy', { secondFactorRequired: true }),
      ]) {
        expect(refusal(reply)).toEqual([403, 'forbidden']);
      }
    }
    const token = await newTokenClient(url, partner, [...tokenScopesOf('integrator')]);
    for (const path of ['/api/account/second-factor', '/api/auth/service-integrator/logout']) {
      expect((await token.post(path)).status).toBe(403);
    }
    for (const scopes of [['tokens:write'], ['monitoring:read'], ['profile:read', 'ownSession:end']]) {
      expect(refusal(await partner.post(TOKENS, newTokenBody(scopes, 'wide')))).toEqual([400, 'api_token_scopes_refused']);
    }
  });

  it('uses up the guesses of its address, which do not end the use of a token that this node knows', async () => {
    const from = { 'x-forwarded-for': '198.51.100.7' };
    const token = await newTokenClient(url, partner, ['profile:read']);
    expect((await token.get(PROFILE, { headers: from })).status).toBe(200);
    const codes = [];
    for (let guess = 0; guess < 9; guess++) {
      codes.push((await clientOf(url, { ...bearer(newApiToken()), ...from }).get(PROFILE)).body.code);
    }
    expect(new Set(codes.slice(0, 8))).toEqual(new Set(['api_token_unknown']));
    expect(codes[8]).toBe('too_many_attempts');
    const body = { masterLicenseKey: integrator.masterLicenseKey };
    expect((await clientOf(url, from).post('/api/auth/service-integrator/login', body)).status).toBe(429);
    expect((await token.get(PROFILE, { headers: from })).status).toBe(200);
  });

  it('gets nothing from an address outside of the networks', async () => {
    const token = await newTokenClient(url, partner, ['profile:read'], { networks: ['203.0.113.0/24', '2001:db8::/32'] });
    const from = async (address: string) =>
      (await token.get(PROFILE, { headers: { 'x-forwarded-for': address } })).body.code ?? 'accepted';
    expect(await from('203.0.113.200')).toBe('accepted');
    expect(await from('2001:db8:7::1')).toBe('accepted');
    expect(await from('::ffff:203.0.113.5')).toBe('accepted');
    expect(await from('203.0.114.1')).toBe('api_token_address_refused');
    expect(await from('2001:db9::1')).toBe('api_token_address_refused');
    expect(await from('203.0.113.9, 198.51.100.1')).toBe('api_token_address_refused');
  });
});

describe('the end of an API token', () => {
  const warm = async (token: Client, path: string): Promise<void> => {
    for (const client of [token, elsewhere(token)]) expect((await client.get(path)).status).toBe(200);
  };

  it('comes at once with its revocation, on every node', async () => {
    const token = await newTokenClient(url, partner, ['profile:read'], { name: 'Revoked' });
    await warm(token, PROFILE);
    expect((await partner.delete(`${TOKENS}/${token.tokenId}`)).status).toBe(200);
    expect(refusal(await token.get(PROFILE))).toEqual([401, 'api_token_revoked']);
    await refusedWith(elsewhere(token), PROFILE, 'api_token_revoked');
    expect(refusal(await partner.delete(`${TOKENS}/${token.tokenId}`))).toEqual([404, 'api_token_not_found']);
    const { tokens } = (await partner.get(TOKENS)).body;
    expect(tokens.find(({ tokenId }: { tokenId: string }) => tokenId === token.tokenId)).toMatchObject({
      state: 'revoked',
      revokedBy: { kind: 'key', name: null },
    });
  });

  it('comes with its expiry', async () => {
    const expiresAt = new Date(now() + 60_000).toISOString();
    const token = await newTokenClient(url, partner, ['profile:read'], { expiresAt });
    for (const client of [token, elsewhere(token)]) expect((await client.get(PROFILE)).status).toBe(200);
    clock.ahead += 60_000;
    for (const client of [token, elsewhere(token)]) await refusedWith(client, PROFILE, 'api_token_expired');
  });

  it('comes with the removal of its creator, and with a role that has fewer permissions', async () => {
    await newOwner(); // so that none of the following is the last owner
    const [removed, lowered] = [await newOwner(), await newOwner()];
    const tokens = {
      removed: await newTokenClient(url, removed, ['profile:read']),
      above: await newTokenClient(url, lowered, ['settings:write', 'profile:read']),
      within: await newTokenClient(url, lowered, ['profile:read']),
    };
    for (const token of Object.values(tokens)) await warm(token, PROFILE);
    expect((await partner.delete(`/api/team/members/${removed.userId}`)).status).toBe(200);
    expect((await partner.put(`/api/team/members/${lowered.userId}`, { role: 'manager' })).status).toBe(200);
    for (const token of [tokens.removed, tokens.above]) {
      for (const client of [token, elsewhere(token)]) await refusedWith(client, PROFILE, 'api_token_revoked');
    }
    await warm(tokens.within, PROFILE);
  });

  itAtLength('is temporary while the tenant is suspended, and lasting once it is deleted', async () => {
    const own = await newIntegrator(admin, { companyName: 'Suspended' });
    const token = await newTokenClient(url, await asIntegrator(url, own), ['profile:read']);
    await warm(token, PROFILE);
    const path = `/api/admin/service-integrators/${own.id}`;
    await admin.put(path, accountOf('suspended'));
    for (const client of [token, elsewhere(token)]) await refusedWith(client, PROFILE, 'integrator_suspended');
    await admin.put(path, accountOf('active'));
    for (const client of [token, elsewhere(token)])
      await eventually(
        () => client.get(PROFILE),
        ({ status }) => status === 200,
      );
    expect((await admin.delete(path)).status).toBe(200);
    for (const client of [token, elsewhere(token)]) await refusedWith(client, PROFILE, 'api_token_unknown');
    const uses = () =>
      server.product.db
        .selectFrom('auth.api_token_use')
        .selectAll()
        .where('token_id', '=', token.tokenId as never);
    await eventually(
      () => uses().execute(),
      ({ length }) => length === 0,
    );

    const mine = await newCustomer(admin, integrator.id);
    const ofCustomer = await newTokenClient(url, await asCustomer(url, mine), ['profile:read']);
    await warm(ofCustomer, '/api/customer/profile');
    await admin.put(`/api/admin/customers/${mine.id}`, { name: 'A', contactEmail: 'a@b.example', status: 'suspended' });
    await refusedWith(elsewhere(ofCustomer), '/api/customer/profile', 'customer_suspended');
  });

  itAtLength(
    'is temporary while the user of a customer who created it is suspended, and lasting once the user is deactivated',
    async () => {
      const mine = await newCustomer(admin, integrator.id);
      const { userId } = await asTool(url, mine, 'cleo');
      for (const username of ['dora', 'cleo']) {
        const user = await asTool(url, mine, username);
        await partner.put(`/api/users/${user.userId}`, { username, email: `${username}@example.com`, role: 'admin' });
        // Another admin has to stay.
        if (username === 'dora') await join(url, await inviteUser(partner, user.userId), { secondFactor: false });
      }
      const joined = await join(url, await inviteUser(await asCustomer(url, mine), userId), { secondFactor: false });
      const token = await newTokenClient(url, await asPortalMember(url, joined), ['profile:read']);
      const path = '/api/customer/profile';
      await warm(token, path);
      await partner.put(`/api/users/${userId}/status`, { status: 'suspended' });
      for (const client of [token, elsewhere(token)]) await refusedWith(client, path, 'user_suspended');
      await partner.put(`/api/users/${userId}/status`, { status: 'active' });
      const { status } = await eventually(
        () => elsewhere(token).get(path),
        (reply) => reply.status === 200,
      );
      expect(status).toBe(200);
      await partner.put(`/api/users/${userId}/status`, { status: 'inactive' });
      for (const client of [token, elsewhere(token)]) await refusedWith(client, path, 'api_token_revoked');
    },
  );

  it('comes with the rotation of the key whose session created it', async () => {
    const own = await newIntegrator(admin, { companyName: 'Rotating' });
    const key = await asIntegrator(url, own);
    const token = await newTokenClient(url, key, ['profile:read']);
    await warm(token, PROFILE);
    expect((await key.post('/api/service-integrator/rotate-key')).status).toBe(200);
    for (const client of [token, elsewhere(token)]) await refusedWith(client, PROFILE, 'api_token_revoked');
  });

  itAtLength('closes its open sockets on other nodes, whose tenant they show', async () => {
    const connect = async (client: { secret: string }) => {
      const socket = io(other.url, {
        transports: ['websocket'],
        auth: { token: client.secret },
        reconnection: false,
        forceNew: true,
      });
      sockets.push(socket);
      const topics: string[] = [];
      const errors: string[] = [];
      socket.on('changed', (message) => topics.push(JSON.stringify(message.topics)));
      socket.on('connect_error', (error) => errors.push(error.message));
      await eventually(() => socket.connected || errors.length > 0, Boolean);
      return { socket, topics, errors };
    };
    const [revoked, ofAdmin] = [
      await newTokenClient(url, partner, ['profile:read']),
      await newTokenClient(url, admin, ['customers:read']),
    ];
    // The clock of the other node stands still until it shall expire, which its sockets look at each second.
    clock.stopped = Date.now() + 60_000;
    const expiresAt = new Date(nowElsewhere() + 1_000).toISOString();
    const expiring = await newTokenClient(url, partner, ['profile:read'], { expiresAt });
    const open = [await connect(revoked), await connect(ofAdmin), await connect(expiring)];
    expect(open.map(({ socket }) => socket.connected)).toEqual([true, true, true]);
    await admin.put(`/api/admin/customers/${customer.id}`, { name: 'Renamed', contactEmail: 'it@acme.example' });
    for (const { topics } of open)
      await eventually(
        () => topics.join(),
        (seen) => seen.includes(customer.id),
      );

    await partner.delete(`${TOKENS}/${revoked.tokenId}`);
    await eventually(
      () => open[0]?.socket.connected,
      (isOpen) => isOpen === false,
    );
    expect(open[2]?.socket.connected).toBe(true);
    clock.stopped += 1_000;
    await eventually(
      () => open[2]?.socket.connected,
      (isOpen) => isOpen === false,
    );
    expect(open[1]?.socket.connected).toBe(true);
    clock.stopped = null;
    expect((await connect(revoked)).errors).toEqual(['session_required']);
  });
});
