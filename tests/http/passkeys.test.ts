import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { createPasskeyChallenges } from '../../src/security/passkeyChallenges.ts';
import { asAdmin, asIntegrator, type Client, clientOf, newIntegrator, refusal } from '../support/apiClient.ts';
import { type Authenticator, type Deviation, newAuthenticator } from '../support/authenticator.ts';
import { eventually } from '../support/eventually.ts';
import { codeOf, invite, join, login, PASSWORD } from '../support/members.ts';
import { addPasskey, asPasskeyOwner, confirmed, joinByPasskey, named, passkeyLogin } from '../support/passkeys.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { itAtLength } from '../support/tiers.ts';

let server: TestServer;
let url: string;
let key: Client;
let integrator: ServiceIntegrator;
let partner: Client;

beforeAll(async () => {
  server = await openServer({ TRUST_PROXY: 'loopback' });
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

const anonymous = () => clientOf(named(url));
const signInOptions = async () => (await anonymous().post('/api/auth/passkey/options')).body.options;
const passkeysOf = async (member: Client) => (await member.get('/api/account')).body.passkeys;
const WRONG = [401, 'wrong_passkey'];

describe('a passkey', () => {
  it('alone is enough to join and to sign in, without an email address', async () => {
    const authenticator = await joinByPasskey(url, await invite(partner, 'manager'));
    const member = await asPasskeyOwner(url, 'service-integrator', authenticator);
    const account = (await member.get('/api/account')).body;
    expect(account.member).toMatchObject({ role: 'manager', hasPassword: false, hasSecondFactor: false, passkeys: 1 });
    expect(account.passkeys).toMatchObject([{ name: 'Laptop', host: 'localhost', isBackedUp: false }]);
    expect(account.passkeys[0].lastUsedAt).not.toBeNull();
    expect((await passkeyLogin(url, 'admin', authenticator)).body.code).toBe('wrong_passkey');
  });

  it('is a second factor where the policy requires one, which the password is not', async () => {
    const own = await newIntegrator(key, { companyName: 'Strict' });
    const owner = await asIntegrator(url, own);
    const invited = await invite(owner, 'owner');
    const joined = await join(url, invited, { secondFactor: false });
    const member = clientOf(named(url), {
      authorization: `Bearer ${(await login(url, 'service-integrator', joined)).body.token}`,
    });
    const authenticator = newAuthenticator();
    expect((await addPasskey(member, url, { currentPassword: PASSWORD }, { authenticator })).status).toBe(201);
    expect((await owner.put('/api/team/policy', { secondFactorRequired: true })).status).toBe(200);
    expect(refusal(await login(url, 'service-integrator', joined))).toEqual([403, 'passkey_required']);
    expect((await passkeyLogin(url, 'service-integrator', authenticator)).status).toBe(200);
    const [{ passkeyId }] = await passkeysOf(member);
    const removal = await member.post(`/api/account/passkeys/${passkeyId}/remove`, { currentPassword: PASSWORD });
    expect(refusal(removal)).toEqual([409, 'second_factor_required']);
  });

  it('is added, named and removed by its owner; the last way to sign in stays', async () => {
    const first = await joinByPasskey(url, await invite(key, 'auditor'));
    const [member, elsewhere] = [await asPasskeyOwner(url, 'admin', first), await asPasskeyOwner(url, 'admin', first)];
    const second = newAuthenticator();
    const added = await addPasskey(member, url, await confirmed(member, url, first), { authenticator: second, name: 'Phone' });
    expect(added.body.passkey).toMatchObject({ name: 'Phone', lastUsedAt: null });
    const again = await addPasskey(member, url, await confirmed(member, url, first), { authenticator: second });
    expect(refusal(again)).toEqual([409, 'passkey_exists']);
    const removed = async (index: number) => {
      const { passkeyId } = (await passkeysOf(member))[index];
      return member.post(`/api/account/passkeys/${passkeyId}/remove`, await confirmed(member, url, first));
    };
    const [{ passkeyId }] = await passkeysOf(member);
    expect((await removed(0)).status).toBe(200);
    expect((await elsewhere.get('/api/account')).status).toBe(401);
    expect(refusal(await passkeyLogin(url, 'admin', first))).toEqual(WRONG);
    const confirm = await confirmed(member, url, second);
    expect(refusal(await member.post(`/api/account/passkeys/${passkeyId}/remove`, confirm))).toEqual([404, 'passkey_not_found']);
    const [{ passkeyId: last }] = await passkeysOf(member);
    const lastRemoval = await member.post(`/api/account/passkeys/${last}/remove`, await confirmed(member, url, second));
    expect(refusal(lastRemoval)).toEqual([409, 'last_sign_in_method']);
    const set = { ...(await confirmed(member, url, second)), newPassword: PASSWORD };
    expect((await member.put('/api/account/password', set)).status).toBe(200);
    expect((await member.post(`/api/account/passkeys/${last}/remove`, { currentPassword: PASSWORD })).status).toBe(200);
  });

  it('proves again who its owner is, each assertion once and on its own host only', async () => {
    const AGAIN = '/api/auth/reauthenticate';
    const invited = await invite(partner, 'owner');
    const authenticator = await joinByPasskey(url, invited);
    const member = await asPasskeyOwner(url, 'service-integrator', authenticator);
    const { db } = server.product;
    const long = db.updateTable('auth.session').set({ authenticated_at: new Date(Date.now() - 11 * 60_000) });
    await long.where('user_id', '=', invited.userId as never).execute();
    const change = () => member.put('/api/team/policy', { secondFactorRequired: false });
    expect(refusal(await change())).toEqual([403, 'reauthentication_required']);
    expect((await member.get(AGAIN)).body).toMatchObject({ methods: ['passkey'], codeRequired: false, recentUntil: null });
    const { headers } = member;
    expect((await clientOf(url, headers).get(AGAIN)).body.methods).toEqual([]);
    const proof = { method: 'passkey', ...(await confirmed(member, url, authenticator)) };
    const foreign = await joinByPasskey(url, await invite(partner, 'auditor'));
    const theirs = { method: 'passkey', ...(await confirmed(member, url, foreign)) };
    expect(refusal(await member.post(AGAIN, theirs))).toEqual([400, 'wrong_own_passkey']);
    expect(refusal(await change())).toEqual([403, 'reauthentication_required']);
    expect((await member.post(AGAIN, proof)).status).toBe(200);
    expect((await change()).status).toBe(200);
    expect(refusal(await member.post(AGAIN, proof))).toEqual([400, 'wrong_own_passkey']);
  });

  it('is in the history by its name, until its owner is removed', async () => {
    const invited = await invite(partner, 'auditor', 'Eve Stone');
    const authenticator = await joinByPasskey(url, invited);
    const summaries = async (): Promise<string> =>
      JSON.stringify((await key.get(`/api/admin/service-integrators/${integrator.id}/history`)).body);
    expect(await summaries()).toContain('Eve Stone added the passkey Laptop');
    expect((await partner.delete(`/api/team/members/${invited.userId}`)).status).toBe(200);
    expect(refusal(await passkeyLogin(url, 'service-integrator', authenticator))).toEqual(WRONG);
    const uses = () =>
      server.product.db
        .selectFrom('auth.passkey_use')
        .selectAll()
        .where('user_id', '=', invited.userId as never)
        .execute();
    await eventually(uses, (rows) => rows.length === 0);
    expect(await summaries()).not.toContain('Eve Stone added the passkey Laptop');
  });

  it('needs a host name and a confirmation', async () => {
    const { token } = await invite(partner, 'auditor');
    expect(refusal(await clientOf(url).post('/api/auth/passkey/options'))).toEqual([409, 'passkeys_unavailable']);
    expect(refusal(await clientOf(url).post('/api/auth/join/passkey-options', { token }))).toEqual([409, 'passkeys_unavailable']);
    const authenticator = await joinByPasskey(url, { token, userId: '', email: '' });
    const member = await asPasskeyOwner(url, 'service-integrator', authenticator);
    expect(refusal(await addPasskey(member, url, {}))).toEqual([400, 'validation_failed']);
    expect(refusal(await addPasskey(member, url, { currentPassword: PASSWORD }))).toEqual([400, 'wrong_own_password']);
    const other = await joinByPasskey(url, await invite(partner, 'auditor'));
    expect(refusal(await addPasskey(member, url, await confirmed(member, url, other)))).toEqual([400, 'wrong_own_passkey']);
    const [{ passkeyId: foreign }] = await passkeysOf(await asPasskeyOwner(url, 'service-integrator', other));
    const removal = await member.post(`/api/account/passkeys/${foreign}/remove`, await confirmed(member, url, authenticator));
    expect(refusal(removal)).toEqual([404, 'passkey_not_found']);
  });
});

describe('an attack on a sign-in', () => {
  let authenticator: Authenticator;
  beforeAll(async () => {
    authenticator = await joinByPasskey(url, await invite(partner, 'manager'));
  });
  const attack = (deviation: Deviation) => passkeyLogin(url, 'service-integrator', authenticator, deviation);

  it('fails with another origin, host, type, frame, key, owner or credential, and without the user', async () => {
    const other = await joinByPasskey(url, await invite(partner, 'manager'));
    const { options } = (await anonymous().post('/api/auth/passkey/options')).body;
    const theirs = other.sign(named(url), options);
    const deviations: Deviation[] = [
      { origin: 'https://attacker.example' },
      { origin: named(url).replace('localhost', 'login.localhost') },
      { origin: url },
      { rpId: 'attacker.example' },
      { type: 'webauthn.create' },
      { crossOrigin: true },
      { userVerified: false },
      { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey },
      { userHandle: theirs.userHandle },
      { userHandle: Buffer.alloc(16).toString('base64url') },
      { userHandle: 'AA' },
      { credentialId: other.credentialId },
      { challenge: Buffer.from('chosen by the attacker').toString('base64url') },
    ];
    for (const deviation of deviations) {
      expect([deviation, ...refusal(await attack(deviation))]).toEqual([deviation, ...WRONG]);
      server.product.permits.forget();
      await server.product.db.deleteFrom('auth.sign_in_permit').execute();
    }
    expect((await attack({})).status).toBe(200);
  });

  it('cannot use a challenge twice, at once or later, on one node or two', async () => {
    const node = await server.openNode();
    // A proxy in front of both nodes.
    const proxied = { 'x-forwarded-host': new URL(named(url)).host };
    const assertion = authenticator.sign(named(url), await signInOptions());
    const replies = await Promise.all(
      [node.url, url, node.url, url].map((base) =>
        clientOf(base, proxied).post('/api/auth/service-integrator/passkey-login', { assertion }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    const later = await anonymous().post('/api/auth/service-integrator/passkey-login', { assertion });
    expect(refusal(later)).toEqual(WRONG);
    await node.close();
  });

  it('cannot use a challenge of another purpose, session, invitation or host', async () => {
    const member = await asPasskeyOwner(url, 'service-integrator', authenticator);
    const outsider = await asPasskeyOwner(url, 'service-integrator', authenticator);
    const purposes = [
      (await member.post('/api/account/passkeys/confirmation-options')).body.options,
      (await member.post('/api/account/passkeys/creation-options')).body.options,
    ];
    for (const { challenge } of purposes) expect(refusal(await attack({ challenge }))).toEqual(WRONG);
    for (const options of [
      await signInOptions(),
      (await outsider.post('/api/account/passkeys/confirmation-options')).body.options,
    ]) {
      const confirmation = await confirmed(member, url, authenticator, { challenge: options.challenge });
      expect(refusal(await addPasskey(member, url, confirmation))).toEqual([400, 'wrong_own_passkey']);
    }
    const foreign = (await outsider.post('/api/account/passkeys/creation-options')).body.options;
    const added = await addPasskey(member, url, await confirmed(member, url, authenticator), { deviation: foreign });
    expect(refusal(added)).toEqual([400, 'passkey_not_confirmed']);
    const [one, two] = [await invite(partner, 'auditor'), await invite(partner, 'auditor')];
    const { options } = (await anonymous().post('/api/auth/join/passkey-options', { token: one.token })).body;
    const passkey = { name: 'Phone', registration: newAuthenticator().create(named(url), options) };
    expect(refusal(await anonymous().post('/api/auth/join', { token: two.token, passkey }))).toEqual([
      400,
      'passkey_not_confirmed',
    ]);
    const elsewhere = clientOf(url, { 'x-forwarded-host': 'console.localhost' });
    const { challenge } = (await elsewhere.post('/api/auth/passkey/options')).body.options;
    expect(refusal(await attack({ challenge }))).toEqual(WRONG);
  });

  it('cannot use a challenge after 5 minutes', async () => {
    const { db, secretFor } = server.product;
    const sixMinutesAgo = () => Date.now() - 6 * 60_000;
    const challenges = createPasskeyChallenges({ db, secret: secretFor('passkey challenges v1'), now: sixMinutesAgo });
    const old = challenges.issue({ purpose: 'sign_in', host: 'localhost', subject: '' });
    expect(refusal(await attack({ challenge: old }))).toEqual([400, 'passkey_expired']);
    const bytes = Buffer.from(old, 'base64url');
    bytes.writeUIntBE(Date.now() + 3_600_000, 16, 6);
    expect(refusal(await attack({ challenge: bytes.toString('base64url') }))).toEqual(WRONG);
  });

  itAtLength('fails with a counter that does not rise, also in a race of two nodes', async () => {
    expect((await attack({ counter: 1_000 })).status).toBe(200);
    for (const counter of [0, 999, 1_000]) expect(refusal(await attack({ counter }))).toEqual(WRONG);
    const node = await server.openNode();
    const replies = await Promise.all(
      [url, node.url, url, node.url].map((base) => passkeyLogin(base, 'service-integrator', authenticator, { counter: 2_000 })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    await node.close();
  });

  it('spends the permits of its address, like other sign-ins', async () => {
    const statuses: number[] = [];
    for (let guess = 0; guess < 30 && !statuses.includes(429); guess += 1) {
      statuses.push((await attack({ origin: 'https://attacker.example', counter: 9_000 })).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.slice(0, -1).every((status) => status === 401)).toBe(true);
  });
});

describe('an attack on a registration', () => {
  it('fails with another origin, host or type, without the user, and with certificates', async () => {
    const { token } = await invite(partner, 'auditor');
    const deviations: Deviation[] = [
      { origin: 'https://attacker.example' },
      { rpId: 'attacker.example' },
      { type: 'webauthn.get' },
      { userVerified: false },
      { crossOrigin: true },
      { format: 'fido-u2f', statement: new Map([['x5c', [new Uint8Array(8)]]]) },
      { format: 'packed', statement: new Map([['x5c', [new Uint8Array(8)]]]) },
    ];
    for (const deviation of deviations) {
      const { options } = (await anonymous().post('/api/auth/join/passkey-options', { token })).body;
      const passkey = { name: 'Phone', registration: newAuthenticator().create(named(url), options, deviation) };
      const reply = await anonymous().post('/api/auth/join', { token, passkey });
      expect([deviation, ...refusal(reply)]).toEqual([deviation, 400, 'passkey_not_confirmed']);
    }
    expect((await anonymous().post('/api/auth/join', { token })).body.code).toBe('validation_failed');
  });

  itAtLength('adds no more passkeys than the limit', async () => {
    const joined = await join(url, await invite(partner, 'auditor'));
    const { token } = (await login(url, 'service-integrator', { email: joined.email, code: codeOf(joined.secret ?? '') })).body;
    const member = clientOf(named(url), { authorization: `Bearer ${token}` });
    for (let index = 0; index < 10; index += 1) {
      expect((await addPasskey(member, url, { currentPassword: PASSWORD })).status).toBe(201);
    }
    expect(refusal(await addPasskey(member, url, { currentPassword: PASSWORD }))).toEqual([409, 'passkey_limit_reached']);
  });
});
