import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certified } from './certificates.ts';

export type ThirdPartyService = 'jira' | 'azdo' | 'confluence';

/** The accepted login; for Azure DevOps the user name is empty and the secret a personal access token. */
export type Account = { username: string; secret: string };

/** How a look-alike answers. `normal` checks path and login as the real one does. */
export type Behaviour =
  | 'normal'
  | 'unauthorized'
  | 'forbidden'
  | 'captcha'
  | 'missing'
  | 'throttled'
  | 'broken'
  | 'redirect'
  | 'signInPage'
  | 'signInRedirect'
  | 'anonymous'
  | 'slow'
  | 'drip'
  | 'huge'
  | 'hugeHeaders'
  | 'page'
  | 'unrecognized'
  | 'reset'
  | 'truncated'
  | 'noHttp';

type SeenRequest = { method: string; path: string; headers: IncomingHttpHeaders };

export type ThirdParty = {
  /** The instance URL to store, on 127.0.0.1. */
  url: string;
  port: number;
  requests: SeenRequest[];
  /** Connections accepted so far, with or without a request. */
  connections: () => number;
  /** Resolves once there are no connections. */
  idle: () => Promise<void>;
  behave: (behaviour: Behaviour) => void;
  /** Breaks the connections of requests that `slow` left without a reply. */
  release: () => void;
  close: () => Promise<void>;
};

const root = { jira: '', azdo: '/acme', confluence: '' } as const;
const endpoint = { jira: '/rest/api/2/myself', azdo: '/_apis/connectionData', confluence: '/rest/api/user/current' } as const;
const NOBODY = 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa';

const signedIn = (service: ThirdPartyService, { username }: Account, origin: string): object =>
  ({
    jira: {
      self: `${origin}/rest/api/2/user?username=${encodeURIComponent(username)}`,
      key: 'JIRAUSER10100',
      name: username,
      emailAddress: username,
      displayName: 'Ada Lovelace',
      active: true,
    },
    azdo: {
      authenticatedUser: {
        id: '7f3c1a52-5d0e-4b6e-9a35-0d6b5c2f1e11',
        descriptor: 'Microsoft.IdentityModel.Claims.ClaimsIdentity;ada@acme.example',
        providerDisplayName: 'Ada Lovelace',
      },
      instanceId: 'b3b1d0c2-6a6f-4d3e-8a0c-2f1f4f6f7a10',
      deploymentId: 'c0a6b7de-1f0b-4f5f-9f43-5c7d8e9f0a12',
      deploymentType: 'hosted',
    },
    confluence: { type: 'known', username, userKey: 'ff8080815b4f4d2c015b4f4e3a1c0001', displayName: 'Ada Lovelace' },
  })[service];

const anonymous: Record<ThirdPartyService, object> = {
  jira: { errorMessages: ['Client must be authenticated to access this resource.'] },
  azdo: {
    authenticatedUser: { id: NOBODY, descriptor: `System:PublicAccess;${NOBODY}`, providerDisplayName: 'Anonymous' },
    instanceId: 'b3b1d0c2-6a6f-4d3e-8a0c-2f1f4f6f7a10',
  },
  confluence: { type: 'anonymous', username: '', displayName: 'Anonymous' },
};

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8' }).end(JSON.stringify(body));
};
const page = (response: ServerResponse, status: number, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<!doctype html><title>Sign in</title>');
};

/** A byte now and then, so that no pause is long and yet the answer never ends. */
const drip = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(timer));
};

const misbehave: Record<Exclude<Behaviour, 'normal' | 'anonymous'>, (response: ServerResponse, login: string) => void> = {
  unauthorized: (response) => page(response, 401, { 'www-authenticate': 'Basic realm="protected-area"' }),
  forbidden: (response) => json(response, 403, { message: 'Forbidden' }),
  captcha: (response) => page(response, 403, { 'x-authentication-denied-reason': 'CAPTCHA_CHALLENGE; login-url=/login.jsp' }),
  missing: (response) => page(response, 404),
  throttled: (response) => page(response, 429, { 'retry-after': '5' }),
  broken: (response) => page(response, 500),
  redirect: (response, login) =>
    page(response, 302, { location: `https://sso.example.test/login?was=${encodeURIComponent(login)}` }),
  signInPage: (response) => page(response, 203),
  signInRedirect: (response) => page(response, 302, { location: 'https://spsprodweu1.vssps.example.test/_signin?realm=dev' }),
  slow: () => undefined,
  drip,
  huge: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(64 * 1024)}"`),
  hugeHeaders: (response) => page(response, 200, { 'x-padding': 'x'.repeat(20_000) }),
  page: (response) => page(response, 200),
  unrecognized: (response) => json(response, 200, { status: 'UP' }),
  reset: (response) => void response.socket?.resetAndDestroy(),
  truncated: (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"self":', () => response.socket?.destroy());
  },
  noHttp: (response) => void response.socket?.end('220 mail.example.test ESMTP\r\n'),
};

/** A real HTTP server on loopback that answers as Jira, Azure DevOps or Confluence does; over TLS when given a certificate. */
export const startThirdParty = async (service: ThirdPartyService, account: Account, tls?: Certified): Promise<ThirdParty> => {
  const requests: SeenRequest[] = [];
  const expected = `Basic ${Buffer.from(`${account.username}:${account.secret}`).toString('base64')}`;
  let behaviour: Behaviour = 'normal';
  let origin = '';
  let connections = 0;
  const open = new Set<object>();
  const held: ServerResponse[] = [];
  const listener: RequestListener = (request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, path: url, headers });
    if (behaviour === 'anonymous') return json(response, 200, anonymous[service]);
    if (behaviour === 'slow') held.push(response);
    if (behaviour !== 'normal') return misbehave[behaviour](response, headers.authorization ?? '');
    if (!url.endsWith(endpoint[service])) return misbehave.missing(response, '');
    if (headers.authorization !== expected) return misbehave.unauthorized(response, '');
    json(response, 200, signedIn(service, account, origin));
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.on('connection', (socket) => {
    connections += 1;
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      if (open.size === 0) server.emit('idle');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  origin = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  return {
    url: `${origin}${root[service]}`,
    port,
    requests,
    connections: () => connections,
    idle: async () => {
      if (open.size > 0) await once(server, 'idle');
    },
    behave: (next) => {
      behaviour = next;
    },
    release: () => {
      for (const { socket } of held.splice(0)) socket?.destroy();
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
