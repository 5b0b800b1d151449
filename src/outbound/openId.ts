import { createHash } from 'node:crypto';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client';
import { RECENT_MS } from '../domain/limits.ts';
import { MINUTE_MS } from '../domain/time.ts';
import { createCache } from '../flow/cache.ts';
import { guardedBytes, MAX_BODY_BYTES, type Reach } from './guardedGet.ts';
import { failedAtProvider, NotUsable, Unreachable } from './openIdFailures.ts';
import { type Identity, identityOf } from './openIdIdentity.ts';

/** What this server is at an identity provider. */
export type OpenIdClient = Readonly<{ issuer: string; clientId: string; clientSecret: string }>;

/** `state`, `nonce` and `verifier` (PKCE) are random and belong to one sign-in. */
type OpenIdAttempt = Readonly<{
  redirectUri: string;
  state: string;
  nonce: string;
  verifier: string;
  /** A session whose user must authenticate again now; null where a session at the provider is enough. */
  session: string | null;
}>;

/** `detail` is a sentence for users, without a secret. `isDenied` if the provider itself ended the sign-in. */
type OpenIdFailure = Readonly<{ ok: false; detail: string; isDenied: boolean }>;
type Result<T> = Readonly<{ ok: true; value: T }> | OpenIdFailure;

/** Signs users in at identity providers by the authorization code flow of OpenID Connect. Failures are results, not exceptions. */
export type OpenId = Readonly<{
  /** Whether the provider can be used, according to its configuration, which is always fetched. */
  check: (client: OpenIdClient) => Promise<Result<null>>;
  /** The address at the provider to which the browser is sent. */
  begin: (client: OpenIdClient, attempt: OpenIdAttempt, loginHint: string) => Promise<Result<string>>;
  /** The user whom the parameters of the redirect sign in. */
  finish: (client: OpenIdClient, attempt: OpenIdAttempt, parameters: Readonly<Record<string, string>>) => Promise<Result<Identity>>;
}>;

/** How long the configuration and the keys of a provider are reused. An unknown key is fetched before. */
const CACHE_MS = 10 * MINUTE_MS;
const CACHED = 200;
const CLOCK_TOLERANCE_S = 30;
const RECENT_S = RECENT_MS / 1_000;

/** Servers accept what their configuration names; Basic is the default of the standard. */
const secretAuth =
  (secret: string): ClientAuth =>
  (server, client, body, headers) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const authenticate = methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
    authenticate(server, client, body, headers);
  };

const guardedFetch =
  (reach: Reach) =>
  async (url: string, { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown }) => {
    const address = new URL(url);
    const form = method === 'POST' ? String(body ?? '') : null;
    const fetched = await guardedBytes(
      address,
      { ...headers, 'accept-encoding': 'identity' },
      { ...reach, maxBytes: MAX_BODY_BYTES, form },
    );
    if (!fetched.ok) throw new Unreachable(fetched.failure, address);
    const { status, body: bytes, header } = fetched.answer;
    if (status < 200 || status > 599) throw new Unreachable({ kind: 'not_http' }, address);
    const type = header('content-type');
    const challenge = header('www-authenticate');
    const hasBody = ![204, 205, 304].includes(status);
    return new Response(hasBody ? new Uint8Array(bytes) : null, {
      status,
      headers: { ...(type !== null && { 'content-type': type }), ...(challenge !== null && { 'www-authenticate': challenge }) },
    });
  };

const isHttp = (address: string | undefined, protocols: readonly string[]): boolean =>
  address !== undefined && URL.canParse(address) && protocols.includes(new URL(address).protocol);

/** Throws `NotUsable` for what a sign-in would fail with. */
const assertUsable = (configuration: Configuration, { issuer }: OpenIdClient): void => {
  const server = configuration.serverMetadata();
  // The library accepts the issuers of any tenant of some providers.
  if (new URL(server.issuer).href !== new URL(issuer).href)
    throw new NotUsable('The provider names another issuer. Enter that of your own tenant.');
  const protocols = new URL(issuer).protocol === 'http:' ? ['http:', 'https:'] : ['https:'];
  for (const [name, address] of [
    ['authorization_endpoint', server.authorization_endpoint],
    ['token_endpoint', server.token_endpoint],
    ['jwks_uri', server.jwks_uri],
  ] as const) {
    if (!isHttp(address, protocols)) throw new NotUsable(`The configuration of the provider has no usable ${name}.`);
  }
  if (server.code_challenge_methods_supported && !server.supportsPKCE()) {
    throw new NotUsable('The provider does not support PKCE with S256. Turn it on there.');
  }
};

/** `now` is ms since 1970. */
export const createOpenId = ({ now, ...reach }: Reach & { now: () => number }): OpenId => {
  const cache = createCache<string, { configuration: Configuration; at: number }>(CACHED);

  const fetchConfiguration = async (client: OpenIdClient, key: string): Promise<Configuration> => {
    const { issuer, clientId, clientSecret } = client;
    const at = now();
    const configuration = await discovery(
      new URL(issuer),
      clientId,
      { [clockTolerance]: CLOCK_TOLERANCE_S },
      secretAuth(clientSecret),
      // The guard decides where plain http is allowed.
      { [customFetch]: guardedFetch(reach), execute: new URL(issuer).protocol === 'http:' ? [allowInsecureRequests] : [] },
    );
    assertUsable(configuration, client);
    // Without these checks a token from the token endpoint is trusted for its TLS connection, whatever its signature.
    enableNonRepudiationChecks(configuration);
    cache.set(key, { configuration, at });
    return configuration;
  };

  const keyOf = ({ issuer, clientId, clientSecret }: OpenIdClient): string =>
    createHash('sha256')
      .update(JSON.stringify([issuer, clientId, clientSecret]))
      .digest('hex');

  const configurationOf = async (client: OpenIdClient): Promise<Configuration> => {
    const key = keyOf(client);
    const cached = cache.get(key);
    return cached && now() - cached.at < CACHE_MS ? cached.configuration : fetchConfiguration(client, key);
  };

  const attempted = async <T>(client: OpenIdClient, work: () => Promise<T>): Promise<Result<T>> => {
    try {
      return { ok: true, value: await work() };
    } catch (error) {
      return { ok: false, detail: failedAtProvider(error, client), isDenied: error instanceof AuthorizationResponseError };
    }
  };

  return {
    check: (client) =>
      attempted(client, async () => {
        await fetchConfiguration(client, keyOf(client));
        return null;
      }),

    begin: (client, { redirectUri, state, nonce, verifier, session }, loginHint) =>
      attempted(client, async () => {
        const { href } = buildAuthorizationUrl(await configurationOf(client), {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          state,
          nonce,
          login_hint: loginHint,
          ...(session !== null && { prompt: 'login', max_age: String(RECENT_S) }),
        });
        return href;
      }),

    finish: (client, { redirectUri, state, nonce, verifier, session }, parameters) =>
      attempted(client, async () => {
        const configuration = await configurationOf(client);
        const current = new URL(redirectUri);
        for (const [name, value] of Object.entries(parameters)) current.searchParams.set(name, value);
        const checks = {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          // Checks `auth_time`, which a provider returns that respects `max_age`.
          ...(session !== null && { maxAge: RECENT_S }),
        };
        const tokens = await authorizationCodeGrant(configuration, current, checks);
        const claims = tokens.claims();
        if (!claims) throw new NotUsable('The provider returned no ID token.');
        // Many providers put the email address and groups here only.
        const more = configuration.serverMetadata().userinfo_endpoint
          ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : {};
        return identityOf(claims, more);
      }),
  };
};
