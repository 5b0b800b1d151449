import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asAdmin, asIntegrator, bearer, type Client, clientOf, newIntegrator, type Reply, refusal } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { startHostileProvider } from '../support/hostileProvider.ts';
import { CLIENT, startIdentityProvider } from '../support/identityProvider.ts';
import { invite, join, PASSWORD } from '../support/members.ts';
import { begin, finish, openZone, settingsOf, setUpProvider } from '../support/openId.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { sessionEnd } from '../support/sessionEnd.ts';
import { itAtLength } from '../support/tiers.ts';

const PATH = '/api/team/identity-provider';
const zone = openZone();
let server: TestServer;
let url: string;
let key: Client;
let real: Awaited<ReturnType<typeof startIdentityProvider>>;
let hostile: Awaited<ReturnType<typeof startHostileProvider>>;

beforeAll(async () => {
  server = await openServer({ CREDENTIAL_TEST_ALLOW: '127.0.0.1/32' }, { resolveTxt: zone.resolveTxt });
  ({ url } = server);
  key = await asAdmin(url);
  real = await startIdentityProvider([`${url}/admin/login`, `${url}/service-integrator/login`]);
  hostile = await startHostileProvider(CLIENT.clientSecret);
});
afterAll(async () => {
  await Promise.all([real.close(), hostile.close()]);
  await server.close();
});
afterEach(async () => {
  hostile.state.hostility = {};
  await server.product.db.deleteFrom('auth.sign_in_failures').execute();
  await server.product.db.deleteFrom('auth.sign_in_permit').execute();
  server.product.permits.forget();
});

let partners = 0;
/** A service integrator with a domain of its own. */
const newPartner = async (): Promise<{ partner: Client; integrator: ServiceIntegrator; domain: string }> => {
  partners += 1;
  const integrator = await newIntegrator(key, { companyName: `Partner ${partners}` });
  return { partner: await asIntegrator(url, integrator), integrator, domain: `partner-${partners}.example` };
};

const userOf = (domain: string, name = 'ana') => ({
  sub: `${name} of ${domain}`,
  email: `${name}@${domain}`,
  email_verified: true,
  name: 'Ana Ruiz',
});

/** A sign-in at the real provider, as a browser does it. */
const signIn = async (area: 'admin' | 'service-integrator', email: string): Promise<Reply> => {
  const { address, cookie } = await begin(url, area, email);
  return finish(url, area, cookie, (await real.visit(address.href)).searchParams);
};

