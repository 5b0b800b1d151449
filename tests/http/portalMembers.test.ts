import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { permissionsOfRole } from '../../src/domain/permissions.ts';
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
  toolLoginOf,
} from '../support/apiClient.ts';
import { newTokenClient } from '../support/apiTokens.ts';
import { beginDevice, decideDevice, pollDevice } from '../support/devices.ts';
import { eventually } from '../support/eventually.ts';
import { asIntegratorMember, asPortalMember, codeOf, invite, inviteUser, join, login, PASSWORD } from '../support/members.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { IS_AT_LENGTH, itAtLength } from '../support/tiers.ts';

let server: TestServer;
let url: string;
let admin: Client;
let integrator: ServiceIntegrator;
let partner: Client;
let customer: Customer;
let portal: Client;

beforeAll(async () => {
  server = await openServer();
  ({ url } = server);
  admin = await asAdmin(url);
  integrator = await newIntegrator(admin, { companyName: 'Contoso Partners' });
  partner = await asIntegrator(url, integrator);
  customer = await newCustomer(admin, integrator.id, { name: 'Acme', developerSeats: -1, stakeholderSeats: -1 });
  portal = await asCustomer(url, customer);
});
afterAll(() => server.close());

/** Wrong guesses of one test do not use up the permits of the next. */
afterEach(async () => {
  await server.product.db.deleteFrom('auth.sign_in_failures').execute();
  await server.product.db.deleteFrom('auth.sign_in_permit').execute();
  server.product.permits.forget();
});

const plain = { secondFactor: false };

let users = 0;
type Named = { id: string; username: string; email: string };

/** A portal user, who first signed in with the tool. */
const newUser = async (of: Customer = customer): Promise<Named> => {
  users += 1;
  const username = `user-${users}`;
  const { userId } = await asTool(url, of, username);
  return { id: userId, username, email: `${username}@example.com` };
};

const setRole = ({ id, username, email }: Named, role: string) => portal.put(`/api/users/${id}`, { username, email, role });

/** A named user of the portal. */
const joinedUser = async (role = 'developer', options: { secondFactor?: boolean } = plain) => {
  const user = await newUser();
  if (role !== 'developer') await setRole(user, role);
  return { ...user, ...(await join(url, await inviteUser(portal, user.id), options)) };
};

const ended = (client: Client, path = '/api/auth/customer/session') =>
  eventually(
    () => client.get(path),
    ({ status }) => status === 401,
  );

