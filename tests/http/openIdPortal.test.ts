import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  asAdmin,
  asCustomer,
  asTool,
  bearer,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
  type Reply,
  refusal,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { startIdentityProvider } from '../support/identityProvider.ts';
import { PASSWORD } from '../support/members.ts';
import { begin, finish, openZone, settingsOf, setUpProvider } from '../support/openId.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { sessionEnd } from '../support/sessionEnd.ts';
import { itAtLength } from '../support/tiers.ts';

const PATH = '/api/team/identity-provider';
const zone = openZone();
let server: TestServer;
let url: string;
let key: Client;
let integratorId: string;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;

beforeAll(async () => {
  server = await openServer({ CREDENTIAL_TEST_ALLOW: '127.0.0.1/32' }, { resolveTxt: zone.resolveTxt });
  ({ url } = server);
  key = await asAdmin(url);
  integratorId = (await newIntegrator(key)).id;
  provider = await startIdentityProvider([`${url}/portal/login`]);
});
afterAll(async () => {
  await provider.close();
  await server.close();
});
/** Wrong guesses of one test do not use up the permits of the next. */
afterEach(async () => {
  await server.product.db.deleteFrom('auth.sign_in_failures').execute();
  await server.product.db.deleteFrom('auth.sign_in_permit').execute();
  server.product.permits.forget();
});

const GROUPS = {
  roleClaim: 'groups',
  roles: [
    { value: 'it', role: 'admin' },
    { value: 'dev', role: 'developer' },
    { value: 'board', role: 'stakeholder' },
  ],
};

let customers = 0;
/** A customer with a provider for a domain of its own, and two seats of each kind. */
const newAccount = async (settings: Record<string, unknown>) => {
  customers += 1;
  const domain = `customer-${customers}.example`;
  const customer = await newCustomer(key, integratorId, { name: `Customer ${customers}`, developerSeats: 2, stakeholderSeats: 1 });
  const portal = await asCustomer(url, customer);
  await setUpProvider(portal, zone, settingsOf(provider.issuer, { domains: [domain], ...settings }));
  const userOf = (name: string, claims: Record<string, unknown> = {}) => ({
    sub: `${name} of ${domain}`,
    email: `${name}@${domain}`,
    email_verified: true,
    name,
    ...claims,
  });
  const signIn = async (name: string, claims: Record<string, unknown> = {}): Promise<Reply> => {
    provider.becomes(userOf(name, claims));
    const { address, cookie } = await begin(url, 'customer', `${name}@${domain}`);
    return finish(url, 'customer', cookie, (await provider.visit(address.href)).searchParams);
  };
  const users = async (): Promise<{ id: string; username: string; email: string; role: string; status: string }[]> =>
    (await portal.get('/api/users/with-connections')).body.users;
  /** A user who first signed in with the tool. */
  const toolUser = async (name: string): Promise<string> => {
    const { userId } = await asTool(url, customer, name);
    await portal.put(`/api/users/${userId}`, { username: name, email: `${name}@${domain}`, role: 'developer' });
    return userId;
  };
  return { customer, portal, domain, signIn, users, toolUser };
};

