import { existsSync, lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { customerId } from '../../src/contracts/fields.ts';
import { type CliServer, KEY, problemOf, startCliServer, THEME } from '../support/cliServer.ts';
import { type CliUser, createCliUser, ONE_CALL } from '../support/cliUser.ts';
import { itAtLength } from '../support/tiers.ts';

let server: CliServer;
let cliUser: CliUser;

beforeEach(async () => {
  server = await startCliServer();
  cliUser = await createCliUser();
});
afterEach(async () => {
  await cliUser.leave();
  await server.close();
});

const identity = ['--username', 'ada', '--email', 'ada@example.com'];

describe('latchkey login', () => {
  it('signs in with a key from an option, the environment or standard input, and never shows it', async () => {
    for (const [argv, given] of [
      [['--key', KEY], {}],
      [[], { env: { LATCHKEY_KEY: KEY } }],
      [[], { stdin: `${KEY}\n` }],
    ] as const) {
      const ran = await cliUser.run(['login', '--server', server.url, ...identity, ...argv], given);
      expect([ran.code, ran.err]).toEqual([0, '']);
      expect(ran.out).toContain('Signed in to Acme');
      expect(ran.out).toContain('developer, 3 of 10 taken');
      expect(ran.out).not.toContain(KEY);
    }
    expect(server.logins).toHaveLength(3);
    expect(new Set(server.logins.map((login) => (login as { machineId: string }).machineId)).size).toBe(1);
    expect(readdirSync(cliUser.home, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.tmp'))).toEqual([]);
  });

  it('prints the signed-in user as JSON, without the token', async () => {
    const { code, json } = await cliUser.run(['login', '--json', '--server', server.url, '--key', KEY, ...identity]);
    expect(code).toBe(0);
    expect(json).toEqual([
      expect.objectContaining({
        profile: 'default',
        server: server.url,
        customer: expect.objectContaining({ name: 'Acme' }),
        spooled: 0,
      }),
    ]);
    expect(Object.keys(json[0] ?? {}).sort()).toEqual(['customer', 'profile', 'seat', 'server', 'spooled', 'theme', 'user']);
  });

  it('stores its state in files with mode 0600', async () => {
    await cliUser.login(server.url);
    const entries = readdirSync(cliUser.home, { recursive: true, encoding: 'utf8' }).map((name) =>
      lstatSync(join(cliUser.home, name)),
    );
    expect(entries.filter((entry) => entry.isFile()).map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
    expect(new Set(entries.filter((entry) => entry.isDirectory()).map(({ mode }) => mode & 0o777))).toEqual(new Set([0o700]));
  });

  it('follows the XDG directories, and keeps the state of the machine out of the configuration', async () => {
    const { XDG_CONFIG_HOME, XDG_STATE_HOME } = {
      XDG_CONFIG_HOME: join(cliUser.home, 'c'),
      XDG_STATE_HOME: join(cliUser.home, 's'),
    };
    const env = { LATCHKEY_HOME: '', XDG_CONFIG_HOME, XDG_STATE_HOME };
    await cliUser.run(['login', '--server', server.url, '--key', KEY, ...identity], { env });
    await cliUser.run(['record', ...ONE_CALL], { env });
    expect(readdirSync(join(XDG_CONFIG_HOME, 'latchkey')).sort()).toEqual(['config.json', 'profiles']);
    expect(readdirSync(join(XDG_STATE_HOME, 'latchkey')).sort()).toEqual(['machine-id', 'spool']);
    expect(existsSync(join(cliUser.home, 'spool'))).toBe(false);
  });

  it('takes username and email from the last sign-in, git and the system without a terminal', async () => {
    writeFileSync(join(cliUser.home, '.gitconfig'), '[user]\n\temail = grace@example.com\n');
    const env = { USER: 'grace', LATCHKEY_KEY: KEY };
    expect(await cliUser.run(['login', '--server', server.url], { env })).toMatchObject({ code: 0 });
    expect(server.logins[0]).toMatchObject({ username: 'grace', email: 'grace@example.com' });
    expect(await cliUser.run(['login'], { env: { ...env, USER: 'other' } })).toMatchObject({ code: 0 });
    expect(server.logins[1]).toMatchObject({ username: 'grace', email: 'grace@example.com' });
  });

  it('reports a missing or invalid detail as wrong usage', async () => {
    const cases = [
      [['--server', server.url, ...identity], 'The license key is missing'],
      [['--key', KEY, ...identity], 'Server is missing'],
      [['--server', server.url, '--key', KEY, '--username', 'ada', '--email', 'nobody'], '--email: Must be an email address'],
      [['--server', server.url, '--key', KEY, '--username', 'ada'], 'Email is missing'],
      [['--server', 'ftp://x', '--key', KEY, ...identity], "'ftp://x' is not a valid server address"],
      [['--server', 'http://me:pw@x', '--key', KEY, ...identity], 'is not a valid server address'],
    ] as const;
    for (const [argv, message] of cases) {
      const ran = await cliUser.run(['login', ...argv]);
      expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(message)]);
    }
    expect(server.logins).toEqual([]);
  });

  it('reports why the server rejects a sign-in', async () => {
    const wrong = await cliUser.run(['login', '--server', server.url, '--key', 'LK-ENT-WRONG-XXXXX', ...identity]);
    expect([wrong.code, wrong.err]).toEqual([3, 'latchkey: Unknown license key\n  Check the license key.\n']);
    for (const [status, code, exit] of [
      [403, 'customer_suspended', 4],
      [403, 'license_expired', 4],
      [409, 'seat_limit_reached', 4],
      [429, 'too_many_attempts', 5],
      [400, 'validation_failed', 1],
      [426, 'too_old', 1],
    ] as const) {
      server.override(() => problemOf(status, code, 'The reason of the server'));
      const ran = await cliUser.run(['login', '--json', '--server', server.url, '--key', KEY, ...identity]);
      expect(ran.code).toBe(exit);
      expect(ran.json[0]).toMatchObject({ success: false, code: status === 426 ? 'out_of_date' : code });
    }
  });

  it("removes control characters from the server's texts", async () => {
    const evil = '\u001b]0;owned\u0007\u001b[31mAcme\u001b[0m\r\nnext\u202e';
    server.change({ customer: { id: customerId.parse('11111111-1111-4111-8111-111111111111'), name: evil, status: 'active' } });
    const human = await cliUser.login(server.url);
    expect(human.out).toContain('Signed in to Acme next\n');
    const machine = await cliUser.run(['whoami', '--json']);
    expect(machine.out.replace(/\n$/, '')).not.toMatch(/\p{Cc}|\u202e/u);
    expect(machine.json[0]).toMatchObject({ customer: { name: evil } });
  });
});

describe('latchkey status, whoami and theme', () => {
  it('show the current state of the server', async () => {
    await cliUser.login(server.url);
    await cliUser.run(['record', '--no-send', ...ONE_CALL]);
    server.change({ seat: { kind: 'developer', allocated: -1, active: 1_204 } });
    const status = await cliUser.run(['status', '--json']);
    expect(status.code).toBe(0);
    expect(Object.keys(status.json[0] ?? {})).toEqual(['server', 'customer', 'user', 'seat', 'connected', 'spooled']);
    expect(status.json[0]).toMatchObject({ server: server.url, connected: false, spooled: 1, seat: { active: 1_204 } });
    expect((await cliUser.run(['status'])).out).toContain('developer, 1,204 of unlimited taken');
    expect((await cliUser.run(['whoami'])).out).toBe('ada <ada@example.com>, developer of Acme\n');
    expect((await cliUser.run(['whoami', '--json'])).json[0]).toMatchObject({
      user: { username: 'ada' },
      customer: { name: 'Acme' },
    });
    expect((await cliUser.run(['theme', '--json'])).json[0]).toEqual({ theme: THEME });
    expect((await cliUser.run(['theme'])).out).toContain('primary     #0070AD');
  });

  it('show that no floating seat is held', async () => {
    await cliUser.login(server.url);
    server.change({ seat: { kind: 'developer', allocated: 1, active: 3, floating: { minutes: 30, leased: 1 } }, lease: null });
    const { out } = await cliUser.run(['status']);
    expect(out).toContain('○ No developer seat held');
    expect(out).not.toContain('● Developer seat');
  });

  it('show how long the license runs, and a sign-in warns when it ends soon', async () => {
    const now = () => Date.parse('2027-01-01T12:00:00.000Z');
    const dates = { startsAt: '2026-01-01T00:00:00.000Z', expiresAt: '2027-01-08T00:00:00.000Z', graceDays: 14 };
    const term = { ...dates, endsAt: '2027-01-22T00:00:00.000Z', isTrial: true, state: 'expiring' as const };
    server.change({ term });
    const login = await cliUser.login(server.url, { now });
    expect(login.err).toContain('Your trial ends on 2027-01-08, in 7 days. Ask the person who manages it to renew it.');
    expect((await cliUser.run(['status', '--json'], { now })).json[0]).toMatchObject({ term });
    expect((await cliUser.run(['status'], { now })).out).toContain('trial, ends on 2027-01-08, in 7 days');
    const begun = { ...term, startsAt: '2026-12-31T00:00:00.000Z', expiresAt: '2027-01-31T00:00:00.000Z' };
    server.change({ term: begun });
    const first = await cliUser.login(server.url, { now });
    expect(first.err).toContain('Your trial ends on 2027-01-31, in 30 days.');
    expect(first.err).not.toContain('renew');
    const inJanuary = () => Date.parse('2027-01-17T12:00:00.000Z');
    expect((await cliUser.login(server.url, { now: inJanuary })).err).toContain('in 14 days. Ask the person');
    server.change({ term: { ...begun, isTrial: false } });
    const { err } = await cliUser.login(server.url, { now });
    expect(err).toContain('Your license expires on 2027-01-31, in 30 days.');
    expect(err).not.toContain('renew');
    server.change({ term: { ...term, isTrial: false } });
    expect((await cliUser.login(server.url, { now })).err).toContain('Your license expires on 2027-01-08, in 7 days. Ask');
    const onItsDay = () => Date.parse('2027-01-08T09:00:00.000Z');
    server.change({ term: { ...term, expiresAt: '2027-01-08T23:59:59.999Z' } });
    expect((await cliUser.run(['status'], { now: onItsDay })).out).toContain('trial, ends on 2027-01-08, today');
    server.change({ term });
    const inGrace = () => Date.parse('2027-01-21T12:00:00.000Z');
    expect((await cliUser.run(['status'], { now: inGrace })).out).toContain('works until 2027-01-22, for 1 day');
    const after = () => Date.parse('2027-01-22T00:00:00.000Z');
    server.override(() => 'reset');
    expect((await cliUser.run(['status'], { now: after })).out).toContain('trial, expired on 2027-01-22');
    const offline = await cliUser.run(['entitled', 'jira'], { now: after });
    expect([offline.code, offline.out]).toEqual([5, 'Your license does not include jira now: it has expired.\n']);
    server.override(null);
    server.change({ term: { ...term, state: 'expired' } });
    const refused = await cliUser.run(['entitled', 'jira', '--json'], { now: after });
    expect([refused.code, refused.json[0]]).toEqual([4, { feature: 'jira', entitled: false }]);
    expect(refused.err).toContain('Your license expired on 2027-01-22');
    server.change({ term: undefined });
    expect((await cliUser.run(['status'])).out).not.toContain('License');
  });

  it('show what the license includes, which scripts check by an exit code', async () => {
    await cliUser.login(server.url);
    expect(await cliUser.run(['entitled', 'anything'])).toMatchObject({ code: 0, out: 'Your license includes anything.\n' });
    expect((await cliUser.run(['status'])).out).not.toContain('Includes');
    const jira = { code: 'jira', startsAt: null, endsAt: null };
    const reports = { code: 'reports', startsAt: null, endsAt: '2026-12-31T23:59:59.999Z' };
    server.change({ entitlements: [jira, reports] });
    expect((await cliUser.run(['status'])).out).toContain('jira, reports until 2026-12-31');
    expect((await cliUser.run(['status', '--json'])).json[0]).toMatchObject({ entitlements: [jira, reports] });
    const before = () => Date.parse('2026-12-31T12:00:00.000Z');
    const after = () => Date.parse('2027-01-01T00:00:00.000Z');
    expect(await cliUser.run(['entitled', 'Reports'], { now: before })).toMatchObject({ code: 0 });
    const ended = await cliUser.run(['entitled', 'reports'], { now: after });
    expect([ended.code, ended.out]).toEqual([
      10,
      'Your license does not include reports now: reports until 2026-12-31. Ask the person who manages it.\n',
    ]);
    const json = async (feature: string) => (await cliUser.run(['entitled', feature, '--json'], { now: after })).json;
    expect(await json('reports')).toEqual([{ feature: 'reports', entitled: false, startsAt: null, endsAt: reports.endsAt }]);
    expect(await json('azdo')).toEqual([{ feature: 'azdo', entitled: false }]);
    const call = (service: string, at: string) =>
      JSON.stringify({ service, instanceUrl: 'https://acme.example', operation: 'GET:/issue', status: 200, durationMs: 1, at });
    const at = '2026-12-31T11:00:00Z';
    const lines = [call('jira', at), call('azdo', at), call('confluence', at), call('azdo', at)].join('\n');
    const many = (...more: string[]) => cliUser.run(['record', '--stdin', '--no-send', ...more], { stdin: lines, now: before });
    expect((await many()).out).toContain('Not included in your license: azdo (2 calls), confluence (1 call)\n');
    expect((await many('--json')).json[0]?.notIncluded).toEqual([
      { service: 'azdo', calls: 2 },
      { service: 'confluence', calls: 1 },
    ]);
    for (const none of [[], [''], [' ']]) expect((await cliUser.run(['entitled', ...none])).code).toBe(2);
    server.override(() => 'reset');
    const offline = await cliUser.run(['entitled', 'jira']);
    expect([offline.code, offline.out]).toEqual([5, 'Your license includes jira.\n']);
    server.override(null);
    server.change({ entitlements: undefined });
    expect((await cliUser.run(['entitled', 'azdo'])).code).toBe(0);
    expect((await many()).out).not.toContain('Not included');
  });

  it('show the last known state when the server is unreachable, and report that', async () => {
    await cliUser.login(server.url);
    const { url } = server;
    await server.close();
    for (const command of ['status', 'whoami', 'theme']) {
      const ran = await cliUser.run([command, '--json']);
      expect([ran.code, ran.err]).toEqual([5, expect.stringContaining(`${url} is unreachable: connection refused`)]);
      expect(ran.json).toHaveLength(1);
    }
    expect((await cliUser.run(['status', '--json'])).json[0]).toMatchObject({
      user: { username: 'ada' },
      seat: null,
      connected: null,
    });
    server = await startCliServer();
  });

  itAtLength('show on a terminal how long they wait for a slow server, and nothing elsewhere', async () => {
    await cliUser.login(server.url);
    let seen: () => void = () => undefined;
    const waited = new Promise<void>((resolve) => {
      seen = resolve;
    });
    server.override(async () => {
      await waited;
      return null;
    });
    const ran = await cliUser.run(['whoami'], {
      tty: true,
      env: { TERM: 'xterm' },
      onErr: (text) => {
        if (text.includes(`waiting for ${server.url}, `)) seen();
      },
    });
    expect([ran.code, ran.err.endsWith('\r\u001b[2K')]).toEqual([0, true]);
    expect((await cliUser.run(['whoami'])).err).toBe('');
  });

  it('report that no user is signed in', async () => {
    for (const command of ['status', 'whoami', 'theme', 'connect', 'flush']) {
      const ran = await cliUser.run([command, '--json']);
      expect([ran.code, ran.json]).toEqual([3, [{ success: false, error: 'You are not signed in', code: 'not_signed_in' }]]);
    }
    await cliUser.login(server.url);
    server.endSessions();
    expect(await cliUser.run(['status'])).toMatchObject({ code: 3, err: 'latchkey: Please sign in\n  Run: latchkey login\n' });
  });
});

describe('latchkey logout', () => {
  it('ends the session locally and on the server, keeps spooled calls, and is idempotent', async () => {
    await cliUser.login(server.url);
    await cliUser.run(['record', '--no-send', ...ONE_CALL]);
    expect(await cliUser.run(['logout', '--json'])).toMatchObject({
      code: 0,
      json: [{ profile: 'default', signedOut: true, spooled: 1 }],
    });
    expect(server.requests.at(-1)).toBe('/api/cli/logout');
    expect(await cliUser.run(['status'])).toMatchObject({ code: 3, out: expect.stringContaining('Queued    1 call') });
    expect(await cliUser.run(['logout', '--json'])).toMatchObject({ code: 0, json: [{ signedOut: false, spooled: 1 }] });
    expect(await cliUser.run(['record', ...ONE_CALL])).toMatchObject({ code: 3, out: 'Recorded 1 call: 2 queued\n' });
    expect((await cliUser.login(server.url)).out).toContain('2 calls; send with: latchkey flush');
    expect(await cliUser.run(['flush'])).toMatchObject({ code: 0, out: 'Sent: 2 accepted\n' });
  });

  it('signs out locally when the server cannot be notified', async () => {
    await cliUser.login(server.url);
    await server.close();
    expect(await cliUser.run(['logout'])).toMatchObject({
      code: 5,
      err: expect.stringContaining('The server could not be notified'),
    });
    expect(await cliUser.run(['status'])).toMatchObject({ code: 3 });
    server = await startCliServer();
  });
});

describe('the command line', () => {
  it('prints its help', async () => {
    const help = await cliUser.run(['--help']);
    expect([help.code, help.err]).toEqual([0, '']);
    expect(help.out).toContain('Exit codes:');
    expect((await cliUser.run([])).out).toBe(help.out);
    expect((await cliUser.run(['help', 'record'])).out).toContain('--duration-ms <ms>');
    expect((await cliUser.run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('exits with 2 on wrong usage', async () => {
    for (const argv of [
      ['lgin'],
      ['status', '--what'],
      ['completion'],
      ['completion', 'tcsh'],
      ['profiles', 'use'],
      ['status', 'now'],
    ]) {
      const ran = await cliUser.run(argv);
      expect([argv, ran.code, ran.out]).toEqual([argv, 2, '']);
      expect(ran.err).toMatch(/^latchkey: /);
    }
    expect((await cliUser.run(['lgin'])).err).toContain('Did you mean login?');
    expect(await cliUser.run(['--json'])).toMatchObject({ code: 2, json: [{ success: false, error: 'No command given' }] });
    expect((await cliUser.run(['lgin', '--json'])).json[0]).toMatchObject({ success: false, code: 'wrong_usage' });
  });

  it('reports which file it cannot use', async () => {
    writeFileSync(join(cliUser.home, 'profiles'), 'a file where a folder should be');
    expect(await cliUser.run(['status'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^latchkey: .*profiles.* cannot be used: not a directory/),
    });
  });
});
