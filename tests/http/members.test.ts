import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../src/contracts/history.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import type { SignInEntry } from '../../src/contracts/signIns.ts';
import type { UserId } from '../../src/domain/ids.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
  refusal,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { asAdminMember, asIntegratorMember, codeOf, invite, join, login, newAdminMember, PASSWORD } from '../support/members.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { itAtLength } from '../support/tiers.ts';

let server: TestServer;
let url: string;
let key: Client;
let integrator: ServiceIntegrator;
let partner: Client;

beforeAll(async () => {
  server = await openServer();
  ({ url } = server);
  key = await asAdmin(url);
  integrator = await newIntegrator(key, { companyName: 'Contoso Partners' });
  partner = await asIntegrator(url, integrator);
});
afterAll(() => server.close());

/** Wrong guesses of one test do not use up the permits of the next. */
afterEach(async () => {
  await server.product.db.deleteFrom('auth.sign_in_failures').execute();
  await server.product.db.deleteFrom('auth.sign_in_permit').execute();
  server.product.permits.forget();
});

describe('an invitation', () => {
  it('shows who is invited as what, and is accepted once', async () => {
    const invited = await invite(partner, 'manager');
    const opened = await clientOf(url).post('/api/auth/invitation', { token: invited.token });
    expect(opened.body).toMatchObject({
      name: 'Ana Ruiz',
      email: invited.email,
      role: 'manager',
      tenant: { kind: 'integrator', name: 'Contoso Partners' },
      secondFactorRequired: false,
    });
    expect(opened.body.secondFactor.uri).toContain(`secret=${opened.body.secondFactor.secret}`);
    const joined = await join(url, invited);
    expect(joined.recoveryCodes).toHaveLength(10);
    const again = await clientOf(url).post('/api/auth/join', { token: invited.token, password: PASSWORD });
    expect(refusal(again)).toEqual([404, 'invitation_not_found']);
  });

  it('is accepted by one of many concurrent requests', async () => {
    const { token } = await invite(partner, 'auditor');
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => clientOf(url).post('/api/auth/join', { token, password: PASSWORD })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  it('is replaced by a new link, and can be withdrawn', async () => {
    const invited = await invite(partner, 'auditor');
    const again = await partner.post(`/api/team/members/${invited.userId}/invitation`);
    const token = again.body.path.replace('/join#', '');
    expect(refusal(await clientOf(url).post('/api/auth/invitation', { token: invited.token }))).toEqual([
      404,
      'invitation_not_found',
    ]);
    expect((await clientOf(url).post('/api/auth/invitation', { token })).status).toBe(200);
    expect((await partner.delete(`/api/team/members/${invited.userId}/invitation`)).status).toBe(200);
    expect(refusal(await clientOf(url).post('/api/auth/invitation', { token }))).toEqual([404, 'invitation_not_found']);
  });

  it('returns the same link when its request is repeated', async () => {
    const body = { name: 'Eve Stone', email: 'eve@team.example', role: 'auditor' };
    const headers = { 'idempotency-key': 'invite-eve' };
    const first = await partner.post('/api/team/members', body, { headers });
    await server.product.db.deleteFrom('http.idempotency').where('key', '=', 'invite-eve').execute();
    const second = await partner.post('/api/team/members', body, { headers });
    expect(second.body.path).toBe(first.body.path);
  });

  it('is not opened by the token of another one', async () => {
    const [one, two] = [await invite(partner, 'auditor'), await invite(partner, 'auditor')];
    const mixed = `${one.token.split('.')[0]}.${two.token.split('.')[1]}`;
    expect(refusal(await clientOf(url).post('/api/auth/join', { token: mixed, password: PASSWORD }))).toEqual([
      404,
      'invitation_not_found',
    ]);
  });

  it('asks for a password that is hard to guess, and for a code of the secret', async () => {
    const { token } = await invite(partner, 'auditor');
    const weak = await clientOf(url).post('/api/auth/join', { token, password: 'password1' });
    expect(refusal(weak)).toEqual([400, 'password_too_weak']);
    const { secret } = (await clientOf(url).post('/api/auth/invitation', { token })).body.secondFactor;
    const wrong = { secret, code: codeOf(secret, 100) };
    const unproven = await clientOf(url).post('/api/auth/join', { token, password: PASSWORD, secondFactor: wrong });
    expect(refusal(unproven)).toEqual([400, 'code_not_confirmed']);
  });
});

describe('a named user', () => {
  it('signs in with email address, password and code, and each code once', async () => {
    const joined = await join(url, await invite(key, 'owner'));
    const { email, secret } = joined;
    if (secret === null) throw new Error('There is no second factor');
    expect(refusal(await login(url, 'admin', { email }))).toEqual([401, 'code_required']);
    expect(refusal(await login(url, 'admin', { email, password: 'another password' }))).toEqual([401, 'wrong_email_or_password']);
    expect(refusal(await login(url, 'admin', { email: 'nobody@team.example' }))).toEqual([401, 'wrong_email_or_password']);
    expect(refusal(await login(url, 'service-integrator', { email }))).toEqual([401, 'wrong_email_or_password']);
    const code = codeOf(secret);
    const replies = await Promise.all(Array.from({ length: 3 }, () => login(url, 'admin', { email, code })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect(replies.find(({ status }) => status === 200)?.body.session).toMatchObject({ email, role: 'owner' });
  });

  it('signs in with a recovery code once', async () => {
    const { email, recoveryCodes } = await join(url, await invite(key, 'auditor'));
    const [code = ''] = recoveryCodes;
    const typed = code.toLowerCase().replaceAll('-', ' ');
    const replies = await Promise.all(Array.from({ length: 3 }, () => login(url, 'admin', { email, code: typed })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it('may do what the role says', async () => {
    const auditor = await newAdminMember(url, key, 'auditor');
    expect((await auditor.get('/api/admin/customers')).status).toBe(200);
    expect((await auditor.get('/api/team')).status).toBe(200);
    expect(refusal(await auditor.post('/api/team/members', { name: 'X', email: 'x@x.example', role: 'owner' }))).toEqual([
      403,
      'forbidden',
    ]);
    const manager = await asIntegratorMember(url, await join(url, await invite(partner, 'manager'), { secondFactor: false }));
    const profile = await manager.get('/api/auth/service-integrator/session');
    expect(profile.body).toMatchObject({ role: 'manager', serviceIntegrator: { companyName: 'Contoso Partners' } });
    expect((await manager.put('/api/team/policy', { keySignIn: 'off' })).status).toBe(403);
  });

  it('is named in the history', async () => {
    const owner = await asIntegratorMember(
      url,
      await join(url, await invite(partner, 'owner', 'Olga Berg'), { secondFactor: false }),
    );
    await owner.put('/api/service-integrator/profile', {
      companyName: 'Contoso Partners',
      contactEmail: 'new@contoso.example',
      billingEmail: 'bills@contoso.example',
    });
    const { body } = await key.get(`/api/admin/service-integrators/${integrator.id}/history`);
    expect(body.history[0]).toMatchObject({
      type: 'IntegratorProfileChanged',
      actor: { kind: 'integrator', name: 'Olga Berg (owner)', method: 'password', address: '127.0.0.1' },
    });
    const [{ sessionId }] = (await owner.get('/api/account/sessions')).body.sessions;
    expect(body.history[0].actor.sessionId).toBe(sessionId);
    const olga = body.actors.find(({ name }: { name: string }) => name === 'Olga Berg (owner)');
    const own = await owner.get(`/api/service-integrator/history?user=${olga?.id}`);
    expect(own.body.history[0]).toEqual(body.history[0]);
    expect(own.body.history.every(({ actor }: HistoryEntry) => actor.name === 'Olga Berg (owner)')).toBe(true);
    const csv = String((await owner.get('/api/service-integrator/history', { headers: { accept: 'text/csv' } })).body);
    expect(csv).toContain(`,password,127.0.0.1,${sessionId}\r\n`);
    expect(csv).toContain('Olga Berg (owner),');
  });

  itAtLength('is named in the list of sign-ins, which each tenant has of its own account, also as a file', async () => {
    const joined = await join(url, await invite(partner, 'auditor', 'Sina Falk'), { secondFactor: false });
    const sina = await asIntegratorMember(url, joined);
    const path = '/api/service-integrator/sign-ins';
    const { body } = await eventually(
      () => sina.get(path),
      ({ body: { signIns } }) => signIns.some((entry: SignInEntry) => entry.account?.username === 'Sina Falk'),
    );
    const [named] = body.signIns.filter(({ account }: SignInEntry) => account?.username === 'Sina Falk');
    expect(named).toMatchObject({ outcome: 'accepted', method: 'password', address: '127.0.0.1' });
    expect(body.retentionDays).toBe(90);
    const accounts = new Set(body.signIns.map(({ account }: SignInEntry) => account?.id));
    expect(accounts).toEqual(new Set([integrator.id]));
    const csv = await sina.get(`${path}?outcome=accepted`, { headers: { accept: 'text/csv' } });
    expect(String(csv.body)).toMatch(/,integrator,accepted,,127\.0\.0\.1,integrator,Contoso Partners,Sina Falk,.*,password\r\n/);
    await clientOf(url).post('/api/auth/service-integrator/member-login', { email: joined.email, password: 'not the password' });
    const own = await eventually(
      () => sina.get(`${path}?user=${joined.userId}`),
      ({ body }) => body.signIns.length === 2, // the total is counted apart from the list
    );
    expect(own.body.signIns[0]).toMatchObject({
      outcome: 'rejected',
      reason: 'wrong_email_or_password',
      method: 'password',
      account: { username: 'Sina Falk' },
    });
    const { points } = (await sina.get(`${path}/chart?user=${joined.userId}`)).body;
    const sums = points.reduce(
      (sum: number[], { accepted, rejected }: Record<string, number>) => [
        Number(sum[0]) + Number(accepted),
        Number(sum[1]) + Number(rejected),
      ],
      [0, 0],
    );
    expect(sums).toEqual([1, 1]);
    const outsider = await asIntegrator(url, await newIntegrator(key, { companyName: 'Fabrikam' }));
    expect(JSON.stringify((await outsider.get(path)).body)).not.toContain('Sina Falk');
    const customer = await newCustomer(key, integrator.id, { name: 'Signing in' });
    const portal = await asCustomer(url, customer);
    const portalSignIns = await eventually(
      () => portal.get('/api/customer/sign-ins'),
      (reply) => reply.body.signIns.length > 0, // the total is counted apart from the list
    );
    expect(portalSignIns.body.signIns).toMatchObject([
      { audience: 'customer', method: 'key', account: { kind: 'customer', name: 'Signing in' } },
    ]);
    expect((await sina.get(path)).body.signIns.some(({ audience }: SignInEntry) => audience === 'customer')).toBe(false);
  });

  it('is erased from the history with name and address, in what was done before the removal and with it', async () => {
    const leaver = await join(url, await invite(partner, 'manager', 'Leo Aardvark'), { secondFactor: false });
    const leo = await asIntegratorMember(url, leaver);
    const customer = await newCustomer(key, integrator.id, { name: 'Before' });
    const path = `/api/service-integrator/customers/${customer.id}`;
    expect((await leo.put(path, { name: 'By Leo', contactEmail: customer.contactEmail })).status).toBe(200);
    const history = async () => (await partner.get(`${path}/history`)).body;
    expect((await history()).history[0].actor).toMatchObject({ name: 'Leo Aardvark (manager)', address: '127.0.0.1' });
    expect((await history()).actors).toEqual([{ id: leaver.userId, name: 'Leo Aardvark (manager)' }]);
    const asOfNow = () => partner.get(`${path}/as-of?at=${new Date().toISOString()}`);
    expect((await asOfNow()).body.lastChange).toMatchObject({
      type: 'CustomerDetailsChanged',
      actor: { name: 'Leo Aardvark (manager)', method: 'password', address: '127.0.0.1' },
    });
    expect((await partner.delete(`/api/team/members/${leaver.userId}`)).status).toBe(200);
    const erased = await eventually(history, ({ history: [entry] }) => entry.actor.address === null);
    expect(erased.actors).toEqual([]);
    const asOf = await asOfNow();
    expect(asOf.body.lastChange.actor).toMatchObject({ method: 'password', address: null });
    const team = await key.get(`/api/admin/service-integrators/${integrator.id}/history`);
    const file = await partner.get(`${path}/history`, { headers: { accept: 'application/x-ndjson' } });
    expect(team.body.history[0].type).toBe('MemberRemoved');
    for (const { status, body } of [asOf, team, file]) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toMatch(/Aardvark/);
    }
    expect(String(file.body)).not.toContain('127.0.0.1');
  });

  it('is unknown to other tenants', async () => {
    const other = await asIntegrator(url, await newIntegrator(key, { companyName: 'Other' }));
    const { userId } = await invite(partner, 'auditor');
    expect((await other.get('/api/team')).body.members).toEqual([]);
    for (const reply of [
      await other.delete(`/api/team/members/${userId}`),
      await other.put(`/api/team/members/${userId}`, { role: 'owner' }),
      await other.post(`/api/team/members/${userId}/invitation`),
      await other.delete(`/api/team/members/${userId}/invitation`),
      await other.post(`/api/team/members/${userId}/revoke-sessions`),
    ]) {
      expect(refusal(reply)).toEqual([404, 'member_not_found']);
    }
  });

  it('keeps the session when the key is rotated, which ends those of the key', async () => {
    const tenant = await newIntegrator(key, { companyName: 'Litware' });
    const byKey = await asIntegrator(url, tenant);
    const member = await asIntegratorMember(url, await join(url, await invite(byKey, 'owner')));
    expect((await member.post('/api/service-integrator/rotate-key')).status).toBe(200);
    await eventually(
      () => byKey.get('/api/team'),
      ({ status }) => status === 401,
    );
    expect((await member.get('/api/team')).status).toBe(200);
  });

  it('has the browser and address of the sign-in in the session', async () => {
    const joined = await join(url, await invite(key, 'auditor'), { secondFactor: false });
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' };
    const body = { email: joined.email, password: PASSWORD };
    expect((await clientOf(url).post('/api/auth/admin/member-login', body, { headers })).status).toBe(200);
    const sessions = await server.product.db
      .selectFrom('auth.session')
      .select(['method', 'address', 'browser'])
      .where('user_id', '=', joined.userId as UserId)
      .execute();
    expect(sessions).toEqual([{ method: 'password', address: '127.0.0.1', browser: 'Firefox on Linux' }]);
  });

  it('loses the sessions with the role, by an owner, and with the removal', async () => {
    const ended = (client: Client) =>
      eventually(
        () => client.get('/api/team'),
        ({ status }) => status === 401,
      );
    const joined = await join(url, await invite(key, 'operator'), { secondFactor: false });
    const [first, path] = [await asAdminMember(url, joined), `/api/team/members/${joined.userId}`];
    expect((await key.put(path, { role: 'auditor' })).body.member).toMatchObject({ role: 'auditor' });
    await ended(first);
    const second = await asAdminMember(url, joined);
    await key.post(`${path}/revoke-sessions`);
    await ended(second);
    const third = await asAdminMember(url, joined);
    expect((await key.delete(path)).status).toBe(200);
    await ended(third);
    expect(refusal(await login(url, 'admin', joined))).toEqual([401, 'wrong_email_or_password']);
  });
});

describe('a removed named user', () => {
  it('leaves neither name nor address in the history and in the read models, and no key of the events', async () => {
    const account = await newIntegrator(key, { companyName: 'Forgetful Partners' });
    const owner = await asIntegrator(url, account);
    const joined = await join(url, await invite(owner, 'auditor', 'Zelda Quist'), { secondFactor: false });
    await owner.put(`/api/team/members/${joined.userId}`, { name: 'Zelda Quist-Berg' });
    await owner.delete(`/api/team/members/${joined.userId}`);
    const history = await key.get(`/api/admin/service-integrators/${account.id}/history`);
    expect(history.body.history[0]).toMatchObject({
      type: 'MemberRemoved',
      summary: 'A named user was removed, with name and email address',
    });
    expect(history.body.history.map(({ type }: { type: string }) => type)).toContain('MemberInvited');
    expect(JSON.stringify(history.body)).not.toMatch(/Zelda|member-\d+@team/);
    await eventually(
      () => server.product.db.selectFrom('vault.data_key').select('wrapped').where('owner', '=', `user:${joined.userId}`).execute(),
      (rows) => rows.length === 1 && rows[0]?.wrapped === null,
    );
    const rows = await server.product.db.selectFrom('read.member').selectAll().where('name', 'like', 'Zelda%').execute();
    expect(rows).toEqual([]);
  });
});

describe('the own account', () => {
  it('changes the password, which ends the other sessions', async () => {
    const joined = await join(url, await invite(key, 'operator'), { secondFactor: false });
    const [mine, other] = [await asAdminMember(url, joined), await asAdminMember(url, joined)];
    const newPassword = 'a quite different passphrase';
    const wrong = await mine.put('/api/account/password', { currentPassword: 'wrong', newPassword });
    expect(refusal(wrong)).toEqual([400, 'wrong_own_password']);
    expect((await mine.put('/api/account/password', { currentPassword: PASSWORD, newPassword })).status).toBe(200);
    expect((await mine.get('/api/account')).body.member).toMatchObject({ email: joined.email });
    expect((await other.get('/api/account')).status).toBe(401);
    expect(refusal(await login(url, 'admin', joined))).toEqual([401, 'wrong_email_or_password']);
    expect((await login(url, 'admin', { email: joined.email, password: newPassword })).status).toBe(200);
  });

  it('turns one-time passwords on and off', async () => {
    const joined = await join(url, await invite(key, 'operator'), { secondFactor: false });
    const mine = await asAdminMember(url, joined);
    const { secret } = (await mine.post('/api/account/second-factor')).body;
    const on = await mine.put('/api/account/second-factor', { currentPassword: PASSWORD, secret, code: codeOf(secret) });
    expect(on.body.recoveryCodes).toHaveLength(10);
    expect(refusal(await login(url, 'admin', joined))).toEqual([401, 'code_required']);
    const codes = await mine.post('/api/account/recovery-codes', { currentPassword: PASSWORD });
    const [former, current] = [on.body.recoveryCodes[0], codes.body.recoveryCodes[0]];
    expect(refusal(await login(url, 'admin', { ...joined, code: former }))).toEqual([401, 'wrong_code']);
    expect((await login(url, 'admin', { email: joined.email, code: current })).status).toBe(200);
    expect((await mine.get('/api/account')).body.recoveryCodesLeft).toBe(9);
    expect((await mine.post('/api/account/second-factor/disable', { currentPassword: PASSWORD })).status).toBe(200);
    expect((await login(url, 'admin', { email: joined.email })).status).toBe(200);
  });

  it('is none of a session that a key opened', async () => {
    expect((await key.get('/api/account')).body).toMatchObject({ member: null });
    expect(refusal(await key.post('/api/account/second-factor'))).toEqual([403, 'member_required']);
  });
});

describe('the sign-in policy', () => {
  it('turns the key off while two owners have a second factor, and ends the sessions of the key', async () => {
    const account = await newIntegrator(key, { companyName: 'Strict Partners' });
    const byKey = await asIntegrator(url, account);
    expect(refusal(await byKey.put('/api/team/policy', { keySignIn: 'off' }))).toEqual([409, 'owners_without_second_factor']);
    const [one, two] = [await join(url, await invite(byKey, 'owner')), await join(url, await invite(byKey, 'owner'))];
    const owner = await asIntegratorMember(url, one);
    expect((await owner.put('/api/team/policy', { keySignIn: 'off', secondFactorRequired: true })).body.policy).toEqual({
      keySignIn: 'off',
      secondFactorRequired: true,
    });
    await eventually(
      () => byKey.get('/api/team'),
      ({ status }) => status === 401,
    );
    expect((await owner.get('/api/team')).status).toBe(200);
    const refused = await clientOf(url).post('/api/auth/service-integrator/login', { masterLicenseKey: account.masterLicenseKey });
    expect(refusal(refused)).toEqual([403, 'key_sign_in_off']);
    expect(refusal(await owner.delete(`/api/team/members/${two.userId}`))).toEqual([409, 'owners_without_second_factor']);
    const third = await invite(owner, 'auditor');
    const bare = await clientOf(url).post('/api/auth/join', { token: third.token, password: PASSWORD });
    expect(refusal(bare)).toEqual([409, 'second_factor_required']);
  });
});