describe("a customer's sign-in with OpenID Connect", () => {
  it('registers a new user as portal user, whose role later sign-ins follow', async () => {
    const { portal, domain, signIn, users } = await newAccount({ ...GROUPS, newUsersJoin: true });
    const first = await signIn('ana', { name: 'Ana Ruiz', groups: ['dev'] });
    expect(first).toMatchObject({ status: 200, body: { role: 'developer' } });
    expect(await users()).toMatchObject([{ username: 'Ana Ruiz', email: `ana@${domain}`, role: 'developer', status: 'active' }]);
    const developer = clientOf(url, bearer(first.body.token));
    expect((await developer.get('/api/team')).status).toBe(403);

    const second = await signIn('ana', { groups: ['it'] });
    expect(second.body.role).toBe('admin');
    await eventually(
      () => developer.get('/api/auth/customer/session'),
      ({ status }) => status === 401,
    );
    const admin = clientOf(url, bearer(second.body.token));
    const { members } = (await admin.get('/api/team')).body;
    expect(members).toMatchObject([{ name: 'Ana Ruiz', role: 'admin', status: 'joined', hasIdentity: true }]);
    expect((await users()).map(({ role }) => role)).toEqual(['admin']);
    expect((await signIn('ana', { groups: ['board'] })).body.role).toBe('admin'); // the last one
    expect(refusal(await signIn('ana', { groups: ['sales'] }))).toEqual([403, 'identity_without_role']);

    // A second admin, and another person with the same name.
    expect((await signIn('ben', { name: 'Ana Ruiz', groups: ['it'] })).body.role).toBe('admin');
    expect((await users()).map(({ username }) => username).sort()).toEqual(['Ana Ruiz', `ben@${domain}`]);
    expect((await signIn('ana', { groups: ['board'] })).body.role).toBe('stakeholder');
    const history = JSON.stringify((await portal.get('/api/customer/history')).body);
    expect([history.includes('IdentityProviderConfigured'), history.includes('a-secret-of-the-client')]).toEqual([true, false]);
  });

  itAtLength('links a user of the tool by the email address, with the role that the user has', async () => {
    const { portal, domain, signIn, users, toolUser } = await newAccount({ newUsersJoin: true, defaultRole: 'admin' });
    const userId = await toolUser('mia');
    expect((await signIn('mia', { name: 'Mia Berg' })).body.role).toBe('developer');
    const [mia] = await users();
    expect([mia?.id, mia?.username]).toEqual([userId, 'mia']);
    // The provider's user keeps the account when the address changes here.
    await portal.put(`/api/users/${userId}`, { username: 'mia', email: `m.berg@${domain}`, role: 'stakeholder' });
    expect((await signIn('mia')).body.role).toBe('stakeholder');
    expect(refusal(await signIn('m.berg'))).toEqual([403, 'identity_of_other']);
    expect(await users()).toHaveLength(1);
  });

  itAtLength('proves again who the user is, by a new sign-in of the same user', async () => {
    const AGAIN = '/api/auth/reauthenticate';
    const { signIn, domain } = await newAccount({ ...GROUPS, newUsersJoin: true });
    const [one, other] = [await signIn('one', { groups: ['it'] }), await signIn('other', { groups: ['it'] })];
    const { db } = server.product;
    await db
      .updateTable('auth.session')
      .set({ authenticated_at: new Date(0) })
      .where('method', '=', 'openid')
      .execute();
    const [mine, theirs] = [one, other].map(({ body }) => clientOf(url, bearer(body.token)));
    if (!mine || !theirs) throw new Error('Nobody signed in');
    const change = () => mine.put('/api/team/policy', { secondFactorRequired: false });
    expect(refusal(await change())).toEqual([403, 'reauthentication_required']);
    expect((await mine.get(AGAIN)).body).toMatchObject({ methods: ['openid'], codeRequired: false });
    const again = async (client: Client, name: string) => {
      const reply = await client.post(`${AGAIN}/openid`);
      const address = new URL(reply.body.url);
      expect([address.searchParams.get('prompt'), address.searchParams.get('max_age')]).toEqual(['login', '600']);
      provider.becomes({ sub: `${name} of ${domain}`, email: `${name}@${domain}`, email_verified: true, name });
      const { searchParams } = await provider.visit(address.href);
      const cookie = reply.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      return { cookie, returned: Object.fromEntries(searchParams) };
    };
    const prove = (client: Client, { cookie, returned }: Awaited<ReturnType<typeof again>>) =>
      client.post(AGAIN, { method: 'openid', returned }, { headers: { cookie } });
    // Another user at the provider, the state of another session, and a sign-in's own state.
    expect(refusal(await prove(mine, await again(mine, 'other')))).toEqual([403, 'identity_of_other']);
    expect(refusal(await prove(theirs, await again(mine, 'one')))).toEqual([403, 'openid_state_invalid']);
    const proof = await again(mine, 'one');
    expect(refusal(await finish(url, 'customer', proof.cookie, proof.returned))).toEqual([403, 'openid_state_invalid']);
    // Without a password or a passkey nothing else confirms a change of the own sign-in.
    const recently = { recentAuthentication: true };
    const setPassword = () => mine.put('/api/account/password', { ...recently, newPassword: PASSWORD });
    for (const refused of [await change(), await setPassword()]) {
      expect(refusal(refused)).toEqual([403, 'reauthentication_required']);
    }
    expect((await prove(mine, proof)).status).toBe(200);
    expect((await change()).status).toBe(200);
    expect(refusal(await prove(mine, proof))).toEqual([403, 'openid_state_invalid']);
    expect((await setPassword()).status).toBe(200);
    for (const confirmation of [recently, {}, { ...recently, currentPassword: PASSWORD }]) {
      const refused = await mine.put('/api/account/password', { ...confirmation, newPassword: `${PASSWORD} again` });
      expect(refusal(refused)).toEqual([400, 'validation_failed']);
    }
  });

  it('is finished although another tab began one later', async () => {
    const { domain } = await newAccount({ newUsersJoin: true, defaultRole: 'admin' });
    provider.becomes({ sub: domain, email: `tab@${domain}`, email_verified: true, name: 'Tab' });
    const first = await begin(url, 'customer', `tab@${domain}`);
    const second = await begin(url, 'customer', `tab@${domain}`);
    const both = `${first.cookie}; ${second.cookie}`;
    for (const { address } of [first, second]) {
      expect((await finish(url, 'customer', both, (await provider.visit(address.href)).searchParams)).status).toBe(200);
    }
  });

  it('admits only active users of an active customer, and whom a seat is free for', async () => {
    const { customer, portal, signIn, users } = await newAccount({ ...GROUPS, newUsersJoin: true });
    const setStatus = (status: string) =>
      key.put(`/api/admin/customers/${customer.id}`, { name: customer.name, contactEmail: customer.contactEmail, status });
    expect((await signIn('one', { groups: ['board'] })).body.role).toBe('stakeholder');
    expect(refusal(await signIn('two', { groups: ['board'] }))).toEqual([409, 'seat_limit_reached']);
    expect((await signIn('two', { groups: ['dev'] })).status).toBe(200);
    expect(refusal(await signIn('two', { groups: ['board'] }))).toEqual([409, 'seat_limit_reached']);
    expect((await users()).map(({ role }) => role).sort()).toEqual(['developer', 'stakeholder']);

    const two = (await users()).find(({ role }) => role === 'developer');
    await portal.put(`/api/users/${two?.id}/status`, { status: 'suspended' });
    expect(refusal(await signIn('two', { groups: ['dev'] }))).toEqual([403, 'user_suspended']);
    await portal.put(`/api/users/${two?.id}/status`, { status: 'inactive' });
    expect(refusal(await signIn('two', { groups: ['dev'] }))).toEqual([403, 'user_inactive']);
    await setStatus('suspended');
    expect(refusal(await signIn('three', { groups: ['dev'] }))).toEqual([403, 'customer_suspended']);
    await sessionEnd(server.product, portal);
    await setStatus('active');
    expect(await (await asCustomer(url, customer)).get('/api/users/with-connections')).toMatchObject({ body: { total: 2 } });
  });

  it('admits invited users only, unless new ones join by themselves', async () => {
    const { portal, signIn, users, toolUser } = await newAccount({ defaultRole: 'developer' });
    expect(refusal(await signIn('eva'))).toEqual([403, 'identity_without_member']);
    const userId = await toolUser('eva');
    expect(refusal(await signIn('eva'))).toEqual([403, 'identity_without_member']);
    expect((await portal.post(`/api/users/${userId}/invitation`)).status).toBe(201);
    expect((await signIn('eva')).body.role).toBe('developer');
    expect(await users()).toHaveLength(1);
    // Removed as named user: the portal user stays, and nothing signs in.
    expect((await portal.delete(`/api/team/members/${userId}`)).status).toBe(200);
    expect(refusal(await signIn('eva'))).toEqual([403, 'identity_without_member']);
  });

  it('is set up by an admin of the portal, for a domain of one customer, beside one of a service integrator', async () => {
    const { portal, domain } = await newAccount({ newUsersJoin: true, defaultRole: 'admin' });
    expect((await portal.get(PATH)).body).toMatchObject({ redirectUri: `${url}/portal/login` });
    const other = await newAccount({});
    const claimed = await other.portal.put(PATH, settingsOf(provider.issuer, { domains: [domain] }));
    zone.set(domain, (await portal.get(PATH)).body.record, claimed.body.record);
    expect((await other.portal.post(`${PATH}/verify`)).body.domains).toMatchObject([{ verified: false }]);
    // The start of one kind of tenant is unknown to the others.
    for (const area of ['admin', 'service-integrator'])
      expect(refusal(await clientOf(url).post(`/api/auth/${area}/openid`, { email: `any@${domain}` }))).toEqual([
        404,
        'openid_domain_unknown',
      ]);
    const owner = (role: string) => settingsOf(provider.issuer, { domains: [domain], defaultRole: role });
    expect(refusal(await portal.put(PATH, owner('owner')))).toEqual([400, 'role_unknown']);
  });
});
