import { asCustomer, bearer, type Client, newCustomer, type Reply } from '../support/apiClient.ts';
import { newAuthenticator } from '../support/authenticator.ts';
import { begin, finish, settingsOf } from '../support/openId.ts';
import { named, passkeyLogin } from '../support/passkeys.ts';
import { type FlowContext, invitationIs, invited, joined, newEmail, newPartner, sessionIs } from './accounts.ts';
import { expected, type Flow, fromElsewhere } from './flow.ts';

/** An invitation, a passkey, and a sign-in with it. Both answer options from before a kill. */
export const passkeyFlow = async (context: FlowContext): Promise<Flow> => {
  const url = named(context.url);
  const { partner } = await newPartner(context);
  const email = newEmail();
  const authenticator = newAuthenticator();
  const elsewhere = () => fromElsewhere(url).headers;
  let [token, session, used] = [null as string | null, null as Client | null, null as object | null];
  let [creation, request] = [null, null] as (Reply | null)[];
  const login = (assertion: object) => fromElsewhere(url).post('/api/auth/service-integrator/passkey-login', { assertion });
  const optionsOf = (path: string, body: object) => expected(fromElsewhere(url).post(path, body), 200, 404);
  return {
    name: 'passkey',
    before: { invitation: null, passkey: 'no', session: null, replay: null },
    observe: async () => ({
      invitation: await invitationIs(url, token),
      passkey:
        (await passkeyLogin(url, 'service-integrator', authenticator, { headers: elsewhere() })).status === 200 ? 'in' : 'no',
      session: await sessionIs(session),
      replay: used && ((await login(used)).status === 200 ? 'in' : 'refused'),
    }),
    steps: [
      {
        what: 'invited',
        act: async () => {
          token = await invited(partner, email, 'manager');
        },
        after: { invitation: 'open' },
      },
      {
        what: 'got options for a passkey',
        act: async () => {
          creation = await optionsOf('/api/auth/join/passkey-options', { token });
        },
      },
      {
        what: 'joined with the passkey',
        act: async () => {
          creation ??= await optionsOf('/api/auth/join/passkey-options', { token });
          const { options } = creation.body;
          creation = null;
          if (!options) return;
          const registration = authenticator.create(url, options);
          await joined(url, token, { passkey: { name: 'Laptop', registration } });
        },
        after: { invitation: 'closed', passkey: 'in' },
      },
      {
        what: 'got options for a sign-in',
        act: async () => {
          request = await optionsOf('/api/auth/passkey/options', {});
        },
      },
      {
        what: 'signed in with the passkey',
        act: async () => {
          request ??= await optionsOf('/api/auth/passkey/options', {});
          const assertion = authenticator.sign(url, request.body.options);
          request = null;
          session = fromElsewhere(url, bearer((await expected(login(assertion), 200)).body.token));
          used = assertion;
        },
        after: { session: 'manager', replay: 'refused' },
      },
    ],
  };
};

type OpenIdTenant = Readonly<{
  name: string;
  area: 'service-integrator' | 'customer';
  tenant: { kind: 'integrator' | 'customer'; id: string };
  /** A session of the tenant's key. */
  key: Client;
  role: string;
}>;

/** A sign-in with OpenID Connect, by which the user joins: the start, the provider, the return. */
const openIdFlow = async (
  { url, newProvider, verifyDomain }: FlowContext,
  { name, area, tenant, key, role }: OpenIdTenant,
): Promise<Flow> => {
  const domain = `${tenant.id.slice(0, 8)}.example`;
  const email = `ana@${domain}`;
  const provider = await newProvider();
  const settings = settingsOf(provider.issuer, { domains: [domain], newUsersJoin: true, defaultRole: role });
  await expected(key.put('/api/team/identity-provider', settings), 200);
  await verifyDomain(tenant, domain);
  provider.becomes({ sub: email, email, email_verified: true, name: 'Ana Ruiz' });
  let started: Awaited<ReturnType<typeof begin>> | null = null;
  let returned: URL | null = null;
  let [session, used] = [null as Client | null, null as Parameters<typeof finish> | null];
  const start = async () => {
    started = await begin(url, area, email, fromElsewhere(url));
    return started;
  };
  const visit = async () => {
    returned = await provider.visit((started ?? (await start())).address.href);
    return returned;
  };
  return {
    name,
    before: { members: '0', session: null, replay: null },
    observe: async () => ({
      members: String((await expected(key.get('/api/team'), 200)).body.members.length),
      session: await sessionIs(session),
      replay: used && ((await finish(...used)).status === 200 ? 'in' : 'refused'),
    }),
    steps: [
      { what: 'started', act: start },
      { what: 'signed in at the provider', act: visit },
      {
        what: 'returned',
        act: async () => {
          const { searchParams } = returned ?? (await visit());
          const call: Parameters<typeof finish> = [url, area, started?.cookie ?? '', searchParams, fromElsewhere(url)];
          [started, returned] = [null, null];
          session = fromElsewhere(url, bearer((await expected(finish(...call), 200)).body.token));
          used = call;
        },
        after: { members: '1', session: role, replay: 'refused' },
      },
    ],
  };
};

/** A user of a service integrator's provider. */
export const integratorOpenIdFlow = async (context: FlowContext): Promise<Flow> => {
  const { integrator, partner: key } = await newPartner(context);
  const tenant = { kind: 'integrator', id: integrator.id } as const;
  return openIdFlow(context, { name: 'OpenID Connect', area: 'service-integrator', tenant, key, role: 'manager' });
};

/** A user of a customer's provider, whom the sign-in writes to two streams: as portal user and as member of the team. */
export const customerOpenIdFlow = async (context: FlowContext): Promise<Flow> => {
  const { url, admin } = context;
  const { integrator } = await newPartner(context);
  const customer = await newCustomer(admin, integrator.id);
  const tenant = { kind: 'customer', id: customer.id } as const;
  const key = await asCustomer(url, customer);
  return openIdFlow(context, { name: 'OpenID Connect of a customer', area: 'customer', tenant, key, role: 'developer' });
};