describe('an invitation of a portal user', () => {
  it('names the user, the role and the customer, and signs in with the code', async () => {
    const user = await newUser();
    const invited = await inviteUser(portal, user.id);
    const opened = await clientOf(url).post('/api/auth/invitation', { token: invited.token });
    expect(opened.body).toMatchObject({ name: user.username, email: user.email, role: 'developer' });
    expect(opened.body.tenant).toEqual({ kind: 'customer', name: 'Acme' });
    const joined = await join(url, invited);
    expect(refusal(await login(url, 'customer', joined))).toEqual([401, 'code_required']);
    expect(refusal(await login(url, 'admin', joined))).toEqual([401, 'wrong_email_or_password']);
    const signedIn = await login(url, 'customer', { email: joined.email, code: codeOf(joined.secret ?? '') });
    expect(signedIn.body).toMatchObject({ role: 'developer', permissions: [...permissionsOfRole('customer', 'developer')] });
    expect(signedIn.body.customer.licenseKey).toBe('LK-ENT-••••-•••••');
  });

  it('is made by the integrator of the customer, and by no other tenant', async () => {
    const user = await newUser();
    const { token } = await inviteUser(partner, user.id);
    expect((await clientOf(url).post('/api/auth/invitation', { token })).status).toBe(200);
    const other = await newIntegrator(admin, { companyName: 'Other' });
    const foreign = await newCustomer(admin, other.id, { name: 'Foreign' });
    for (const client of [await asIntegrator(url, other), await asCustomer(url, foreign)]) {
      expect(refusal(await client.post(`/api/users/${user.id}/invitation`))).toEqual([404, 'user_not_found']);
      expect(refusal(await client.delete(`/api/users/${user.id}/invitation`))).toEqual([404, 'user_not_found']);
      expect(refusal(await client.delete(`/api/team/members/${user.id}`))).toEqual([404, 'member_not_found']);
    }
    const manager = await asIntegratorMember(url, await join(url, await invite(partner, 'manager'), plain));
    expect(refusal(await manager.post(`/api/users/${user.id}/invitation`))).toEqual([403, 'forbidden']);
    expect((await partner.delete(`/api/users/${user.id}/invitation`)).status).toBe(200);
    expect(refusal(await clientOf(url).post('/api/auth/join', { token, password: PASSWORD }))).toEqual([
      404,
      'invitation_not_found',
    ]);
  });

  it('is neither made nor accepted for a user who is not active', async () => {
    const user = await newUser();
    const { token } = await inviteUser(portal, user.id);
    await portal.put(`/api/users/${user.id}/status`, { status: 'suspended' });
    expect(refusal(await clientOf(url).post('/api/auth/join', { token, password: PASSWORD }))).toEqual([403, 'user_suspended']);
    expect(refusal(await portal.post(`/api/users/${user.id}/invitation`))).toEqual([403, 'user_suspended']);
  });

  it('cannot give a role or a name: those are the user’s', async () => {
    const joined = await joinedUser();
    expect((await portal.post('/api/team/members', { name: 'X', email: 'x@x.example', role: 'admin' })).status).toBe(403);
    expect((await portal.put(`/api/team/members/${joined.id}`, { role: 'admin' })).status).toBe(403);
    expect(refusal(await portal.post(`/api/users/${joined.id}/invitation`))).toEqual([409, 'member_exists']);
  });
});

