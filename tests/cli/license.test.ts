import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeProtectedHeader, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { EXIT } from '../../src/cli/exit.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import { OFFLINE_LICENSE_TYPE, type OfflineLicenseReply } from '../../src/contracts/offlineLicenses.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { asAdmin, asCustomer, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { type CliUser, createCliUser, type Given, ONE_CALL } from '../support/cliUser.ts';
import { openServer, type TestServer } from '../support/server.ts';

/** The clock of the server. */
let ahead = 0;
const now = () => Date.now() + ahead;

let server: TestServer;
let admin: Client;
let integratorId: string;
let customer: Customer;
let cliUser: CliUser;

beforeAll(async () => {
  server = await openServer({}, { now });
  admin = await asAdmin(server.url);
  integratorId = (await newIntegrator(admin)).id;
});
afterAll(() => server.close());
beforeEach(async () => {
  customer = await newCustomer(admin, integratorId);
  cliUser = await userOfCli();
  const argv = ['login', '--server', server.url, '--key', customer.licenseKey, '--username', 'ada', '--email', 'ada@example.com'];
  expect(await cliUser.run(argv)).toMatchObject({ code: 0 });
});

const userOfCli = async (): Promise<CliUser> => {
  const created = await createCliUser();
  onTestFinished(() => created.leave());
  return created;
};

const fileIn = (user: CliUser, name: string) => join(user.home, 'licenses', name);
const storedLicense = async (): Promise<string> => (await readFile(fileIn(cliUser, 'default.jwt'), 'utf8')).trim();
const at = (ms: number): Given => ({ now: () => Date.now() + ms });
const verify = (given: Given = {}, ...more: string[]) => cliUser.run(['license', 'verify', '--json', ...more], given);

/** From now on the tool of the user finds no server. */
const disconnect = async (user: CliUser): Promise<void> => {
  const file = join(user.home, 'profiles', 'default.json');
  const profile = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...profile, server: 'http://127.0.0.1:1' }));
};

const issueFor = async (fingerprint: string): Promise<OfflineLicenseReply> => {
  const portal = await asCustomer(server.url, customer);
  const userId = (await portal.get('/api/users/with-connections')).body.users[0].id;
  const reply = await portal.post(`/api/users/${userId}/offline-licenses`, { fingerprint, machineName: 'vault' });
  expect(reply).toMatchObject({ status: 200 });
  return reply.body;
};

