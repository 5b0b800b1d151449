import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { UserId } from '../../src/domain/ids.ts';
import {
  asAdmin,
  asCustomer,
  asTool,
  bearer,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
  refusal,
} from '../support/apiClient.ts';
import { beginDevice, decideDevice, pollDevice, pollDeviceTooEarly } from '../support/devices.ts';
import { eventually } from '../support/eventually.ts';
import { asPortalMember, inviteUser, join } from '../support/members.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { itAtLength } from '../support/tiers.ts';

let server: TestServer;
let url: string;
let admin: Client;
let integratorId: string;
let customer: Customer;
/** A session of the license key. */
let portal: Client;

beforeAll(async () => {
  server = await openServer({ TRUST_PROXY: 'loopback' });
  ({ url } = server);
  admin = await asAdmin(url);
  integratorId = (await newIntegrator(admin)).id;
  customer = await newCustomer(admin, integratorId, { name: 'Acme', developerSeats: -1, stakeholderSeats: -1 });
  portal = await asCustomer(url, customer);
});
afterAll(() => server.close());

afterEach(async () => {
  await server.product.db.deleteFrom('auth.sign_in_permit').execute();
  await server.product.db.deleteFrom('auth.device_request').execute();
  server.product.permits.forget();
});

type Named = { client: Client; id: string; username: string; email: string };

let users = 0;
/** A developer who signs in to the portal by name, and has used the tool on one machine. */
const newMember = async (of: Customer = customer, owner: Client = portal): Promise<Named> => {
  users += 1;
  const username = `user-${users}`;
  const { userId } = await asTool(url, of, username);
  const joined = await join(url, await inviteUser(owner, userId), { secondFactor: false });
  return { client: await asPortalMember(url, joined), id: userId, username, email: `${username}@example.com` };
};

const PENDING = [400, 'authorization_pending'];
const USED = [400, 'expired_token'];
const UNKNOWN = [404, 'user_code_unknown'];
const DENIED = [403, 'access_denied'];

const AGENT = { 'user-agent': 'latchkey/1.0.0 node/22.0.0 linux' };

/** The tool of a user who approved its code. */
const signedIn = async (member: Named, of: string = url) => {
  const begun = await beginDevice(of);
  expect((await decideDevice(member.client, 'approve', begun)).status).toBe(200);
  const { status, body } = await pollDevice(of, begun);
  expect(status).toBe(200);
  return { tool: clientOf(of, bearer(body.token)), body };
};

const ended = (client: Client, status = 401) =>
  eventually(
    () => client.get('/api/cli/session'),
    (reply) => reply.status === status,
  );

