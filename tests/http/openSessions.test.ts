import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import type { OpenSession } from '../../src/contracts/sessions.ts';
import type { UserId } from '../../src/domain/ids.ts';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { ADMIN_COOKIE } from '../../src/http/requests/guard.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  bearer,
  type Client,
  clientOf,
  cookieOf,
  newCustomer,
  newIntegrator,
  type Reply,
  refusal,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { ADMIN_KEY } from '../support/keys.ts';
import { asAdminMember, asIntegratorMember, invite, join, login, PASSWORD } from '../support/members.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { itAtLength } from '../support/tiers.ts';

const FIREFOX = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' };
const OWN = '/api/account/sessions';

/** How far the product's clock is ahead, in ms. */
let ahead = 0;
let server: TestServer;
let url: string;
let otherNode: string;
let key: Client;
let integrator: ServiceIntegrator;
let partner: Client;

beforeAll(async () => {
  server = await openServer({}, { now: () => Date.now() + ahead });
  ({ url } = server);
  otherNode = (await server.openNode({ ROLES: 'api' })).url;
  key = await asAdmin(url);
  integrator = await newIntegrator(key, { companyName: 'Contoso' });
  partner = await asIntegrator(url, integrator);
});
afterAll(() => server.close());
afterEach(() => {
  ahead = 0;
});

const at = (node: string, client: Client): Client => clientOf(node, client.headers);
const sessionsOf = async (client: Client, path = OWN): Promise<OpenSession[]> => (await client.get(path)).body.sessions;
const currentOf = async (client: Client): Promise<string> =>
  (await sessionsOf(client)).find(({ isCurrent }) => isCurrent)?.sessionId ?? '';
const untilSignedOut = (client: Client): Promise<Reply> =>
  eventually(
    () => client.get(OWN),
    ({ status }) => status === 401,
  );
/** What the history of the integrator says about revoked sessions, the newest first. */
const revocations = async (): Promise<string[]> => {
  const path = `/api/admin/service-integrators/${integrator.id}/history`;
  const { body } = await key.get(`${path}?type=MemberSessionsRevoked`);
  return body.history.map(({ summary }: { summary: string }) => summary);
};

describe('the list of own sessions', () => {
  it('shows where, when and how each was opened, and which is the current one', async () => {
    const joined = await join(url, await invite(key, 'auditor', 'Ben Okri'), { secondFactor: false });
    const body = { email: joined.email, password: PASSWORD };
    const phone = clientOf(url, {
      cookie: cookieOf(await clientOf(url).post('/api/auth/admin/member-login', body, { headers: FIREFOX })),
    });
    await asAdminMember(url, joined);
    const listed = await sessionsOf(phone);
    expect(listed).toHaveLength(2);
    expect(listed.find(({ isCurrent }) => isCurrent)).toEqual({
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      userId: joined.userId,
      name: 'Ben Okri',
      method: 'password',
      address: '127.0.0.1',
      browser: 'Firefox on Linux',
      startedAt: expect.any(String),
      lastSeenAt: expect.any(String),
      expiresAt: expect.any(String),
      isCurrent: true,
    });
    expect(JSON.stringify(listed)).not.toContain(phone.headers.cookie?.split('=')[1]);
  });

  it('of a key has the sessions of the key, and none of named users and other tenants', async () => {
    const other = await newIntegrator(key, { companyName: 'Litware' });
    const [mine, theirs] = [await newCustomer(key, integrator.id), await newCustomer(key, integrator.id, { name: 'Other' })];
    const [first, second] = [await asCustomer(url, mine), await asCustomer(url, mine)];
    await asCustomer(url, theirs);
    expect((await sessionsOf(first)).map(({ method, userId }) => [method, userId])).toEqual([
      ['key', null],
      ['key', null],
    ]);
    await asIntegratorMember(url, await join(url, await invite(await asIntegrator(url, other), 'owner'), { secondFactor: false }));
    expect(await sessionsOf(await asIntegrator(url, other))).toHaveLength(2);
    expect((await first.delete(`${OWN}/${await currentOf(second)}`)).status).toBe(200);
    await untilSignedOut(second);
  });
});