describe('an offline license', () => {
  it('is fetched, shown, and recorded in the history', async () => {
    const { code, json } = await cliUser.run(['license', 'fetch', '--json']);
    const [shown] = json;
    expect({ code, shown }).toMatchObject({
      code: 0,
      shown: {
        valid: true,
        customer: { id: customer.id, name: customer.name },
        user: { username: 'ada', role: 'developer', seat: 'developer' },
        license: { tier: 'ENT', term: null },
      },
    });
    const text = await storedLicense();
    expect(decodeProtectedHeader(text)).toMatchObject({ alg: 'EdDSA', typ: OFFLINE_LICENSE_TYPE });
    expect(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()).not.toContain(customer.licenseKey);
    expect(Date.parse(String(shown?.expiresAt)) - Date.parse(String(shown?.issuedAt))).toBe(7 * DAY_MS);
    expect((await readdir(join(cliUser.home, 'licenses'))).sort()).toEqual(['default.jwks.json', 'default.jwt', 'latest-time']);

    const details = { name: customer.name, contactEmail: customer.contactEmail };
    const include = (entitlements: unknown) => admin.put(`/api/admin/customers/${customer.id}`, { ...details, entitlements });
    await include([{ code: 'reports', endsAt: '2050-12-31T23:59:59.999Z' }]);
    expect((await cliUser.run(['license', 'fetch'])).out).toMatch(/Includes +reports until 2050-12-31/);
    expect(await cliUser.run(['entitled', 'reports'])).toMatchObject({ code: EXIT.done });
    expect(await cliUser.run(['entitled', 'jira'])).toMatchObject({ code: EXIT.notEntitled });
    await include(null);
    const again = await cliUser.run(['license', 'fetch', '--json']);
    expect(again.json[0]).toMatchObject({ id: shown?.id, expiresAt: shown?.expiresAt });
    const { body } = await admin.get(`/api/admin/customers/${customer.id}/history?type=OfflineLicenseIssued`);
    const day = String(shown?.expiresAt).slice(0, 10);
    expect(body.history).toMatchObject([{ summary: `User ada got an offline license until ${day}`, actor: { kind: 'user' } }]);
  });

  it('is verified without a server, also by a command that cannot reach it', async () => {
    expect(await verify()).toMatchObject({ code: EXIT.failed, json: [{ code: 'no_offline_license' }] });
    await cliUser.run(['license', 'fetch']);
    await disconnect(cliUser);
    expect(await verify()).toMatchObject({ code: 0, json: [{ valid: true }] });
    const offline = await cliUser.run(['status']);
    expect(offline).toMatchObject({ code: EXIT.unreachable, err: expect.stringContaining('Your offline license is valid') });

    const expired = { code: EXIT.licenseExpired, err: expect.stringContaining('The offline license expired at') };
    expect(await cliUser.run(['status'], at(8 * DAY_MS))).toMatchObject(expired);
    expect(await cliUser.run(['record', ...ONE_CALL], at(8 * DAY_MS))).toMatchObject(expired);
    expect(await verify(at(8 * DAY_MS))).toMatchObject({ ...expired, json: [{ code: 'offline_license_expired' }] });
  });

  it('answers which features are included without a server, and on a machine without a sign-in', async () => {
    const details = { name: customer.name, contactEmail: customer.contactEmail };
    const include = (...codes: string[]) =>
      admin.put(`/api/admin/customers/${customer.id}`, { ...details, entitlements: codes.map((code) => ({ code })) });
    await include('reports');
    await cliUser.run(['license', 'fetch']);
    await include('jira');
    const isEntitled = (user: CliUser, feature: string, given: Given = {}) => user.run(['entitled', feature, '--json'], given);
    expect(await isEntitled(cliUser, 'jira')).toMatchObject({ code: EXIT.done });
    await disconnect(cliUser);
    const until = expect.stringContaining('Your offline license is valid on this machine until');
    expect(await isEntitled(cliUser, 'reports')).toMatchObject({ code: EXIT.done, json: [{ entitled: true }], err: until });
    expect(await isEntitled(cliUser, 'jira')).toMatchObject({ code: EXIT.notEntitled, json: [{ entitled: false }], err: until });
    const last = { code: EXIT.licenseExpired, json: [{ success: false, code: 'offline_license_expired' }] };
    expect(await isEntitled(cliUser, 'jira', at(8 * DAY_MS))).toMatchObject(last);

    const vault = await userOfCli();
    expect(await isEntitled(vault, 'jira')).toMatchObject({ code: EXIT.notSignedIn });
    const { json } = await vault.run(['license', 'fingerprint', '--json']);
    const path = join(vault.home, 'license.json');
    await writeFile(path, JSON.stringify(await issueFor(String(json[0]?.fingerprint))));
    expect(await vault.run(['license', 'import', path])).toMatchObject({ code: EXIT.done });
    expect(await isEntitled(vault, 'jira')).toMatchObject({ code: EXIT.done, json: [{ entitled: true }], err: until });
    expect(await isEntitled(vault, 'reports')).toMatchObject({ code: EXIT.notEntitled, json: [{ entitled: false }] });
    const expired = [{ code: 'offline_license_expired' }];
    expect(await isEntitled(vault, 'jira', at(8 * DAY_MS))).toMatchObject({ code: EXIT.licenseExpired, json: expired });
  });

  it('that is not valid leaves no feature to the last known state', async () => {
    await cliUser.run(['license', 'fetch']);
    await disconnect(cliUser);
    const text = await storedLicense();
    expect(await cliUser.run(['entitled', 'jira'])).toMatchObject({ code: EXIT.done });
    const unreachable = expect.stringContaining('is unreachable');
    const back = await cliUser.run(['entitled', 'jira', '--json'], at(-DAY_MS));
    expect(back).toMatchObject({
      code: EXIT.clockRolledBack,
      json: [{ success: false, code: 'clock_rolled_back' }],
      err: unreachable,
    });
    await writeFile(fileIn(cliUser, 'default.jwt'), `${text.slice(0, -8)}AAAAAAAA`);
    const forged = await cliUser.run(['entitled', 'jira', '--json']);
    expect(forged).toMatchObject({ code: EXIT.licenseForged, json: [{ success: false, code: 'offline_license_forged' }] });
    expect(forged.json).toHaveLength(1);
    expect(await cliUser.run(['entitled', 'jira'])).toMatchObject({ code: EXIT.licenseForged, out: '' });
  });

  it('does not hold after the clock was set back, until the server says what time it is', async () => {
    await cliUser.run(['license', 'fetch']);
    expect(await verify(at(-DAY_MS))).toMatchObject({ code: EXIT.clockRolledBack, json: [{ code: 'clock_rolled_back' }] });
    expect(await verify(at(3 * DAY_MS))).toMatchObject({ code: 0 });
    const back = await verify();
    expect(back).toMatchObject({ code: EXIT.clockRolledBack, err: expect.stringContaining('Set the clock') });
    expect(back.err).toContain(`remove ${fileIn(cliUser, 'latest-time')}`);
    expect(back.err).not.toContain('license import');
    const imported = await cliUser.run(['license', 'import', fileIn(cliUser, 'default.jwt')]);
    expect(imported).toMatchObject({ code: EXIT.clockRolledBack });
    await rm(fileIn(cliUser, 'latest-time'));
    expect(await verify()).toMatchObject({ code: 0 });
    const beforeIssue = await verify(at(-DAY_MS));
    expect(beforeIssue).toMatchObject({ code: EXIT.clockRolledBack, err: expect.stringContaining('the license was issued at') });
    expect(beforeIssue.err).not.toContain('latest-time');
    expect(await verify(at(3 * DAY_MS))).toMatchObject({ code: 0 });
    expect(await verify()).toMatchObject({ code: EXIT.clockRolledBack });
    expect(await cliUser.run(['license', 'fetch'])).toMatchObject({ code: 0 });
    expect(await verify()).toMatchObject({ code: 0 });
  });

  it('does not hold if it was changed, or signed for something else or with another key', async () => {
    await cliUser.run(['license', 'fetch']);
    const text = await storedLicense();
    const [header = '', payload = '', signature = ''] = text.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const longer = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 86_400 })).toString('base64url');
    const own = generateKeyPairSync('ed25519').privateKey;
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: OFFLINE_LICENSE_TYPE })).toString('base64url');
    const forgeries = [
      `${header}.${longer}.${signature}`,
      `${unsigned}.${payload}.`,
      await new SignJWT(claims).setProtectedHeader({ ...decodeProtectedHeader(text), alg: 'EdDSA' }).sign(own),
      await server.product.signingKeys.sign(claims, { type: 'JWT', until: new Date(now()).toISOString() }),
    ];
    for (const forgery of forgeries) {
      await writeFile(fileIn(cliUser, 'default.jwt'), forgery);
      expect(await verify()).toMatchObject({ code: EXIT.licenseForged, json: [{ code: 'offline_license_forged' }] });
    }
    await writeFile(fileIn(cliUser, 'default.jwt'), text);
    expect(await verify()).toMatchObject({ code: 0 });

    const { x } = createPublicKey(own).export({ format: 'jwk' });
    const keys = [{ kty: 'OKP', crv: 'Ed25519', x, kid: 'own', use: 'sig', alg: 'EdDSA' }];
    const license = await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid: 'own', typ: OFFLINE_LICENSE_TYPE }).sign(own);
    const file = join(cliUser.home, 'self-signed.json');
    await writeFile(file, JSON.stringify({ license, keys }));
    for (const argv of [
      ['import', file],
      ['verify', '--file', file],
    ]) {
      expect(await cliUser.run(['license', ...argv])).toMatchObject({ code: EXIT.licenseForged });
    }
    expect(await storedLicense()).toBe(text);
    expect(await verify()).toMatchObject({ code: 0 });
  });

  it('is distinguished from other files, also by a machine that has no keys yet', async () => {
    const [isolated, file] = [await userOfCli(), join(cliUser.home, 'other')];
    for (const content of ['', 'no license', Buffer.from([0xff, 0xfe, 0, 1]), JSON.stringify({ keys: [] })]) {
      await writeFile(file, content);
      for (const argv of [
        ['verify', '--file', file],
        ['import', file],
      ]) {
        const ran = await isolated.run(['license', ...argv, '--json']);
        expect(ran).toMatchObject({ code: EXIT.licenseForged, json: [{ code: 'offline_license_unreadable' }] });
        expect(ran.err).toContain(`${file} contains no offline license`);
      }
    }
    await cliUser.run(['license', 'fetch']);
    await writeFile(fileIn(cliUser, 'default.jwt'), 'no license');
    expect(await verify()).toMatchObject({ code: EXIT.licenseForged, json: [{ code: 'offline_license_unreadable' }] });
  });

  it('is fetched on a second machine where machines need no approval, and removed by the logout', async () => {
    const portal = await asCustomer(server.url, customer);
    expect((await portal.put('/api/customer/machine-approval', { enforced: false })).status).toBe(200);
    const second = await userOfCli();
    const argv = ['login', '--server', server.url, '--key', customer.licenseKey, '--username', 'ada', '--email', 'ada@example.com'];
    expect(await second.run(argv)).toMatchObject({ code: 0 });
    expect(await second.run(['license', 'fetch'])).toMatchObject({ code: 0 });
    expect(await second.run(['logout'])).toMatchObject({ code: 0 });
    expect(await second.run(['license', 'verify', '--json'])).toMatchObject({ json: [{ code: 'no_offline_license' }] });
  });

  it('is issued by the portal for a machine without a connection, and only holds there', async () => {
    const isolated = await userOfCli();
    const fingerprint = (await isolated.run(['license', 'fingerprint'])).out.trim();
    const spelled = `${fingerprint.slice(0, 16).toUpperCase()}-${fingerprint.slice(16)}`;
    const { license, keys } = await issueFor(spelled);
    const file = join(isolated.home, 'offline-license.json');
    await writeFile(file, JSON.stringify({ license, keys }));
    const imported = await isolated.run(['license', 'import', file]);
    expect(imported).toMatchObject({ code: 0, out: expect.stringContaining(`vault (${fingerprint})`) });
    expect(await isolated.run(['license', 'verify'])).toMatchObject({ code: 0 });

    const [bare, jwks] = [join(cliUser.home, 'bare.jwt'), join(cliUser.home, 'jwks.json')];
    await writeFile(bare, license);
    const other = await verify({}, '--file', bare);
    expect(other).toMatchObject({ code: EXIT.failed, json: [{ code: 'keys_missing' }] });
    await writeFile(jwks, JSON.stringify((await admin.get('/.well-known/jwks.json')).body));
    const elsewhere = await verify({}, '--file', bare, '--keys', jwks);
    expect(elsewhere).toMatchObject({ code: EXIT.wrongMachine, json: [{ code: 'offline_license_wrong_machine' }] });
    expect(elsewhere.err).toContain(fingerprint);
    expect(await verify({}, '--file', join(cliUser.home, 'none'))).toMatchObject({
      code: EXIT.usage,
      json: [{ code: 'file_missing' }],
    });
    expect(await verify({}, '--keys', jwks)).toMatchObject({ code: EXIT.usage });

    const portal = await asCustomer(server.url, customer);
    const refused = await portal.post(`/api/users/${customer.id}/offline-licenses`, { fingerprint: 'abc' });
    expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: 'fingerprint' }] } });
  });

  it('is verified by a retired key until it expires', async () => {
    await cliUser.run(['license', 'fetch']);
    const file = fileIn(cliUser, 'default.jwt');
    const jwks = join(cliUser.home, 'jwks.json');
    const published = async (): Promise<string[]> => {
      const { body } = await admin.get('/.well-known/jwks.json');
      await writeFile(jwks, JSON.stringify(body));
      return body.keys.map(({ kid }: { kid: string }) => kid);
    };
    const former = decodeProtectedHeader(await storedLicense()).kid;
    const { active } = await server.product.signingKeys.rotate();
    expect(await published()).toEqual([active, former]);
    expect(await verify({}, '--file', file, '--keys', jwks)).toMatchObject({ code: 0 });
    const { json } = await cliUser.run(['license', 'fingerprint', '--json']);
    const { license } = await issueFor(String(json[0]?.fingerprint));
    expect(decodeProtectedHeader(license).kid).toBe(active);
    const renewed = join(cliUser.home, 'renewed.json');
    await writeFile(renewed, license);
    const unknown = await cliUser.run(['license', 'import', renewed, '--json']);
    expect(unknown).toMatchObject({ code: EXIT.licenseForged, json: [{ code: 'offline_license_key_unknown' }] });
    expect(unknown.err).toContain('latchkey license import FILE --keys jwks.json');
    ahead += 7 * DAY_MS + 1_000;
    try {
      expect(await published()).toEqual([active]);
      expect(await verify({}, '--file', file, '--keys', jwks)).toMatchObject({ code: EXIT.licenseForged });
    } finally {
      ahead = 0;
    }
    expect(await cliUser.run(['license', 'import', renewed, '--keys', jwks])).toMatchObject({ code: 0 });
    const revoked = await server.product.signingKeys.rotate({ revoke: true });
    expect(await published()).toEqual([revoked.active]);
  });

  it('is not issued for a suspended license', async () => {
    const cli = await readFile(join(cliUser.home, 'profiles', 'default.json'), 'utf8');
    const userId = JSON.parse(cli).user.id;
    const change = { name: 'Acme', contactEmail: 'ops@acme.example', status: 'suspended' };
    expect(await admin.put(`/api/admin/customers/${customer.id}`, change)).toMatchObject({ status: 200 });
    const reply = await admin.post(`/api/admin/users/${userId}/offline-licenses`, { fingerprint: 'f'.repeat(32) });
    expect(reply).toMatchObject({
      status: 403,
      body: { code: 'customer_suspended', error: expect.stringContaining('reactivate') },
    });
    expect((await cliUser.run(['license', 'fetch'])).code).toBeGreaterThan(0);
    await expect(storedLicense()).rejects.toThrow('ENOENT');
  });
});