describe('a device authorization', () => {
  it('signs in the user who approves its code, and records who approved the machine', async () => {
    const ada = await newMember();
    const begun = await beginDevice(url, { machineName: 'ada-laptop' }, AGENT);
    expect(begun).toMatchObject({ expiresIn: 600, interval: 1, verificationUri: `${url}/portal/device` });
    expect(begun.userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(begun.verificationUriComplete).toBe(`${begun.verificationUri}?code=${begun.userCode}`);
    expect(refusal(await pollDevice(url, begun))).toEqual(PENDING);
    const typed = { userCode: ` ${begun.userCode.toLowerCase().replace('-', ' ')}` };
    const { request } = (await decideDevice(ada.client, 'lookup', typed)).body;
    expect(request).toMatchObject({ userCode: begun.userCode, machineName: 'ada-laptop', system: 'Linux', isSameAddress: true });
    expect(Date.parse(request.expiresAt) - Date.parse(request.requestedAt)).toBeGreaterThan(590_000);
    expect((await decideDevice(ada.client, 'approve', typed)).status).toBe(200);

    const { status, body } = await pollDevice(url, begun, AGENT);
    expect([status, body.user.email, body.customer.name]).toEqual([200, ada.email, 'Acme']);
    const tool = clientOf(url, bearer(body.token));
    const { machines } = (await tool.get('/api/cli/machines')).body;
    expect(machines).toMatchObject([{ current: false }, { current: true, name: 'ada-laptop', system: 'Linux' }]);
    const { history } = (await portal.get(`/api/customer/history?user=${ada.id}&type=MachineApproved`)).body;
    expect(history).toHaveLength(1);
    expect(history[0].summary).toBe(`A machine was approved for user ${ada.username}`);
    expect(history[0].actor).toMatchObject({ kind: 'customer', method: 'password', name: expect.stringContaining(ada.username) });
  });

  it('stores neither code, nor what the machine says about itself', async () => {
    const begun = await beginDevice(url, { machineId: 'okapi-id', machineName: 'okapi-laptop', email: 'okapi@example.com' });
    const rows = JSON.stringify(await server.product.db.selectFrom('auth.device_request').selectAll().execute());
    for (const secret of [begun.deviceCode, begun.userCode, begun.userCode.replace('-', ''), 'okapi', '127.0.0.1']) {
      expect(rows).not.toContain(secret);
    }
  });

  it('is rejected by its user, also after a look', async () => {
    const ada = await newMember();
    const begun = await beginDevice(url);
    await decideDevice(ada.client, 'lookup', begun);
    expect((await decideDevice(ada.client, 'reject', begun)).status).toBe(200);
    expect(refusal(await pollDevice(url, begun))).toEqual(DENIED);
    expect(refusal(await decideDevice(ada.client, 'approve', begun))).toEqual(UNKNOWN);
  });

  it('is only approved by a named user whose role has the tool', async () => {
    const begun = await beginDevice(url);
    expect(refusal(await decideDevice(portal, 'approve', begun))).toEqual([403, 'member_required']);
    const stella = await newMember();
    const { username, email } = stella;
    await portal.put(`/api/users/${stella.id}`, { username, email, role: 'stakeholder' });
    await ended(stella.client);
    const joined = { email, secret: null, userId: stella.id, token: '', recoveryCodes: [] };
    const stakeholder = await asPortalMember(url, joined);
    expect(refusal(await decideDevice(stakeholder, 'lookup', begun))).toEqual([403, 'forbidden']);
    expect(refusal(await decideDevice(stakeholder, 'approve', begun))).toEqual([403, 'forbidden']);
    expect(refusal(await pollDevice(url, begun))).toEqual(PENDING);
  });

  it('checks the license again when the tool asks', async () => {
    const suspended = await newCustomer(admin, integratorId, { name: 'Suspended' });
    const ada = await newMember(suspended, await asCustomer(url, suspended));
    const begun = await beginDevice(url);
    await decideDevice(ada.client, 'approve', begun);
    const details = { name: 'Suspended', contactEmail: 'it@suspended.example', status: 'suspended' };
    await admin.put(`/api/admin/customers/${suspended.id}`, details);
    expect(refusal(await pollDevice(url, begun))).toEqual([403, 'customer_suspended']);
  });
});

describe('a session that a device code opened', () => {
  it('ends with the removal of its user, while those of the license key stay', async () => {
    const ada = await newMember();
    const byKey = await asTool(url, customer, ada.username);
    const { tool } = await signedIn(ada);
    expect((await portal.delete(`/api/team/members/${ada.id}`)).status).toBe(200);
    await ended(tool);
    expect((await byKey.get('/api/cli/session')).status).toBe(200);
  });

  it('ends with a role without the tool, and says so', async () => {
    const ada = await newMember();
    const { tool } = await signedIn(ada);
    await portal.put(`/api/users/${ada.id}`, { username: ada.username, email: ada.email, role: 'stakeholder' });
    expect(refusal(await ended(tool, 403))).toEqual([403, 'role_not_allowed']);
  });

  it('is listed among the sessions of its user, and revoked there', async () => {
    const ada = await newMember();
    const { tool } = await signedIn(ada);
    const { sessions } = (await ada.client.get('/api/account/sessions')).body;
    const [own] = sessions.filter(({ method }: { method: string }) => method === 'device_code');
    expect([sessions.length, own.userId, own.isCurrent]).toEqual([2, ada.id, false]);
    expect((await ada.client.delete(`/api/account/sessions/${own.sessionId}`)).status).toBe(200);
    expect((await tool.get('/api/cli/session')).status).toBe(401);
    expect((await ada.client.get('/api/account/sessions')).status).toBe(200);
    const second = await signedIn(ada);
    expect((await ada.client.post('/api/account/sessions/revoke-others')).body.revoked).toBe(1);
    await ended(second.tool);
  });

  itAtLength('survives another license key, which it did not use', async () => {
    const rotated = await newCustomer(admin, integratorId, { name: 'Rotated' });
    const ada = await newMember(rotated, await asCustomer(url, rotated));
    const byKey = await asTool(url, rotated, ada.username);
    const { tool } = await signedIn(ada);
    await admin.post(`/api/admin/customers/${rotated.id}/rotate-key`);
    await ended(byKey);
    expect((await tool.get('/api/cli/session')).status).toBe(200);
  });
});

describe('an attack on a device authorization', () => {
  it('cannot use a device code twice, also with polls at the same time on two nodes', async () => {
    const ada = await newMember();
    const other = await server.openNode();
    const [begun, left] = [await beginDevice(other.url), await beginDevice(other.url)];
    await decideDevice(ada.client, 'approve', begun);
    const polls = await Promise.all([url, other.url, url, other.url, url, other.url].map((node) => pollDevice(node, begun)));
    expect(polls.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    expect(refusal(await pollDevice(other.url, begun))).toEqual(USED);
    await other.close();
    // What the node has started, others finish.
    await decideDevice(ada.client, 'approve', left);
    expect((await pollDevice(url, left)).body).toMatchObject({ user: { id: ada.id } });
  });

  it('cannot poll faster than the interval, which grows each time', async () => {
    const begun = await beginDevice(url);
    expect(refusal(await pollDevice(url, begun))).toEqual(PENDING);
    const { db } = server.product;
    expect(refusal(await pollDeviceTooEarly({ url, db }, begun))).toEqual([400, 'slow_down']);
    expect(refusal(await pollDeviceTooEarly({ url, db }, begun))).toEqual([400, 'slow_down']);
    const { interval_s } = await db.selectFrom('auth.device_request').select('interval_s').executeTakeFirstOrThrow();
    expect(interval_s).toBe(11);
  });

  it('cannot guess user codes: ten a minute of a user, whatever the address, and of an address, for any user', async () => {
    const [ada, eve] = [await newMember(), await newMember()];
    const from = (member: Named, address: string) => clientOf(url, { ...member.client.headers, 'x-forwarded-for': address });
    const guess = { userCode: 'BDWK-HQPX' };
    for (let at = 0; at < 10; at++) {
      expect(refusal(await decideDevice(from(ada, `203.0.113.${at}`), 'lookup', guess))).toEqual(UNKNOWN);
    }
    const begun = await beginDevice(url);
    const refused = await decideDevice(from(ada, '203.0.113.99'), 'approve', begun);
    expect(refusal(refused)).toEqual([429, 'too_many_attempts']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await decideDevice(from(eve, '198.51.100.1'), 'lookup', begun)).status).toBe(200);
    for (const at of [
      'reject',
      'approve',
      'lookup',
      'reject',
      'approve',
      'lookup',
      'reject',
      'approve',
      'lookup',
      'reject',
    ] as const) {
      expect(refusal(await decideDevice(from(eve, '198.51.100.2'), at, guess))).toEqual(UNKNOWN);
    }
    const grace = await newMember();
    expect(refusal(await decideDevice(from(grace, '198.51.100.2'), 'lookup', begun))).toEqual([429, 'too_many_attempts']);
    expect(refusal(await pollDevice(url, begun))).toEqual(PENDING);
  });

  it('cannot confuse codes: other letters, digits and shapes are no code, and a device code is no user code', async () => {
    const ada = await newMember();
    const begun = await beginDevice(url);
    for (const userCode of [
      begun.deviceCode,
      'BDWK-HQP',
      'BDWK-HQPX-',
      'ADWK-HQPX',
      'ВDWK-HQPX',
      'ſDWKHQPX',
      '8DWK-HQPX',
      '%DWKHQPX',
    ]) {
      const { status, body } = await decideDevice(ada.client, 'approve', { userCode });
      expect([userCode, status, body.code]).toEqual(
        userCode === 'BDWK-HQPX-' ? [userCode, ...UNKNOWN] : [userCode, 400, 'validation_failed'],
      );
    }
    expect(refusal(await pollDevice(url, { deviceCode: begun.userCode }))).toEqual(USED);
  });

  it('cannot use the codes of an expired request', async () => {
    const ada = await newMember();
    const [begun, approved] = [await beginDevice(url), await beginDevice(url)];
    await decideDevice(ada.client, 'approve', approved);
    await server.product.db
      .updateTable('auth.device_request')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute();
    expect(refusal(await pollDevice(url, begun))).toEqual(USED);
    expect(refusal(await pollDevice(url, approved))).toEqual(USED);
    expect(refusal(await decideDevice(ada.client, 'approve', begun))).toEqual(UNKNOWN);
    await beginDevice(url);
    const { n } = await server.product.db
      .selectFrom('auth.device_request')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(n).toBe(1);
  });

  it('cannot be decided by a member of another customer, once decided or where the terminal names its user', async () => {
    const ada = await newMember();
    const rival = await newCustomer(admin, integratorId, { name: 'Rival' });
    const eve = await newMember(rival, await asCustomer(url, rival));
    const named = await beginDevice(url, { email: ada.email.toUpperCase() });
    expect(refusal(await decideDevice(eve.client, 'lookup', named))).toEqual([403, 'user_code_of_another']);
    expect(refusal(await decideDevice(eve.client, 'approve', named))).toEqual([403, 'user_code_of_another']);
    expect((await decideDevice(ada.client, 'approve', named)).status).toBe(200);
    expect(refusal(await decideDevice(eve.client, 'reject', named))).toEqual(UNKNOWN);
    expect(refusal(await decideDevice(eve.client, 'approve', named))).toEqual(UNKNOWN);
    expect((await pollDevice(url, named)).body).toMatchObject({ user: { id: ada.id }, customer: { name: 'Acme' } });
  });

  itAtLength('signs in exactly one of two users who approve at the same time', async () => {
    const both = [await newMember(), await newMember()];
    const begun = await beginDevice(url);
    const replies = await Promise.all(both.map(({ client }) => decideDevice(client, 'approve', begun)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    const winner = both[replies.findIndex(({ status }) => status === 200)];
    expect((await pollDevice(url, begun)).body.user.id).toBe(winner?.id);
    const loser = both.find((one) => one !== winner);
    expect((await portal.get(`/api/users/${loser?.id}/machines`)).body.machines).toHaveLength(1);
  });

  it('cannot approve in a foreign session: the request needs the bearer token, and the page of another origin gets nothing', async () => {
    const ada = await newMember();
    const begun = await beginDevice(url);
    const { authorization } = ada.client.headers;
    const token = String(authorization).replace('Bearer ', '');
    const forged = clientOf(url, { cookie: `latchkey_admin=${token}; latchkey_customer=${token}`, origin: 'https://evil.example' });
    expect(refusal(await decideDevice(forged, 'approve', begun))).toEqual([401, 'session_required']);
    const form = await fetch(`${url}/api/customer/device-requests/approve`, {
      method: 'POST',
      headers: { authorization: String(authorization), 'content-type': 'text/plain' },
      body: JSON.stringify({ userCode: begun.userCode }),
    });
    expect(form.status).toBe(415);
    expect((await ada.client.get('/api/customer/device-requests/approve')).status).toBe(404);
    expect(refusal(await pollDevice(url, begun))).toEqual(PENDING);
  });

  it('gets nothing by an approval in a session that was revoked before the poll', async () => {
    const ada = await newMember();
    const begun = await beginDevice(url);
    await decideDevice(ada.client, 'approve', begun);
    await server.product.sessions.end({ userId: ada.id as UserId, kind: 'customer' }, 'sessions_revoked');
    expect(refusal(await pollDevice(url, begun))).toEqual(DENIED);
    expect(refusal(await pollDevice(url, begun))).toEqual(USED);
  });

  it('cannot fill the database: twenty wait of one address, and others can still start', async () => {
    const crowded = { 'x-forwarded-for': '192.0.2.7' };
    for (let at = 0; at < 20; at++) await beginDevice(url, {}, crowded);
    const refused = await clientOf(url, crowded).post('/api/cli/device', { machineId: 'one-more' });
    expect(refusal(refused)).toEqual([429, 'too_many_attempts']);
    await beginDevice(url, {}, { 'x-forwarded-for': '192.0.2.8' });
  });
});