describe('a named user of the portal', () => {
  it('does what the role says, and nothing about others', async () => {
    const developer = await asPortalMember(url, await joinedUser('developer'));
    const stakeholder = await asPortalMember(url, await joinedUser('stakeholder'));
    const owner = await asPortalMember(url, await joinedUser('admin'));
    const statuses = async (path: string) =>
      Promise.all([developer, stakeholder, owner].map(async (client) => (await client.get(path)).status));
    expect(await statuses('/api/customer/usage')).toEqual([403, 200, 200]);
    const users = async (client: Client) => (await client.get('/api/customer/usage')).body.usage.users;
    expect([await users(stakeholder), await users(owner)]).toEqual([null, []]);
    const someone = '99999999-9999-4999-8999-999999999999';
    expect(await statuses(`/api/customer/usage?userId=${someone}`)).toEqual([403, 403, 200]);
    expect(await statuses(`/api/customer/usage?service=jira`)).toEqual([403, 200, 200]);
    expect((await developer.get(`/api/customer/own-usage?userId=${someone}`)).status).toBe(400);
    expect(await statuses('/api/customer/instances')).toEqual([403, 200, 200]);
    expect(await statuses('/api/users/with-connections')).toEqual([403, 403, 200]);
    expect(await statuses('/api/users/machine-requests')).toEqual([403, 403, 200]);
    expect(await statuses('/api/credentials/list')).toEqual([403, 403, 200]);
    expect(await statuses('/api/customer/history')).toEqual([403, 403, 200]);
    expect(await statuses('/api/team')).toEqual([403, 403, 200]);
    expect(await statuses('/api/customer/profile')).toEqual([200, 200, 200]);
    expect(await statuses('/api/account')).toEqual([200, 200, 200]);
    const body = { name: 'Acme', contactEmail: 'it@acme.example', company: 'Acme' };
    expect((await stakeholder.put('/api/customer/profile', body)).status).toBe(403);
    expect((await owner.put('/api/customer/profile', body)).status).toBe(200);
    const { history } = (await admin.get(`/api/admin/customers/${customer.id}/history`)).body;
    expect(history[0].actor).toMatchObject({ kind: 'customer', name: expect.stringMatching(/^user-\d+ \(admin\)$/) });
  });

  itAtLength('follows the user: role, name and email address', async () => {
    const joined = await joinedUser();
    const first = await asPortalMember(url, joined);
    await setRole(joined, 'admin');
    await ended(first);
    const second = await asPortalMember(url, joined);
    expect((await second.get('/api/auth/customer/session')).body.role).toBe('admin');
    const renamed = { username: 'ana', email: 'ana@acme.example', role: 'admin' };
    expect((await portal.put(`/api/users/${joined.id}`, renamed)).status).toBe(200);
    const member = await eventually(
      async () => (await portal.get('/api/team')).body.members.find(({ userId }: { userId: string }) => userId === joined.id),
      ({ name, role }) => name === 'ana' && role === 'admin',
    );
    expect(member).toMatchObject({ email: 'ana@acme.example', status: 'joined' });
    expect((await login(url, 'customer', { email: 'ana@acme.example' })).status).toBe(200);
    expect((await second.get('/api/auth/customer/session')).status).toBe(200);
  });

  it('loses access with a suspension, and is removed with a deactivation; both leave the tool’s rules as they are', async () => {
    const joined = await joinedUser();
    const first = await asPortalMember(url, joined);
    await portal.put(`/api/users/${joined.id}/status`, { status: 'suspended' });
    await ended(first);
    expect(refusal(await login(url, 'customer', joined))).toEqual([403, 'user_suspended']);
    await portal.put(`/api/users/${joined.id}/status`, { status: 'active' });
    const second = await asPortalMember(url, joined);
    await portal.put(`/api/users/${joined.id}/status`, { status: 'inactive' });
    await ended(second);
    await eventually(
      async () => (await portal.get('/api/team')).body.members,
      (members) => !JSON.stringify(members).includes(joined.id),
    );
    await portal.put(`/api/users/${joined.id}/status`, { status: 'active' });
    expect(refusal(await login(url, 'customer', joined))).toEqual([401, 'wrong_email_or_password']);
    const again = await join(url, await inviteUser(portal, joined.id), plain);
    expect((await login(url, 'customer', again)).status).toBe(200);
  });

  itAtLength('is removed and signed out without the tool of the same user', async () => {
    const user = await newUser();
    const tool = await asTool(url, customer, user.username);
    const joined = await join(url, await inviteUser(portal, user.id), plain);
    const first = await asPortalMember(url, joined);
    await portal.post(`/api/team/members/${user.id}/revoke-sessions`);
    await ended(first);
    const second = await asPortalMember(url, joined);
    await portal.delete(`/api/team/members/${user.id}`);
    await ended(second);
    expect((await tool.get('/api/cli/session')).status).toBe(200);
    expect(refusal(await login(url, 'customer', joined))).toEqual([401, 'wrong_email_or_password']);
  });

  itAtLength('is locked out with a suspended customer, and erased with a deleted one', async () => {
    const doomed = await newCustomer(admin, integrator.id, { name: 'Doomed' });
    const user = await newUser(doomed);
    const joined = await join(url, await inviteUser(partner, user.id), plain);
    const member = await asPortalMember(url, joined);
    const details = { name: 'Doomed', contactEmail: 'it@doomed.example' };
    await admin.put(`/api/admin/customers/${doomed.id}`, { ...details, status: 'suspended' });
    await ended(member);
    expect(refusal(await login(url, 'customer', joined))).toEqual([403, 'customer_suspended']);
    await admin.put(`/api/admin/customers/${doomed.id}`, { ...details, status: 'active' });
    const again = await asPortalMember(url, joined);
    expect((await admin.delete(`/api/admin/customers/${doomed.id}`)).status).toBe(200);
    await ended(again);
    expect(refusal(await login(url, 'customer', joined))).toEqual([401, 'wrong_email_or_password']);
    const rows = await server.product.db.selectFrom('read.member').selectAll().where('email', '=', joined.email).execute();
    expect(rows).toEqual([]);
    const { events } = server.product;
    const stored: unknown[] = [];
    for await (const recorded of events.read(`team-customer.${doomed.id}`)) stored.push(recorded.event);
    expect(JSON.stringify(stored)).not.toContain(joined.email);
  });

  itAtLength('changes the own password without ending the tool’s session', async () => {
    const user = await newUser();
    const tool = await asTool(url, customer, user.username);
    const joined = await join(url, await inviteUser(portal, user.id), plain);
    const [mine, other] = [await asPortalMember(url, joined), await asPortalMember(url, joined)];
    const newPassword = 'a quite different passphrase';
    expect((await mine.put('/api/account/password', { currentPassword: PASSWORD, newPassword })).status).toBe(200);
    await ended(other);
    expect((await tool.get('/api/cli/session')).status).toBe(200);
  });
});

