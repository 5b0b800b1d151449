import { bearer, type Client, type Reply } from '../support/apiClient.ts';
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

/** A sign-in with OpenID Connect, by which the user joins: the start, the provider, the return. */
export const openIdFlow = async (context: FlowContext): Promise<Flow> => {
  const { url, provider } = context;
  const { integrator, partner } = await newPartner(context);
  const domain = `${integrator.id.slice(0, 8)}.example`;
  const email = `ana@${domain}`;
  const settings = settingsOf(provider.issuer, { domains: [domain], newUsersJoin: true, defaultRole: 'manager' });
  await expected(partner.put('/api/team/identity-provider', settings), 200);
  await context.verifyDomain(integrator.id, domain);
  provider.becomes({ sub: email, email, email_verified: true, name: 'Ana Ruiz' });
  let started: Awaited<ReturnType<typeof begin>> | null = null;
  let returned: URL | null = null;
  let [session, used] = [null as Client | null, null as Parameters<typeof finish> | null];
  const start = async () => {
    started = await begin(url, 'service-integrator', email);
    return started;
  };
  const visit = async () => {
    returned = await provider.visit((started ?? (await start())).address.href);
    return returned;
  };
  return {
    name: 'OpenID Connect',
    before: { members: '0', session: null, replay: null },
    observe: async () => ({
      members: String((await expected(partner.get('/api/team'), 200)).body.members.length),
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
          const call: Parameters<typeof finish> = [url, 'service-integrator', started?.cookie ?? '', searchParams];
          [started, returned] = [null, null];
          session = fromElsewhere(url, bearer((await expected(finish(...call), 200)).body.token));
          used = call;
        },
        after: { members: '1', session: 'manager', replay: 'refused' },
      },
    ],
  };
};