describe('a sign-in at a real provider', () => {
  it('lets new users of a verified domain join with the role of the claim, which later sign-ins follow', async () => {
    const { partner, domain } = await newPartner();
    const roles = [
      { value: 'it', role: 'owner' },
      { value: 'licensing', role: 'manager' },
    ];
    const settings = settingsOf(real.issuer, { domains: [domain], roleClaim: 'groups', roles, newUsersJoin: true });
    await setUpProvider(partner, zone, settings);
    const ana = userOf(domain);
    real.becomes({ ...ana, groups: ['licensing', 'sales'] });
    const first = await signIn('service-integrator', ana.email);
    expect(first).toMatchObject({ status: 200, body: { role: 'manager', serviceIntegrator: { companyName: 'Partner 1' } } });
    const before = clientOf(url, bearer(first.body.token));
    expect((await before.get('/api/team')).body.members).toMatchObject([{ email: ana.email, status: 'joined', hasIdentity: true }]);

    real.becomes({ ...ana, groups: ['it'] });
    const second = await signIn('service-integrator', ana.email);
    expect(second.body.role).toBe('owner');
    await eventually(
      () => before.get('/api/team'),
      ({ status }) => status === 401,
    );
    expect((await clientOf(url, bearer(second.body.token)).get('/api/team')).status).toBe(200);

    real.becomes({ ...ana, groups: ['licensing'] });
    expect((await signIn('service-integrator', ana.email)).body.role).toBe('owner'); // the last one
    real.becomes({ ...ana, groups: ['sales'] });
    expect(refusal(await signIn('service-integrator', ana.email))).toEqual([403, 'identity_without_role']);
    const entries = (await partner.get('/api/service-integrator/history')).body.entries as { summary: string }[] | undefined;
    expect((entries ?? []).map(({ summary }) => summary)).not.toContain(settings.clientSecret);
  });

  itAtLength('links members and invited users of the administration by their email address', async () => {
    await setUpProvider(key, zone, settingsOf(real.issuer, { domains: ['house.example'] }));
    const { body } = await key.post('/api/team/members', { name: 'Ben', email: 'ben@house.example', role: 'auditor' });
    const ben = userOf('house.example', 'ben');
    real.becomes(ben);
    const reply = await signIn('admin', ben.email);
    expect(reply).toMatchObject({ status: 200, body: { session: { email: ben.email, role: 'auditor' } } });
    const cookie = reply.headers.getSetCookie().find((set) => set.startsWith('latchkey_admin='));
    expect(cookie).toContain('SameSite=Strict');
    const session = clientOf(url, { cookie: cookie?.split(';')[0] ?? '' });
    expect((await session.get('/api/auth/admin/session')).body.session.role).toBe('auditor');
    const { members } = (await key.get('/api/team')).body;
    expect(members.find(({ userId }: { userId: string }) => userId === body.member.userId)).toMatchObject({ status: 'joined' });

    const unlink = (confirmation: object) => session.post('/api/account/identity/unlink', confirmation);
    expect(refusal(await unlink({ recentAuthentication: true }))).toEqual([409, 'last_sign_in_method']);
    expect((await session.put('/api/account/password', { newPassword: PASSWORD, recentAuthentication: true })).status).toBe(200);
    expect(refusal(await unlink({ currentPassword: 'wrong' }))).toEqual([400, 'wrong_own_password']);
    expect((await unlink({ currentPassword: PASSWORD })).status).toBe(200);
    expect((await session.get('/api/account')).body.member.hasIdentity).toBe(false);
    real.becomes(ben);
    expect((await signIn('admin', ben.email)).status).toBe(200);
    expect((await session.get('/api/account')).body.member.hasIdentity).toBe(true);

    real.becomes(userOf('house.example', 'eve'));
    expect(refusal(await signIn('admin', 'eve@house.example'))).toEqual([403, 'identity_without_member']);
    real.becomes({ ...ben, sub: 'another subject' });
    expect(refusal(await signIn('admin', ben.email))).toEqual([403, 'identity_of_other']);
    // The address of another member changes nothing: the user stays who was linked.
    const owner = await join(url, await invite(key, 'owner'), { secondFactor: false });
    await key.put(`/api/team/members/${owner.userId}`, { email: 'owner@house.example' });
    real.becomes({ ...ben, email: 'owner@house.example' });
    expect((await signIn('admin', ben.email)).body.session).toMatchObject({ email: ben.email, role: 'auditor' });
  });

  it('needs a second factor where the team requires one', async () => {
    const { partner, domain } = await newPartner();
    const settings = settingsOf(real.issuer, {
      domains: [domain],
      defaultRole: 'auditor',
      newUsersJoin: true,
      secondFactor: 'reported',
    });
    await setUpProvider(partner, zone, settings);
    expect((await partner.put('/api/team/policy', { secondFactorRequired: true })).status).toBe(200);
    const ana = userOf(domain);
    real.becomes(ana);
    expect(refusal(await signIn('service-integrator', ana.email))).toEqual([403, 'identity_without_second_factor']);
    real.becomes({ ...ana, amr: ['pwd', 'mfa'] });
    expect((await signIn('service-integrator', ana.email)).status).toBe(200);
    await setUpProvider(partner, zone, { ...settings, secondFactor: 'never' });
    expect(refusal(await signIn('service-integrator', ana.email))).toEqual([403, 'identity_without_second_factor']);
  });

  it('ends with a clear text when the user or the provider refuses', async () => {
    const { partner, domain } = await newPartner();
    await setUpProvider(partner, zone, settingsOf(real.issuer, { domains: [domain], defaultRole: 'auditor', newUsersJoin: true }));
    real.becomes(null);
    const denied = await signIn('service-integrator', `ana@${domain}`);
    expect([refusal(denied), denied.body.error]).toEqual([
      [403, 'openid_failed'],
      'The identity provider refused the sign-in, or you canceled it.',
    ]);
    // The code of one browser, after its state was used.
    real.becomes(userOf(domain));
    const { address, cookie } = await begin(url, 'service-integrator', `ana@${domain}`);
    const { searchParams } = await real.visit(address.href);
    const replies = await Promise.all([1, 2, 3].map(() => finish(url, 'service-integrator', cookie, searchParams)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    // The same code with the state of another sign-in: the provider accepts a code once, and for its own PKCE challenge.
    const again = await begin(url, 'service-integrator', `ana@${domain}`);
    const replayed = {
      code: searchParams.get('code') ?? '',
      iss: real.issuer,
      state: again.address.searchParams.get('state') ?? '',
    };
    expect(refusal(await finish(url, 'service-integrator', again.cookie, replayed))).toEqual([403, 'openid_failed']);
  });

  itAtLength('is finished by another node, and refused for a suspended tenant and a removed provider', async () => {
    const { partner, integrator, domain } = await newPartner();
    await setUpProvider(partner, zone, settingsOf(real.issuer, { domains: [domain], defaultRole: 'owner', newUsersJoin: true }));
    const ana = userOf(domain);
    real.becomes(ana);
    const started = async () => {
      const { address, cookie } = await begin(url, 'service-integrator', ana.email);
      return [cookie, (await real.visit(address.href)).searchParams] as const;
    };
    const other = await server.openNode({ ROLES: 'api' });
    expect((await finish(other.url, 'service-integrator', ...(await started()))).status).toBe(200);
    await other.close();
    const account = { companyName: integrator.companyName, contactEmail: 'a@any.example', billingEmail: 'a@any.example' };
    const path = `/api/admin/service-integrators/${integrator.id}`;
    await key.put(path, { ...account, status: 'suspended' });
    expect(refusal(await finish(url, 'service-integrator', ...(await started())))).toEqual([403, 'integrator_suspended']);
    await sessionEnd(server.product, partner);
    await key.put(path, { ...account, status: 'active' });
    const owner = await asIntegrator(url, integrator);
    const late = await started();
    expect((await owner.delete(PATH)).status).toBe(200);
    expect(refusal(await finish(url, 'service-integrator', ...late))).toEqual([403, 'openid_state_invalid']);
    expect(refusal(await clientOf(url).post('/api/auth/service-integrator/openid', { email: ana.email }))).toEqual([
      404,
      'openid_domain_unknown',
    ]);
  });
});

describe('the configuration', () => {
  it('is tested before it is kept, and its secret is never shown', async () => {
    const { partner, domain } = await newPartner();
    const settings = settingsOf(real.issuer, { domains: [domain] });
    expect((await partner.post(`${PATH}/test`, settings)).body).toMatchObject({ connected: true });
    const wrong = { ...settings, issuer: `${real.issuer}/realm` };
    const tested = await partner.post(`${PATH}/test`, wrong);
    expect(tested.body).toMatchObject({ connected: false, detail: expect.stringContaining('404') });
    expect(refusal(await partner.put(PATH, wrong))).toEqual([400, 'identity_provider_unusable']);
    expect((await partner.get(PATH)).body.provider).toBeNull();
    const saved = await partner.put(PATH, settings);
    expect(saved.body.provider.domains).toEqual([{ domain, verifiedAt: null }]);
    expect(saved.body.redirectUri).toBe(`${url}/service-integrator/login`);
    expect(JSON.stringify([saved.body, (await partner.get(PATH)).body])).not.toContain(settings.clientSecret);
    const { clientSecret: _secret, ...withoutSecret } = settings;
    expect((await partner.put(PATH, { ...withoutSecret, newUsersJoin: true, defaultRole: 'auditor' })).status).toBe(200);
    expect(refusal(await partner.put(PATH, { ...withoutSecret, issuer: hostile.url }))).toEqual([
      400,
      'identity_provider_secret_required',
    ]);
  });

  it('uses a domain once it is verified, and for one team of a kind', async () => {
    const [mine, theirs] = [await newPartner(), await newPartner()];
    const settings = settingsOf(real.issuer, { domains: [mine.domain] });
    await mine.partner.put(PATH, settings);
    const start = { email: `ana@${mine.domain}` };
    const unknown = await clientOf(url).post('/api/auth/service-integrator/openid', start);
    const nobody = await clientOf(url).post('/api/auth/service-integrator/openid', { email: 'ana@nobody.example' });
    expect([refusal(unknown), unknown.body]).toEqual([[404, 'openid_domain_unknown'], nobody.body]);
    await setUpProvider(mine.partner, zone, settings);
    const claimed = await theirs.partner.put(PATH, settings);
    zone.set(mine.domain, (await mine.partner.get(PATH)).body.record, claimed.body.record);
    const contested = await theirs.partner.post(`${PATH}/verify`);
    expect(contested.body.domains).toMatchObject([{ verified: false, detail: expect.stringContaining('Another team') }]);
    zone.set(mine.domain, claimed.body.record);
    expect((await theirs.partner.post(`${PATH}/verify`)).body.domains).toMatchObject([{ verified: true }]);
    expect((await mine.partner.get(PATH)).body.provider.domains[0].verifiedAt).toBeNull();
  });

  it('reaches no internal address, neither as issuer nor as an endpoint of a public one', async () => {
    const { partner, domain } = await newPartner();
    for (const issuer of ['http://127.0.0.2:1', 'https://169.254.169.254', 'https://[::1]', 'http://10.0.0.1']) {
      const { body } = await partner.post(`${PATH}/test`, settingsOf(issuer, { domains: [domain] }));
      expect(body).toMatchObject({ connected: false, detail: expect.stringContaining('not allowed to reach') });
    }
    hostile.state.hostility = { metadata: { token_endpoint: 'http://127.0.0.2:1/token' } };
    const { reply } = await attack(partner, domain, 'internal');
    expect(reply.body).toMatchObject({ code: 'openid_failed', error: expect.stringContaining('not allowed to reach') });
    for (const metadata of [{ authorization_endpoint: 'javascript:alert(1)' }, { jwks_uri: undefined }, { issuer: real.issuer }]) {
      hostile.state.hostility = { metadata };
      const { body } = await partner.post(`${PATH}/test`, settingsOf(hostile.url, { domains: [domain], clientId: 'bad' }));
      expect([metadata, body.connected]).toEqual([metadata, false]);
    }
  });
});

/** A sign-in at the hostile provider, which returns the browser with a code that it made up. */
const attack = async (partner: Client, domain: string, clientId: string, returned: Record<string, string> = {}) => {
  const settings = settingsOf(hostile.url, { domains: [domain], clientId, defaultRole: 'auditor', newUsersJoin: true });
  await setUpProvider(partner, zone, settings);
  const { address, cookie } = await begin(url, 'service-integrator', `one@${domain}`);
  hostile.state.clientId = clientId;
  hostile.state.nonce = address.searchParams.get('nonce') ?? '';
  const state = address.searchParams.get('state') ?? '';
  const reply = await finish(url, 'service-integrator', cookie, { code: 'any', state, iss: hostile.url, ...returned });
  return { address, reply };
};

describe('a hostile provider or browser', () => {
  let partner: Client;
  let domain: string;
  beforeAll(async () => {
    ({ partner, domain } = await newPartner());
  });
  const verified = () => ({ email: `one@${domain}`, email_verified: true, name: 'One' });

  it('signs in nobody without the attack being one', async () => {
    hostile.state.hostility = { claims: verified() };
    const { address, reply } = await attack(partner, domain, 'honest');
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({ code_challenge_method: 'S256', response_type: 'code' });
    expect(hostile.state.verifiers.at(-1)).toMatch(/^[\w-]{43}$/);
    expect(address.href).not.toContain(hostile.state.verifiers.at(-1));
  });

  it.each([
    ['an ID token without a signature', { alg: 'none' }],
    ['an ID token signed with the client secret', { alg: 'HS256' }],
    ['an ID token signed with another key', { alg: 'another key' }],
  ] as const)('is refused with %s', async (name, hostility) => {
    hostile.state.hostility = { claims: verified(), ...hostility };
    expect(refusal((await attack(partner, domain, name)).reply)).toEqual([403, 'openid_failed']);
  });

  it.each([
    ['the nonce of another sign-in', { nonce: 'another' }],
    ['another issuer', { iss: 'https://issuer.example' }],
    ['another client', { aud: 'another' }],
    ['an expired ID token', { exp: 1 }],
  ])('is refused with %s', async (name, claims) => {
    hostile.state.hostility = { claims: { ...verified(), ...claims } };
    expect(refusal((await attack(partner, domain, name)).reply)).toEqual([403, 'openid_failed']);
  });

  it('is refused with an email address that is not verified, or of another domain', async () => {
    for (const [claims, userInfo, code] of [
      [{ ...verified(), email_verified: false }, {}, 'openid_email_unverified'],
      [{ email: `one@${domain}` }, { email: `two@${domain}`, email_verified: true }, 'openid_email_unverified'],
      [{}, {}, 'openid_email_unverified'],
      [{ ...verified(), email: 'one@house.example' }, {}, 'openid_domain_foreign'],
      [{ ...verified(), email: `one@house.example@sub.${domain}` }, {}, 'openid_domain_foreign'],
    ] as const) {
      hostile.state.hostility = { claims, userInfo };
      expect(refusal((await attack(partner, domain, 'email')).reply)).toEqual([403, code]);
    }
  });

  it('is refused with the answer of another issuer, another state, or the state of another browser', async () => {
    hostile.state.hostility = { claims: verified() };
    const mixedUp = await attack(partner, domain, 'mix-up', { iss: real.issuer });
    expect(refusal(mixedUp.reply)).toEqual([403, 'openid_failed']);
    const guessed = await attack(partner, domain, 'mix-up', { state: 'guessed' });
    expect(refusal(guessed.reply)).toEqual([403, 'openid_state_invalid']);
    const [victim, attacker] = await Promise.all([1, 2].map(() => begin(url, 'service-integrator', `one@${domain}`)));
    const state = attacker?.address.searchParams.get('state') ?? '';
    const before = hostile.state.requested.length;
    for (const cookie of ['', victim?.cookie ?? '', 'latchkey_openid=any', `${attacker?.cookie.slice(0, -9)}AAAAAAAAA`]) {
      const reply = await finish(url, 'service-integrator', cookie, { code: 'any', state, iss: hostile.url });
      expect([cookie === '', ...refusal(reply)]).toEqual([cookie === '', 403, 'openid_state_invalid']);
    }
    // The state of a service integrator is none of the administration.
    expect(refusal(await finish(url, 'admin', attacker?.cookie ?? '', { code: 'any', state }))).toEqual([
      403,
      'openid_state_invalid',
    ]);
    expect(hostile.state.requested.length).toBe(before);
  });
});