describe('revoking own sessions', () => {
  it('ends one, or all others, on every node, and is in the history', async () => {
    const joined = await join(url, await invite(partner, 'manager', 'Ada King'), { secondFactor: false });
    const [mine, lost, third] = [
      await asIntegratorMember(url, joined),
      await asIntegratorMember(url, joined),
      await asIntegratorMember(url, joined),
    ];
    for (const client of [mine, lost, third]) expect((await at(otherNode, client).get(OWN)).status).toBe(200);
    const path = `${OWN}/${await currentOf(lost)}`;
    expect((await mine.delete(path)).status).toBe(200);
    expect((await lost.get(OWN)).status).toBe(401);
    await untilSignedOut(at(otherNode, lost));
    expect(refusal(await mine.delete(path))).toEqual([404, 'session_not_found']);
    expect((await mine.post(`${OWN}/revoke-others`)).body).toEqual({ success: true, revoked: 1 });
    await untilSignedOut(at(otherNode, third));
    expect((await mine.post(`${OWN}/revoke-others`)).body).toEqual({ success: true, revoked: 0 });
    expect((await at(otherNode, mine).get(OWN)).status).toBe(200);
    const byKey = await asIntegrator(url, integrator);
    expect((await partner.delete(`${OWN}/${await currentOf(byKey)}`)).status).toBe(200);
    expect(await revocations()).toEqual([
      'A session of the key was revoked',
      'A session of Ada King was revoked',
      'A session of Ada King was revoked',
    ]);
  });

  it('ends all others of the tenant, for owners who authenticated recently, and no session of another tenant', async () => {
    const other = await newIntegrator(key);
    const owner = await asIntegratorMember(
      url,
      await join(url, await invite(await asIntegrator(url, other), 'owner'), { secondFactor: false }),
    );
    const auditor = await asIntegratorMember(
      url,
      await join(url, await invite(owner, 'auditor', 'Ada King'), { secondFactor: false }),
    );
    const byKey = await asIntegrator(url, other);
    const before = (await sessionsOf(owner, '/api/sessions')).length;
    expect(refusal(await auditor.post('/api/sessions/revoke-others'))).toEqual([403, 'forbidden']);
    expect((await owner.post('/api/sessions/revoke-others')).body).toEqual({ success: true, revoked: before - 1 });
    for (const ended of [auditor, byKey]) {
      expect((await ended.get(OWN)).status).toBe(401);
      await untilSignedOut(at(otherNode, ended));
    }
    expect(await sessionsOf(owner, '/api/sessions')).toMatchObject([{ isCurrent: true }]);
    expect((await partner.get(OWN)).status).toBe(200);
    expect((await owner.post('/api/sessions/revoke-others')).body).toEqual({ success: true, revoked: 0 });
  });

  it('finds no session of another user, key or tenant', async () => {
    const member = await asIntegratorMember(url, await join(url, await invite(partner, 'auditor'), { secondFactor: false }));
    const customer = await asCustomer(url, await newCustomer(key, integrator.id));
    for (const path of [
      `${OWN}/${await currentOf(partner)}`,
      `${OWN}/${await currentOf(key)}`,
      `${OWN}/${await currentOf(customer)}`,
    ]) {
      expect(refusal(await member.delete(path))).toEqual([404, 'session_not_found']);
    }
    for (const client of [partner, key, customer]) expect((await client.get(OWN)).status).toBe(200);
  });

  itAtLength('ends a session once, and none that was opened meanwhile', async () => {
    const joined = await join(url, await invite(partner, 'auditor', 'Race'), { secondFactor: false });
    const [mine, other] = [await asIntegratorMember(url, joined), await asIntegratorMember(url, joined)];
    const path = `${OWN}/${await currentOf(other)}`;
    const [replies, opened] = await Promise.all([
      Promise.all([mine, at(otherNode, mine), mine].map((client) => client.delete(path))),
      asIntegratorMember(url, joined),
    ]);
    expect(replies.map(({ status }) => status)).toContain(200);
    expect(replies.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
    await untilSignedOut(at(otherNode, other));
    for (const node of [url, otherNode]) expect((await at(node, opened).get(OWN)).status).toBe(200);
  });
});

describe('the sessions of a tenant', () => {
  it('are for those who may read them, and are ended by an owner', async () => {
    const owner = await asAdminMember(url, await join(url, await invite(key, 'owner', 'Olga'), { secondFactor: false }));
    const operator = await asAdminMember(url, await join(url, await invite(key, 'operator', 'Otto'), { secondFactor: false }));
    const auditor = await asAdminMember(url, await join(url, await invite(key, 'auditor', 'Ada'), { secondFactor: false }));
    expect((await operator.get('/api/sessions')).status).toBe(403);
    const names = (await sessionsOf(auditor, '/api/sessions')).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Olga', 'Otto', 'Ada', null]));
    const file = await auditor.get('/api/sessions', { headers: { accept: 'text/csv' } });
    expect(file.headers.get('content-disposition')).toMatch(/filename="sessions-\d{4}-\d\d-\d\d\.csv"/);
    expect(String(file.body)).toMatch(/^id,user_id,user,method,address,browser,.*\r\n[\s\S]*,Olga,/);
    const path = `/api/sessions/${await currentOf(operator)}`;
    expect((await auditor.delete(path)).status).toBe(403);
    expect(refusal(await partner.delete(path))).toEqual([404, 'session_not_found']);
    expect((await owner.delete(path)).status).toBe(200);
    await untilSignedOut(at(otherNode, operator));
    const byKey = await asAdmin(url);
    expect((await owner.delete(`/api/sessions/${await currentOf(byKey)}`)).status).toBe(200);
    await untilSignedOut(at(otherNode, byKey));
    expect((await key.get(OWN)).status).toBe(200);
  });

  it('forget address and browser with the member', async () => {
    const joined = await join(url, await invite(key, 'auditor'), { secondFactor: false });
    const body = { email: joined.email, password: PASSWORD };
    await clientOf(url).post('/api/auth/admin/member-login', body, { headers: FIREFOX });
    const stored = () =>
      server.product.db
        .selectFrom('auth.session')
        .select(['address', 'browser', 'ended_reason'])
        .where('user_id', '=', joined.userId as UserId)
        .execute();
    expect(await stored()).toEqual([{ address: '127.0.0.1', browser: 'Firefox on Linux', ended_reason: null }]);
    expect((await key.delete(`/api/team/members/${joined.userId}`)).status).toBe(200);
    const erased = await eventually(stored, ([row]) => row?.address === null && row.ended_reason !== null);
    expect(erased).toEqual([{ address: null, browser: null, ended_reason: 'member_removed' }]);
  });
});

describe('a sign-in', () => {
  it('never adopts a token that the client chose, nor one from before', async () => {
    const chosen = 'A'.repeat(43);
    const cookie = `${ADMIN_COOKIE}=${chosen}`;
    const reply = await clientOf(url, { cookie }).post('/api/auth/admin/login', { adminKey: ADMIN_KEY });
    const issued = cookieOf(reply);
    expect(issued).not.toContain(chosen);
    expect((await clientOf(url, { cookie }).get(OWN)).status).toBe(401);
    const again = await clientOf(url, { cookie: issued }).post('/api/auth/admin/login', { adminKey: ADMIN_KEY });
    expect(cookieOf(again)).not.toBe(issued);
    const { masterLicenseKey } = integrator;
    const sent = await clientOf(url, bearer(chosen)).post('/api/auth/service-integrator/login', { masterLicenseKey });
    expect(sent.body.token).not.toBe(chosen);
    expect((await clientOf(url, bearer(chosen)).get(OWN)).status).toBe(401);
  });

  it('ends the session that it replaces in the same client, once it succeeds, and none of another area or tenant', async () => {
    const tenant = await newIntegrator(key, { companyName: 'Fourth Coffee' });
    const [admin, browser, another] = [await asAdmin(url), await asIntegrator(url, tenant), await asIntegrator(url, integrator)];
    const { email } = await join(url, await invite(browser, 'owner'), { secondFactor: false });
    const path = '/api/auth/service-integrator/member-login';
    expect((await browser.post(path, { email, password: 'wrong password' })).status).toBe(401);
    expect((await browser.post('/api/auth/admin/login', { adminKey: ADMIN_KEY })).status).toBe(200);
    expect((await browser.get(OWN)).status).toBe(200);
    const signedIn = await browser.post(path, { email, password: PASSWORD });
    expect(signedIn.status).toBe(200);
    expect((await untilSignedOut(at(otherNode, browser))).status).toBe(401);
    expect((await clientOf(url, bearer(signedIn.body.token)).get(OWN)).status).toBe(200);
    // Two windows of a browser may show two tenants.
    expect((await another.post(path, { email, password: PASSWORD })).status).toBe(200);
    expect((await another.get(OWN)).status).toBe(200);

    const again = await admin.post('/api/auth/admin/login', { adminKey: ADMIN_KEY });
    expect((await admin.get(OWN)).status).toBe(401);
    expect((await clientOf(url, { cookie: cookieOf(again) }).get(OWN)).status).toBe(200);
  });

  it('does not open a session in place of one that was ended', async () => {
    const ended = await asAdmin(url);
    await ended.post('/api/auth/admin/logout');
    const reply = await ended.post('/api/auth/admin/login', { adminKey: ADMIN_KEY });
    expect(cookieOf(reply)).not.toBe(ended.headers.cookie);
    expect((await ended.get(OWN)).status).toBe(401);
  });
});

describe('a call that asks for a recent authentication', () => {
  const later = (ms: number): void => {
    ahead += ms;
  };
  const AGAIN = '/api/auth/reauthenticate';

  it('is accepted for ten minutes after the sign-in, and then after the key', async () => {
    const admin = await asAdmin(url);
    const { id } = await newCustomer(admin, integrator.id);
    const rotate = (node = url) => at(node, admin).post(`/api/admin/customers/${id}/rotate-key`);
    later(9 * MINUTE_MS);
    expect((await rotate()).status).toBe(200);
    later(2 * MINUTE_MS);
    expect(refusal(await rotate())).toEqual([403, 'reauthentication_required']);
    expect((await admin.get(`/api/admin/customers/${id}`)).status).toBe(200);
    expect((await admin.get(AGAIN)).body).toMatchObject({ methods: ['key'], codeRequired: false, recentUntil: null });
    expect(refusal(await admin.post(AGAIN, { method: 'key', key: 'wrong' }))).toEqual([401, 'wrong_admin_key']);
    expect(refusal(await rotate())).toEqual([403, 'reauthentication_required']);
    const renewed = await admin.post(AGAIN, { method: 'key', key: ADMIN_KEY });
    expect([renewed.status, Date.parse(renewed.body.recentUntil) > Date.now() + ahead]).toEqual([200, true]);
    for (const node of [url, otherNode]) expect((await rotate(node)).status).toBe(200);
  });

  it('is accepted after the password with the code, each code once, and no proof of another user', async () => {
    const tenant = await newIntegrator(key, { companyName: 'Adatum' });
    const owner = await asIntegrator(url, tenant);
    const joined = await join(url, await invite(owner, 'owner'));
    const other = await join(url, await invite(owner, 'owner'), { secondFactor: false });
    const member = await asIntegratorMember(url, joined);
    later(11 * MINUTE_MS);
    const change = () => member.put('/api/team/policy', { secondFactorRequired: false });
    expect(refusal(await change())).toEqual([403, 'reauthentication_required']);
    expect((await member.get(AGAIN)).body).toMatchObject({ methods: ['password'], codeRequired: true });
    const prove = (more: object) => member.post(AGAIN, { method: 'password', password: PASSWORD, ...more });
    expect(refusal(await prove({}))).toEqual([401, 'code_required']);
    expect(refusal(await prove({ code: '000000' }))).toEqual([401, 'wrong_code']);
    expect(refusal(await prove({ password: 'wrong' }))).toEqual([400, 'wrong_own_password']);
    const key2 = { method: 'key', key: tenant.masterLicenseKey };
    expect(refusal(await member.post(AGAIN, key2))).toEqual([409, 'proof_unavailable']);
    expect((await asIntegratorMember(url, other)).headers).not.toEqual(member.headers);
    expect(refusal(await change())).toEqual([403, 'reauthentication_required']);
    const code = joined.recoveryCodes[0];
    expect((await prove({ code })).status).toBe(200);
    expect(refusal(await prove({ code }))).toEqual([401, 'wrong_code']);
    expect((await change()).status).toBe(200);
  });

  it('is accepted after the portal password where the customer has one, else after the license key', async () => {
    const customer = await newCustomer(key, integrator.id, { contactEmail: 'one@acme.example' });
    const portal = await asCustomer(url, customer);
    later(11 * MINUTE_MS);
    const profile = { name: 'Acme', contactEmail: 'one@acme.example', company: 'Acme Inc.' };
    expect((await portal.put('/api/customer/profile', profile)).status).toBe(200);
    const moved = { ...profile, contactEmail: 'two@acme.example' };
    expect(refusal(await portal.put('/api/customer/profile', moved))).toEqual([403, 'reauthentication_required']);
    expect(refusal(await portal.post('/api/customer/request-deletion'))).toEqual([403, 'reauthentication_required']);
    expect(refusal(await portal.post(AGAIN, { method: 'key', key: integrator.masterLicenseKey }))).toEqual([
      401,
      'unknown_license_key',
    ]);
    expect((await portal.post(AGAIN, { method: 'key', key: customer.licenseKey })).status).toBe(200);
    expect((await portal.put('/api/customer/profile', moved)).status).toBe(200);
    const newPassword = 'violet lantern quarry';
    await portal.post('/api/customer/change-password', { currentPassword: customer.licenseKey, newPassword });
    later(11 * MINUTE_MS);
    const key2 = await portal.post(AGAIN, { method: 'key', key: customer.licenseKey });
    expect(refusal(key2)).toEqual([409, 'proof_unavailable']);
    const wrong = await portal.post(AGAIN, { method: 'portal_password', password: customer.licenseKey });
    expect(refusal(wrong)).toEqual([400, 'wrong_own_password']);
    expect((await portal.post(AGAIN, { method: 'portal_password', password: newPassword })).status).toBe(200);
    expect((await portal.post('/api/customer/request-deletion')).status).toBe(200);
  });

  it('renews no session that has ended', async () => {
    const admin = await asAdmin(url);
    const { token, session } = await server.product.sessions.open({ kind: 'admin' });
    const stolen = clientOf(url, { cookie: `${ADMIN_COOKIE}=${token}` });
    expect((await stolen.get(OWN)).status).toBe(200);
    expect((await admin.delete(`${OWN}/${session.id}`)).status).toBe(200);
    expect((await stolen.post(AGAIN, { method: 'key', key: ADMIN_KEY })).status).toBe(401);
    expect(await server.product.sessions.renew(session.hash)).toBeNull();
  });

  it('limits the guesses of a password in a session that was left open', async () => {
    const joined = await join(url, await invite(partner, 'auditor'), { secondFactor: false });
    const member = await asIntegratorMember(url, joined);
    const guess = () => member.post(AGAIN, { method: 'password', password: 'wrong' });
    const replies = [];
    for (let count = 0; count < 9; count++) replies.push((await guess()).status);
    expect(replies).toEqual([...Array.from({ length: 8 }, () => 400), 429]);
    expect((await login(url, 'service-integrator', { email: joined.email })).status).toBe(200);
  });
});
