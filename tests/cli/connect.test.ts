import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, dayOf } from '../../src/domain/time.ts';
import { type CliServer, startCliServer, THEME } from '../support/cliServer.ts';
import { type CliUser, createCliUser, type Ran } from '../support/cliUser.ts';
import { eventually, until } from '../support/eventually.ts';
import { itAtLength } from '../support/tiers.ts';

let server: CliServer;
let cliUser: CliUser;
let interrupt: AbortController;
let output = '';
let errors = '';

beforeEach(async () => {
  server = await startCliServer();
  cliUser = await createCliUser();
  await cliUser.login(server.url);
  interrupt = new AbortController();
  output = '';
  errors = '';
});
afterEach(async () => {
  interrupt.abort();
  await cliUser.leave();
  await server.close();
});

const connect = (...argv: string[]): Promise<Ran> =>
  cliUser.run(['connect', ...argv], {
    interrupted: interrupt.signal,
    onOut: (text) => {
      output += text;
    },
    onErr: (text) => {
      errors += text;
    },
  });

describe('latchkey connect', () => {
  it('stays connected until Ctrl-C, and closes cleanly', async () => {
    const running = connect();
    await until(() => output.includes('Connected to Acme as ada'));
    expect(server.sockets()).toBe(1);
    interrupt.abort();
    expect(await running).toMatchObject({ code: 0, err: 'Disconnected\n' });
    await until(() => server.sockets() === 0);
  });

  it('prints each frame as one line, including unknown ones', async () => {
    const running = connect('--json');
    await until(() => output.includes('welcome'));
    const theme = { ...THEME, displayName: 'Meridian' };
    server.push({ type: 'theme', theme });
    server.push({ type: 'seat', seat: { kind: 'developer', allocated: 5, active: 5 } });
    server.push({ type: 'entitlements', entitlements: [{ code: 'jira', startsAt: null, endsAt: null }] });
    server.push({ type: 'news', of: 'tomorrow' });
    await until(() => output.includes('news'));
    interrupt.abort();
    const { json, code } = await running;
    expect(code).toBe(0);
    expect(json.map(({ type }) => type)).toEqual(['welcome', 'theme', 'seat', 'entitlements', 'news']);
    expect(json[4]).toEqual({ type: 'news', of: 'tomorrow' });
    server.override(() => 'reset');
    expect((await cliUser.run(['theme', '--json'])).json[0]).toEqual({ theme });
    expect(await cliUser.run(['status'])).toMatchObject({ code: 5, out: expect.stringMatching(/Includes +jira/) });
  });

  it('prints a new theme and a new seat as text', async () => {
    const running = connect();
    await until(() => output.includes('Connected'));
    server.push({ type: 'theme', theme: { ...THEME, displayName: 'Meri\u001b[2Jdian' } });
    server.push({ type: 'seat', seat: { kind: 'developer', allocated: 5, active: 5 } });
    await until(() => output.includes('5 of 5'));
    server.push({ type: 'entitlements', entitlements: null });
    await until(() => output.includes('  Includes: everything\n'));
    const callQuota = { limit: 1_000, kind: 'hard', used: 900, resetsAt: '2026-12-01T00:00:00.000Z' } as const;
    const term = {
      startsAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2126-01-08T00:00:00.000Z',
      endsAt: '2126-01-22T00:00:00.000Z',
      graceDays: 14,
      isTrial: false,
      state: 'active',
    } as const;
    server.push({ type: 'term', term });
    await until(() => output.includes('  License: expires on 2126-01-08\n'));
    const [expiresAt, endsAt] = [-DAY_MS, 13 * DAY_MS].map((ms) => new Date(Date.now() + ms).toISOString());
    server.push({ type: 'term', term: { ...term, expiresAt, endsAt, state: 'grace' } });
    const [expired, ended] = [dayOf(expiresAt ?? ''), dayOf(endsAt ?? '')];
    await until(() => output.includes(`  License: expired on ${expired}, works until ${ended}, for `));
    server.override(() => 'reset');
    expect(await cliUser.run(['status'])).toMatchObject({ code: 5, out: expect.stringContaining(`expired on ${expired}`) });
    server.push({ type: 'term', term: null });
    await until(() => output.includes('  License: perpetual\n'));
    server.push({ type: 'call_quota', callQuota });
    await until(() => output.includes('  Quota: 900 of 1,000 calls (90%), hard, resets on 2026-12-01\n'));
    server.push({ type: 'call_quota', callQuota: null });
    await until(() => output.includes('  Quota: none\n'));
    expect(output).toContain('  Theme: Meridian\n  Seat: developer, 5 of 5 taken\n');
    interrupt.abort();
    await running;
  });

  it('does not advise to wait for a floating seat while it waits for one', async () => {
    const running = connect('--wait');
    await until(() => output.includes('Connected'));
    const seats = 'Every floating developer seat is in use (1 of 1). The next one becomes free at 14:05 UTC at the earliest.';
    const advice = 'Wait with "latchkey connect --wait", or ask the person who manages your license to add seats.';
    server.push({ type: 'revoked', reason: `${seats} ${advice}` });
    server.closeSockets(4403, 'seat_limit_reached');
    await until(() => errors.includes('trying again'));
    interrupt.abort();
    expect((await running).err).toContain(`${seats.slice(0, -1)}; trying again in 15 s\n`);
  });

  it('reconnects with the same id after a lost connection and a restart, and reports both', async () => {
    const running = connect();
    await until(() => server.hellos.length === 1);
    server.breakSockets();
    await until(() => server.hellos.length === 2);
    await until(() => server.sockets() === 1);
    server.closeSockets(1012, 'restart');
    await until(() => server.hellos.length === 3);
    expect(new Set(server.hellos).size).toBe(1);
    interrupt.abort();
    const { code, err } = await running;
    expect(code).toBe(0);
    expect(err).toMatch(/closed the connection; trying again in \d+ s\n/);
    expect(err).toMatch(/is restarting; trying again in \d+ s\n/);
  });

  it('reports a lost connection as JSON', async () => {
    const running = connect('--json');
    await until(() => server.hellos.length === 1);
    server.breakSockets();
    await until(() => server.hellos.length === 2);
    interrupt.abort();
    const lost = (await running).json.find(({ type }) => type === 'disconnected');
    expect(lost).toMatchObject({ code: 'closed', retryInMs: expect.any(Number) });
  });

  it('retries an unreachable server until --give-up-after', async () => {
    await server.close();
    const ran = await connect('--give-up-after', '5');
    expect([ran.code, ran.err]).toEqual([5, expect.stringContaining('connection refused; trying again')]);
    server = await startCliServer();
  });

  it('exits immediately when access is revoked', async () => {
    const running = connect();
    await until(() => server.hellos.length === 1);
    server.push({ type: 'revoked', reason: 'This license is suspended' });
    server.closeSockets(4403);
    expect(await running).toMatchObject({
      code: 4,
      err: 'latchkey: You were signed out: This license is suspended\n  Contact the person who manages your license.\n',
    });
    expect(server.hellos).toHaveLength(1);
  });

  it('names an expired license, after which the session stays', async () => {
    const running = connect();
    await until(() => server.hellos.length === 1);
    const reason = 'This license has expired. Ask your service integrator or your administrator to renew it.';
    server.push({ type: 'revoked', reason });
    server.closeSockets(4403, 'license_expired');
    expect(await running).toMatchObject({ code: 4, err: `latchkey: ${reason}\n` });
  });

  it('suggests a new sign-in after a key rotation', async () => {
    const running = connect();
    await until(() => server.hellos.length === 1);
    server.push({ type: 'revoked', reason: 'The license key was rotated: sign in with the new one' });
    server.closeSockets(4401);
    expect(await running).toMatchObject({
      code: 3,
      err: expect.stringContaining('sign in with the new one\n  Run: latchkey login\n'),
    });
  });

  itAtLength('does not reconnect when the connection breaks or falls silent after a revocation', async () => {
    for (const end of [() => server.breakSockets(), () => undefined]) {
      const before = server.hellos.length;
      const running = connect();
      await until(() => server.hellos.length === before + 1);
      server.push({ type: 'revoked', reason: 'Your user was suspended' });
      await eventually(
        () => server.sockets(),
        (sockets) => sockets === 1,
      );
      end();
      expect(await running).toMatchObject({ code: 4, err: expect.stringContaining('Your user was suspended') });
      expect(server.hellos).toHaveLength(before + 1);
    }
  });

  it('exits with 3 when the session has ended and with 4 when it may not connect', async () => {
    for (const [close, code] of [
      [4401, 3],
      [4403, 4],
      [4400, 1],
    ] as const) {
      const before = server.hellos.length;
      const running = connect();
      await until(() => server.sockets() === 1 && server.hellos.length === before + 1);
      server.closeSockets(close, 'reason');
      expect((await running).code).toBe(code);
    }
    server.endSessions();
    expect((await connect()).code).toBe(3);
    expect(server.hellos).toHaveLength(3);
  });

  it('rejects a service that is not a Latchkey server', async () => {
    const running = connect();
    await until(() => server.hellos.length === 1);
    server.push({ greeting: 'hello' });
    expect(await running).toMatchObject({ code: 5, err: expect.stringContaining('is not a Latchkey server') });
  });
});