describe('an email address in several customers', () => {
  it('chooses where to sign in when the password is right in more than one, and learns nothing from a wrong one', async () => {
    const houses = [
      await newCustomer(admin, integrator.id, { name: 'Zeta' }),
      await newCustomer(admin, integrator.id, { name: 'Beta' }),
    ];
    const clients: Client[] = [];
    for (const house of houses) {
      const byKey = await asCustomer(url, house);
      const { userId } = await asTool(url, house, 'consultant');
      const joined = await join(url, await inviteUser(byKey, userId), plain);
      clients.push(clientOf(url, bearer((await login(url, 'customer', { ...joined, tenantId: house.id })).body.token)));
    }
    const email = 'consultant@example.com';
    const asked = await login(url, 'customer', { email });
    expect(refusal(asked)).toEqual([401, 'tenant_required']);
    expect(asked.body.tenants).toEqual([houses[1], houses[0]].map((house) => ({ id: house?.id, name: house?.name })));
    for (const { id } of houses) {
      const { status, body } = await login(url, 'customer', { email, tenantId: id });
      expect([status, body.customer.id]).toEqual([200, id]);
    }
    const wrong = await login(url, 'customer', { email, password: 'not the password at all' });
    expect([...refusal(wrong), wrong.body.tenants]).toEqual([401, 'wrong_email_or_password', undefined]);
    expect(refusal(await login(url, 'customer', { email, tenantId: customer.id }))).toEqual([401, 'wrong_email_or_password']);

    const newPassword = 'a quite different passphrase';
    expect((await clients[0]?.put('/api/account/password', { currentPassword: PASSWORD, newPassword }))?.status).toBe(200);
    expect((await login(url, 'customer', { email })).body.customer.id).toBe(houses[1]?.id);
    expect((await login(url, 'customer', { email, password: newPassword })).body.customer.id).toBe(houses[0]?.id);
  });
});

