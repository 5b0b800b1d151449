import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ProbedCredential, probeCredential } from '../../src/outbound/credentialProbe.ts';
import { startDnsServer } from '../support/dnsServer.ts';
import { type Behaviour, startThirdParty, type ThirdPartyService } from '../support/thirdParties.ts';
import { IS_AT_LENGTH } from '../support/tiers.ts';
import { closedAfterEach, GENEROUS_TIMEOUT_MS, startAnswering } from './loopback.ts';

const USERNAME = 'ada@acme.example';
const SECRET = 'Analytical-Engine-1843';
const TOKEN = 'ATATT3xFfGF0-difference-engine';
const services = ['jira', 'azdo', 'confluence'] as const;
const called = { jira: 'Jira', azdo: 'Azure DevOps', confluence: 'Confluence' } as const;
const login = {
  jira: 'username or the password',
  azdo: 'personal access token',
  confluence: 'username or the password',
} as const;

const closedAfter = closedAfterEach();

const account = (service: ThirdPartyService, secret = SECRET) => ({ username: service === 'azdo' ? '' : USERNAME, secret });
const start = async (service: ThirdPartyService, secret?: string) =>
  closedAfter(await startThirdParty(service, account(service, secret)));

const stored = (service: ThirdPartyService, instanceUrl: string, own: Partial<ProbedCredential> = {}): ProbedCredential => ({
  service,
  instanceUrl,
  username: USERNAME,
  password: SECRET,
  apiToken: null,
  ...own,
});

const allow = ['127.0.0.1/32'];
const clock = () => 0;
const probe = (credential: ProbedCredential, own: Partial<Parameters<typeof probeCredential>[1]> = {}) =>
  probeCredential(credential, { allow, clock, timeoutMs: GENEROUS_TIMEOUT_MS, ...own });

describe.each(services)('a credential of %s', (service) => {
  it('is accepted by the service that knows it', async () => {
    const server = await start(service);
    expect(await probe(stored(service, server.url))).toEqual({
      ok: true,
      detail: `${called[service]} accepted the login.`,
      durationMs: 0,
    });
  });

  it('is refused when its secret is wrong', async () => {
    const server = await start(service, 'another');
    const result = await probe(stored(service, server.url));
    expect(result).toMatchObject({ ok: false, detail: `${called[service]} refused the ${login[service]} (401).` });
  });

  it.each<[Behaviour, RegExp]>([
    ['unauthorized', /refused the .*\(401\)/],
    ['forbidden', /does not allow this account to use its API \(403\)/],
    ['captcha', /requires a CAPTCHA .*\(403\)/],
    ['missing', /was not found at this address \(404\)/],
    ['throttled', /too many requests \(429\)/],
    ['broken', /replied with a server error \(500\)/],
    ['redirect', /redirects to https:\/\/sso\.example\.test \(302\)/],
    ['slow', /^127\.0\.0\.1:\d+ did not reply within 0\.15 s\.$/],
    ['drip', /^127\.0\.0\.1:\d+ did not reply within 0\.15 s\.$/],
    ['huge', /larger than 64 KiB/],
    ['hugeHeaders', /larger than 16 KiB/],
    ['page', /is not JSON/],
    ['unrecognized', /does not come from/],
    ['reset', /^127\.0\.0\.1:\d+ closed the connection/],
    ['truncated', /^127\.0\.0\.1:\d+ closed the connection/],
    ['noHttp', /^127\.0\.0\.1:\d+ does not speak HTTP/],
  ])('fails for the server behavior "%s" and reports it', async (behaviour, detail) => {
    const server = await start(service);
    server.behave(behaviour);
    const timeoutMs = behaviour === 'slow' || behaviour === 'drip' ? 150 : GENEROUS_TIMEOUT_MS;
    const result = await probe(stored(service, server.url), { timeoutMs });
    expect(result.ok).toBe(false);
    expect(result.detail).toMatch(detail);
  });

  it('fails when nothing listens', async () => {
    const { url, close } = await startThirdParty(service, account(service));
    await close();
    expect((await probe(stored(service, url))).detail).toMatch(/refused the connection\.$/);
  });

  it('fails when the address is not allowed, without a connection', async () => {
    const server = await start(service);
    const result = await probe(stored(service, server.url), { allow: [] });
    expect(result).toMatchObject({
      ok: false,
      detail: `127.0.0.1:${server.port} resolves to a loopback address, which this server is not allowed to reach.`,
    });
    expect(server.connections()).toBe(0);
  });

  it('sends its login and its user agent in one request', async () => {
    const server = await start(service);
    await probe(stored(service, server.url));
    const user = service === 'azdo' ? '' : USERNAME;
    expect(server.requests).toMatchObject([
      {
        method: 'GET',
        headers: {
          authorization: `Basic ${Buffer.from(`${user}:${SECRET}`).toString('base64')}`,
          accept: 'application/json',
          'user-agent': 'latchkey',
        },
      },
    ]);
  });
});

