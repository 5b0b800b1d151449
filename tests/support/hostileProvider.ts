import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the provider does beside the standard; with nothing it is honest. */
type Hostility = {
  metadata?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  userInfo?: Record<string, unknown>;
  alg?: 'RS256' | 'none' | 'HS256' | 'another key';
};

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A provider of OpenID Connect that returns what a test says. It knows no users, clients and codes. */
export const startHostileProvider = async (clientSecret: string, host = '127.0.0.1') => {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  const state: { hostility: Hostility; clientId: string; nonce: string; requested: string[]; verifiers: (string | null)[] } = {
    hostility: {},
    clientId: '',
    nonce: '',
    requested: [],
    verifiers: [],
  };

  const tokenOf = (): string => {
    const { alg = 'RS256', claims } = state.hostility;
    const now = Math.floor(Date.now() / 1000);
    const payload = { iss: url, aud: state.clientId, sub: 'one', iat: now, exp: now + 300, nonce: state.nonce, ...claims };
    const signed = `${part({ alg: alg === 'another key' ? 'RS256' : alg, kid: 'one' })}.${part(payload)}`;
    const rsa = (key: KeyObject) => sign('sha256', Buffer.from(signed), key).toString('base64url');
    if (alg === 'none') return `${signed}.`;
    if (alg === 'HS256') return `${signed}.${createHmac('sha256', clientSecret).update(signed).digest('base64url')}`;
    return `${signed}.${rsa(alg === 'RS256' ? keys.privateKey : other.privateKey)}`;
  };

  const replies: Record<string, () => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      userinfo_endpoint: `${url}/me`,
      jwks_uri: `${url}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...state.hostility.metadata,
    }),
    '/token': () => ({ access_token: 'any', token_type: 'Bearer', id_token: tokenOf() }),
    '/me': () => ({ sub: 'one', ...state.hostility.userInfo }),
    '/jwks': () => ({ keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] }),
  };
  server.on('request', async (request, response) => {
    state.requested.push(request.url ?? '');
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url === '/token') state.verifiers.push(new URLSearchParams(body).get('code_verifier'));
    const reply = replies[request.url ?? ''];
    response.writeHead(reply ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(reply?.() ?? {}));
  });
  return {
    url,
    state,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