describe('the removal of a portal user', () => {
  const path = (id: string) => `/api/users/${id}`;

  it('ends sessions, tool and member, frees the seat, and erases name and address but no usage', async () => {
    const house = await newCustomer(admin, integrator.id, { name: 'Forgetful', developerSeats: 2 });
    const byKey = await asCustomer(url, house);
    const tool = await asTool(url, house, 'quokka', 'wombat-laptop');
    const { userId } = tool;
    await byKey.put(path(userId), { username: 'numbat', email: 'numbat@example.com', role: 'developer' });
    await byKey.put(`${path(userId)}/status`, { status: 'suspended', reason: 'bandicoot-reason' });
    await byKey.put(`${path(userId)}/status`, { status: 'active' });
    const joined = await join(url, await inviteUser(byKey, userId), plain);
    const member = await asPortalMember(url, joined);
    const call = { service: 'jira', instanceUrl: 'https://jira.invalid', operation: 'GET:/issue', status: 200, durationMs: 12 };
    const calls = { sourceId: 'build', firstSequence: 1, calls: [call, call] };
    const again = await asTool(url, house, 'numbat', 'wombat-laptop');
    expect((await again.post('/api/cli/api-calls', calls)).status).toBe(202);
    const outsider = await asCustomer(url, customer);
    expect(refusal(await outsider.delete(path(userId)))).toEqual([404, 'user_not_found']);
    expect(refusal(await member.delete(path(userId)))).toEqual([403, 'forbidden']);

    expect((await byKey.delete(path(userId), { headers: { 'idempotency-key': 'removal' } })).status).toBe(200);
    await ended(member);
    await ended(again, '/api/cli/session');
    expect(refusal(await login(url, 'customer', joined))).toEqual([401, 'wrong_email_or_password']);
    expect(refusal(await byKey.delete(path(userId)))).toEqual([404, 'user_not_found']);
    expect((await byKey.get('/api/users/with-connections')).body.total).toBe(0);
    expect((await byKey.get('/api/customer/profile')).body.profile.activeDeveloperSeats).toBe(0);

    const words = /quokka|numbat|wombat|bandicoot/;
    const replies = await eventually(
      async () => {
        const history = await byKey.get('/api/customer/history?limit=500');
        const asOf = await admin.get(`/api/admin/customers/${house.id}/as-of?at=2999-01-01T00:00:00Z`);
        const usage = await byKey.get('/api/customer/calls');
        const signIns = await byKey.get('/api/customer/sign-ins');
        const csv = await byKey.get('/api/customer/history', { headers: { accept: 'text/csv' } });
        return { history, asOf, usage, signIns, csv };
      },
      ({ history, usage }) =>
        history.body.history.some(({ type }: { type: string }) => type === 'MemberRemoved') && usage.body.calls.length === 2,
    );
    for (const [name, { status, body }] of Object.entries(replies)) {
      expect([name, status]).toEqual([name, 200]);
      expect(JSON.stringify(body)).not.toMatch(words);
    }
    const { history } = replies.history.body;
    expect(history.find(({ type }: { type: string }) => type === 'UserRemoved')).toMatchObject({
      summary: 'A user with the role developer was removed, with name and email address',
    });
    expect(history.find(({ type }: { type: string }) => type === 'UserRegistered')).toMatchObject({
      summary: 'A removed user was registered as developer',
      actor: { kind: 'user', name: 'Removed user' },
    });
    expect(replies.usage.body.calls[0].user).toEqual({ userId, username: null });

    const { product } = server;
    await eventually(
      () => product.db.selectFrom('vault.data_key').select('wrapped').where('owner', '=', `user:${userId}`).execute(),
      (rows) => rows.length === 1 && rows[0]?.wrapped === null,
    );
    for (const stream of [`customer-${house.id}`, `team-customer.${house.id}`] as const) {
      const events: unknown[] = [];
      for await (const { event } of product.events.read(stream)) events.push(event);
      expect(events.length).toBeGreaterThan(2);
      expect(JSON.stringify(events)).not.toMatch(words);
    }
    // The name and the address are free again, for another user.
    const successor = await asTool(url, house, 'numbat', 'other');
    expect(successor.userId).not.toBe(userId);
  });

  it('is refused for the last admin, as is a demotion; a suspension is not while the key signs in', async () => {
    const house = await newCustomer(admin, integrator.id, { name: 'One admin' });
    const byKey = await asCustomer(url, house);
    const [ann, bob] = [await newUser(house), await newUser(house)];
    const roleOf = ({ id, username, email }: Named, role: string) => byKey.put(path(id), { username, email, role });
    for (const one of [ann, bob]) expect((await roleOf(one, 'admin')).status).toBe(200);
    await join(url, await inviteUser(byKey, ann.id), plain);
    for (const reply of [
      await roleOf(ann, 'developer'),
      await byKey.put(`${path(ann.id)}/status`, { status: 'inactive' }),
      await byKey.delete(path(ann.id)),
      await partner.delete(path(ann.id)),
      await admin.delete(`/api/admin/users/${ann.id}`),
    ]) {
      expect(refusal(reply)).toEqual([409, 'last_owner']);
    }
    expect((await byKey.put(`${path(ann.id)}/status`, { status: 'suspended' })).status).toBe(200);
    expect((await byKey.put(`${path(ann.id)}/status`, { status: 'active' })).status).toBe(200);
    await join(url, await inviteUser(byKey, bob.id), plain);
    expect((await partner.delete(path(ann.id))).status).toBe(200);
    expect(refusal(await roleOf(bob, 'stakeholder'))).toEqual([409, 'last_owner']);
  });
});

