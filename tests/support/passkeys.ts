import { bearer, type Client, clientOf, cookieOf, expectStatus, type Reply } from './apiClient.ts';
import { type Authenticator, type Deviation, newAuthenticator } from './authenticator.ts';
import type { Invited } from './members.ts';

type Audience = 'admin' | 'service-integrator';

/** The address of a server by the name for which browsers know passkeys: there are none for IP addresses. */
export const named = (url: string): string => url.replace('127.0.0.1', 'localhost');

/** Accepts an invitation with a passkey alone, and returns its authenticator. */
export const joinByPasskey = async (url: string, { token }: Invited, deviation: Deviation = {}): Promise<Authenticator> => {
  const anonymous = clientOf(named(url));
  const { options } = expectStatus(await anonymous.post('/api/auth/join/passkey-options', { token }), 200).body;
  const authenticator = newAuthenticator();
  const passkey = { name: 'Laptop', registration: authenticator.create(named(url), options, deviation) };
  expectStatus(await anonymous.post('/api/auth/join', { token, passkey }), 200);
  return authenticator;
};

/** Signs in with a passkey, as an honest browser does unless it deviates. `node` answers; the options may be of another one. */
export const passkeyLogin = async (
  url: string,
  audience: Audience,
  authenticator: Authenticator,
  { headers = {}, ...deviation }: Deviation & { headers?: Record<string, string> } = {},
): Promise<Reply> => {
  const anonymous = clientOf(named(url), headers);
  const { options } = expectStatus(await anonymous.post('/api/auth/passkey/options'), 200).body;
  const assertion = authenticator.sign(named(url), options, deviation);
  return anonymous.post(`/api/auth/${audience}/passkey-login`, { assertion });
};

/** Signs in a named user with a passkey. */
export const asPasskeyOwner = async (url: string, audience: Audience, authenticator: Authenticator): Promise<Client> => {
  const reply = expectStatus(await passkeyLogin(url, audience, authenticator), 200);
  return clientOf(named(url), audience === 'admin' ? { cookie: cookieOf(reply) } : bearer(reply.body.token));
};

/** Confirms a change of the session's own sign-in with a passkey. */
export const confirmed = async (member: Client, url: string, authenticator: Authenticator, deviation: Deviation = {}) => {
  const { options } = expectStatus(await member.post('/api/account/passkeys/confirmation-options'), 200).body;
  return { assertion: authenticator.sign(named(url), options, deviation) };
};

/** Adds a passkey of an authenticator to the session's account. */
export const addPasskey = async (
  member: Client,
  url: string,
  confirmation: object,
  {
    authenticator = newAuthenticator(),
    name = 'Phone',
    deviation = {},
  }: { authenticator?: Authenticator; name?: string; deviation?: Deviation } = {},
): Promise<Reply> => {
  const { options } = expectStatus(await member.post('/api/account/passkeys/creation-options'), 200).body;
  const passkey = { name, registration: authenticator.create(named(url), options, deviation) };
  return member.post('/api/account/passkeys', { ...confirmation, passkey });
};
