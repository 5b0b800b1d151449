import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** A user of the provider. `groups` is a claim. */
export type ProviderUser = { sub: string; email: string; email_verified: boolean; name: string; groups?: string[]; amr?: string[] };

export const CLIENT = { clientId: 'latchkey', clientSecret: 'a-secret-of-the-client' };

/**
 * A real provider (`oidc-provider`) on loopback, where `user` signs in without a page, or refuses if it is null. `redirectUris` are
 * the addresses that it sends browsers back to.
 */
export const startIdentityProvider = async (redirectUris: string[]) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: { user: ProviderUser | null } = { user: null };
  const known = new Map<string, ProviderUser>();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: redirectUris }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of a test'] },
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_ctx, sub) => {
      const user = known.get(sub);
      return user && { accountId: sub, claims: () => ({ ...user, groups: user.groups ?? [] }) };
    },
    loadExistingGrant: async ({ oidc }) => {
      const { client, session } = oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response);
    const { user } = state;
    if (user) known.set(user.sub, user);
    const result = user
      ? { login: { accountId: user.sub, remember: false, amr: user.amr ?? ['pwd'] } }
      : { error: 'access_denied', error_description: '<b>any text</b>' };
    return void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  });
  return {
    issuer,
    /** Who signs in next; null refuses. */
    becomes: (user: ProviderUser | null) => {
      state.user = user;
    },
    /** Follows the redirects of a browser without a session, until they leave the provider; returns the address to which. */
    visit: async (address: string): Promise<URL> => {
      const jar = new Map<string, string>();
      let url = new URL(address);
      while (url.origin === issuer) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(url, { headers: { cookie }, redirect: 'manual' });
        for (const set of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          jar.set(name, value);
        }
        const location = response.headers.get('location');
        if (!location) throw new Error(`The provider replied ${response.status}: ${await response.text()}`);
        url = new URL(location, url);
      }
      return url;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