describe('the sign-in policy of a customer', () => {
  it('turns the license key off while two admins have a second factor; a reset of the password allows it again', async () => {
    const strict = await newCustomer(admin, integrator.id, { name: 'Strict' });
    const byKey = await asCustomer(url, strict);
    expect(refusal(await byKey.put('/api/team/policy', { keySignIn: 'off' }))).toEqual([409, 'owners_without_second_factor']);
    const admins: Named[] = [];
    for (const _each of [1, 2]) {
      const user = await newUser(strict);
      await byKey.put(`/api/users/${user.id}`, { username: user.username, email: user.email, role: 'admin' });
      await join(url, await inviteUser(byKey, user.id));
      admins.push(user);
    }
    const tool = await asTool(url, strict, 'developer');
    expect((await byKey.put('/api/team/policy', { keySignIn: 'off' })).status).toBe(200);
    await ended(byKey);
    await eventually(
      () => tool.get('/api/cli/session'),
      ({ status }) => status === 401,
    );
    // The tool's sign-in with the key is off too, and registers nobody.
    for (const username of ['developer', 'newcomer']) {
      const reply = await clientOf(url).post('/api/cli/login', toolLoginOf(strict, username));
      expect([...refusal(reply), reply.body.error]).toEqual([403, 'key_sign_in_off', expect.stringContaining('without a key')]);
    }
    expect((await partner.get(`/api/users?customerId=${strict.id}`)).body.total).toBe(3);
    const key = { licenseKey: strict.licenseKey };
    expect(refusal(await clientOf(url).post('/api/auth/customer/login', key))).toEqual([403, 'key_sign_in_off']);
    const [first] = admins;
    if (!first) throw new Error('There is no admin');
    for (const reply of [
      await partner.put(`/api/users/${first.id}/status`, { status: 'inactive' }),
      await partner.put(`/api/users/${first.id}`, { username: first.username, email: first.email, role: 'developer' }),
    ]) {
      expect(refusal(reply)).toEqual([409, 'owners_without_second_factor']);
    }
    expect((await partner.post(`/api/service-integrator/customers/${strict.id}/reset-password`)).status).toBe(200);
    expect((await clientOf(url).post('/api/auth/customer/login', key)).status).toBe(200);
  });
});