describe('the failures', () => {
  it('have distinct details', async () => {
    const server = await start('jira');
    const kinds: readonly Behaviour[] = [
      'unauthorized',
      'forbidden',
      'captcha',
      'missing',
      'throttled',
      'broken',
      'redirect',
      'slow',
      'huge',
      'page',
      'unrecognized',
      'reset',
      'noHttp',
    ];
    const details: string[] = [];
    for (const kind of kinds) {
      server.behave(kind);
      details.push((await probe(stored('jira', server.url), { timeoutMs: kind === 'slow' ? 150 : GENEROUS_TIMEOUT_MS })).detail);
    }
    expect(new Set(details).size).toBe(kinds.length);
  });

  it('distinguish an unknown name from a failing name server', async () => {
    const dns = closedAfter(await startDnsServer({ 'down.example.test': { A: ['servfail'], AAAA: ['servfail'] } }));
    const at = async (host: string) => (await probe(stored('jira', `https://${host}`), { resolver: dns.resolve })).detail;
    expect(await at('nowhere.example.test')).toBe('The host name nowhere.example.test does not exist. Check the instance URL.');
    expect(await at('down.example.test')).toMatch(/^The host name down\.example\.test could not be resolved/);
  });

  it('do not reveal the address of a name', async () => {
    const resolver = () => Promise.resolve(['10.47.11.8']);
    const { detail } = await probe(stored('jira', 'https://intranet.example.test'), { resolver });
    expect(detail).toBe('intranet.example.test resolves to a private address, which this server is not allowed to reach.');
  });

  it('distinguish disallowed plain http from a disallowed address', async () => {
    const resolver = () => Promise.resolve(['93.184.216.34']);
    const { detail } = await probe(stored('jira', 'http://jira.example.test'), { resolver });
    expect(detail).toBe('The instance URL must start with https. Otherwise the login is sent unencrypted.');
  });

  it.each([
    ['jira.example.test', /is not a valid URL/],
    ['', /is not a valid URL/],
    ['https://', /is not a valid URL/],
    ['ftp://jira.example.test', /must have the form https:/],
    ['mailto:ada@acme.example', /must have the form https:/],
    ['https://ada:secret@jira.example.test', /must have the form https:/],
    ['https://jira.example.test:0', /must have the form https:/],
  ])('for the instance URL "%s" precede any DNS query', async (instanceUrl, detail) => {
    const resolver = () => Promise.reject(new Error('Looked up'));
    expect((await probe(stored('jira', instanceUrl), { resolver })).detail).toMatch(detail);
  });

  it('have the duration of the given clock', async () => {
    const ticks = [1000, 1234.56];
    const result = await probe(stored('jira', 'https://127.0.0.1'), { allow: [], clock: () => ticks.shift() ?? 0 });
    expect(result.durationMs).toBe(235);
  });
});

describe('Jira', () => {
  it('gets the API token if there is one', async () => {
    const server = await start('jira', TOKEN);
    expect(await probe(stored('jira', server.url, { apiToken: TOKEN }))).toMatchObject({ ok: true });
    const wrong = await probe(stored('jira', server.url, { password: TOKEN, apiToken: 'another' }));
    expect(wrong).toMatchObject({ ok: false, detail: 'Jira refused the username or the API token (401).' });
  });

  it('gets the password if the API token is empty', async () => {
    const server = await start('jira');
    expect(await probe(stored('jira', server.url, { apiToken: '' }))).toMatchObject({ ok: true });
  });

  it.each([
    ['', '/rest/api/2/myself'],
    ['/', '/rest/api/2/myself'],
    ['/jira', '/jira/rest/api/2/myself'],
    ['/jira//', '/jira/rest/api/2/myself'],
    ['/jira/?os_authType=none#top', '/jira/rest/api/2/myself'],
    ['/a/../jira', '/jira/rest/api/2/myself'],
  ])('at the base "%s" is asked at %s', async (base, path) => {
    const server = await start('jira');
    expect(await probe(stored('jira', `${server.url}${base}`))).toMatchObject({ ok: true });
    expect(server.requests.map((request) => request.path)).toEqual([path]);
  });

  it('gets user names and secrets in UTF-8', async () => {
    const username = 'žofie';
    const password = 'pä:ß\r\nx: 1 🔑';
    const server = closedAfter(await startThirdParty('jira', { username, secret: password }));
    expect(await probe(stored('jira', server.url, { username, password }))).toMatchObject({ ok: true });
  });

  it('gets no request for a user name with a colon', async () => {
    const server = await start('jira');
    const result = await probe(stored('jira', server.url, { username: 'ada:lovelace' }));
    expect(result).toMatchObject({ ok: false, detail: 'A username with a colon cannot be used to sign in.' });
    expect(server.requests).toEqual([]);
  });
});

describe('Confluence', () => {
  it.each([
    ['team.atlassian.net', '', '/wiki/rest/api/user/current'],
    ['team.atlassian.net', '/', '/wiki/rest/api/user/current'],
    ['team.atlassian.net', '/wiki', '/wiki/rest/api/user/current'],
    ['team.atlassian.net', '/wiki/', '/wiki/rest/api/user/current'],
    ['confluence.example.test', '', '/rest/api/user/current'],
    ['confluence.example.test', '/confluence', '/confluence/rest/api/user/current'],
    ['atlassian.net.example.test', '', '/rest/api/user/current'],
  ])('at %s%s is asked at %s', async (host, base, path) => {
    const server = await start('confluence');
    const resolver = () => Promise.resolve(['127.0.0.1']);
    const instanceUrl = `http://${host}:${server.port}${base}`;
    expect(await probe(stored('confluence', instanceUrl), { resolver })).toMatchObject({ ok: true });
    expect(server.requests.map((request) => request.path)).toEqual([path]);
  });

  it('that replies as to an anonymous user has not accepted the login', async () => {
    const server = await start('confluence');
    server.behave('anonymous');
    const { ok, detail } = await probe(stored('confluence', server.url));
    expect([ok, detail]).toEqual([
      false,
      'Confluence did not recognize the username or the password and replied as to an anonymous user.',
    ]);
  });
});

describe('Azure DevOps', () => {
  it('uses the password as personal access token and ignores the user name', async () => {
    const server = await start('azdo');
    expect(await probe(stored('azdo', server.url, { username: 'name: it is' }))).toMatchObject({ ok: true });
    expect(server.requests).toMatchObject([
      { path: '/acme/_apis/connectionData', headers: { 'x-tfs-fedauthredirect': 'Suppress' } },
    ]);
  });

  it.each(['signInPage', 'signInRedirect'] as const)('that replies with a %s has not accepted the token', async (behaviour) => {
    const server = await start('azdo');
    server.behave(behaviour);
    expect(await probe(stored('azdo', server.url))).toMatchObject({
      ok: false,
      detail: 'Azure DevOps redirects to its sign-in page: the personal access token is wrong or has expired.',
    });
  });

  it('that replies as to an anonymous user has not accepted the token', async () => {
    const server = await start('azdo');
    server.behave('anonymous');
    expect((await probe(stored('azdo', server.url))).detail).toMatch(/^Azure DevOps did not recognize the personal access token/);
  });
});

describe('the reported detail', () => {
  const secrets = [USERNAME, SECRET, TOKEN];
  const holdsSecret = (detail: string): boolean =>
    [...secrets, ...secrets.map((secret) => Buffer.from(`${USERNAME}:${secret}`).toString('base64'))].some((secret) =>
      detail.toLowerCase().includes(secret.toLowerCase()),
    );

  it.each(services)('of %s contains no secret for any server behavior', async (service) => {
    const server = await start(service, TOKEN);
    const kinds: readonly Behaviour[] = [
      'normal',
      'unauthorized',
      'redirect',
      'signInRedirect',
      'page',
      'unrecognized',
      'reset',
      'noHttp',
    ];
    for (const kind of kinds) {
      server.behave(kind);
      const { detail } = await probe(stored(service, server.url, { apiToken: TOKEN }));
      expect(holdsSecret(detail)).toBe(false);
      expect(detail).toMatch(/^[\x20-\x7e…]{10,500}$/);
    }
  });

  it('of a redirect contains its host at most, unless the host contains parts of the request', async () => {
    const hosts = fc.oneof(
      fc.constantFrom(...secrets).map((secret) => `${secret.replace(/[^a-z0-9-]/gi, '-')}.example.test`),
      fc.constantFrom(SECRET, TOKEN).map((secret) => `${secret}.example.test/${secret}?was=${secret}#${secret}`),
      fc.webUrl({ withQueryParameters: true, withFragments: true }).map((url) => url.replace(/^https?:\/\//, '')),
      fc.string({ minLength: 1 }),
    );
    let location = '';
    const server = closedAfter(await startAnswering((_, response) => response.writeHead(302, { location }).end()));
    await fc.assert(
      fc.asyncProperty(hosts, fc.constantFrom('https://', '//', '', 'javascript:', 'https:'), async (host, scheme) => {
        location = `${scheme}${host}`.replace(/[^\x20-\x7e\xa0-\xff]/g, '?');
        const { ok, detail } = await probe(stored('jira', server.url, { apiToken: TOKEN }));
        expect(ok).toBe(false);
        expect(holdsSecret(detail)).toBe(false);
        expect(detail).toMatch(
          /^The instance URL redirects to (https?:\/\/[^\s/?#]{1,110}|somewhere else|another page of the same host) \(302\)\./,
        );
      }),
      { numRuns: IS_AT_LENGTH ? 150 : 40 },
    );
  });
});