describe('a suspension', () => {
  /** Everything that can act for the tenants of one service integrator. */
  const everyone = async () => {
    const si = await newIntegrator(admin, { companyName: 'Fabrikam' });
    const owner = await asIntegrator(url, si);
    const acme = await newCustomer(admin, si.id, { name: 'Fabrikam customer' });
    const byKey = await asCustomer(url, acme);
    const user = await newUser(acme);
    await byKey.put(`/api/users/${user.id}`, { username: user.username, email: user.email, role: 'admin' });
    const [manager, portalUser] = [
      await join(url, await invite(owner, 'manager'), plain),
      await join(url, await inviteUser(byKey, user.id), plain),
    ];
    const member = await asPortalMember(url, portalUser);
    const begun = await beginDevice(url);
    await decideDevice(member, 'approve', begun);
    const device = clientOf(url, bearer((await pollDevice(url, begun)).body.token));
    const tool = await asTool(url, acme, 'by-key');
    const clients: Record<string, { client: Client; path: string }> = {
      'integrator key': { client: owner, path: '/api/service-integrator/profile' },
      'integrator member': { client: await asIntegratorMember(url, manager), path: '/api/service-integrator/profile' },
      'integrator token': { client: await newTokenClient(url, owner, ['profile:read']), path: '/api/service-integrator/profile' },
      'customer key': { client: byKey, path: '/api/customer/profile' },
      'customer member': { client: member, path: '/api/customer/profile' },
      'customer token': { client: await newTokenClient(url, byKey, ['profile:read']), path: '/api/customer/profile' },
      'tool by key': { client: tool, path: '/api/cli/session' },
      'tool by device code': { client: device, path: '/api/cli/session' },
    };
    const signIns: Record<string, () => Promise<Reply>> = {
      'integrator key': () => clientOf(url).post('/api/auth/service-integrator/login', { masterLicenseKey: si.masterLicenseKey }),
      'integrator member': () => login(url, 'service-integrator', manager),
      'customer key': () => clientOf(url).post('/api/auth/customer/login', { licenseKey: acme.licenseKey }),
      'customer member': () => login(url, 'customer', portalUser),
      'tool by key': () => clientOf(url).post('/api/cli/login', toolLoginOf(acme, 'by-key')),
    };
    return { si, acme, clients, signIns };
  };

  it.each([
    ['customer', 'customer_suspended', ['customer key', 'customer member', 'customer token', 'tool by key', 'tool by device code']],
    ...(IS_AT_LENGTH
      ? ([['service integrator', 'integrator_suspended', ['integrator key', 'integrator member', 'integrator token']]] as const)
      : []),
  ] as const)('of a %s locks out its key, named users, tokens and tools, and nobody else', async (kind, code, locked) => {
    const { si, acme, clients, signIns } = await everyone();
    const isLocked = (who: string): boolean => (locked as readonly string[]).includes(who);
    for (const { client, path } of Object.values(clients)) expect((await client.get(path)).status).toBe(200);
    const [path, account] =
      kind === 'customer'
        ? [`/api/admin/customers/${acme.id}`, { name: acme.name, contactEmail: acme.contactEmail }]
        : [
            `/api/admin/service-integrators/${si.id}`,
            { companyName: si.companyName, contactEmail: si.contactEmail, billingEmail: si.billingEmail },
          ];
    expect((await admin.put(path, { ...account, status: 'suspended' })).status).toBe(200);
    for (const [who, { client, path: own }] of Object.entries(clients)) {
      if (!isLocked(who)) continue;
      await eventually(
        () => client.get(own),
        ({ status }) => status === 401 || status === 403,
      );
    }
    for (const [who, { client, path: own }] of Object.entries(clients)) {
      expect([who, (await client.get(own)).status === 200]).toEqual([who, !isLocked(who)]);
    }
    for (const [who, signIn] of Object.entries(signIns)) {
      const { status, body } = await signIn();
      expect([who, status, body.code]).toEqual(isLocked(who) ? [who, 403, code] : [who, 200, undefined]);
    }
    // What was ended stays ended; tokens and new sign-ins work again.
    expect((await admin.put(path, { ...account, status: 'active' })).status).toBe(200);
    for (const [who, signIn] of Object.entries(signIns)) expect([who, (await signIn()).status]).toEqual([who, 200]);
    for (const [who, { client, path: own }] of Object.entries(clients)) {
      if (who.endsWith('token'))
        await eventually(
          () => client.get(own),
          ({ status }) => status === 200,
        );
    }
  });
});
