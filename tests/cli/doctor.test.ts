import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAuthority } from '../support/certificates.ts';
import { type CliServer, problemOf, startCliServer } from '../support/cliServer.ts';
import { type CliUser, createCliUser, ONE_CALL } from '../support/cliUser.ts';

let server: CliServer;
let cliUser: CliUser;
let headers: Record<string, string>;

const version = { success: true, version: '0.1.0' };

beforeEach(async () => {
  headers = {};
  server = await startCliServer();
  server.override((path) => (path === '/api/version' ? { status: 200, headers, body: version } : null));
  cliUser = await createCliUser();
});
afterEach(async () => {
  await cliUser.leave();
  await server.close();
});

const statuses = ({ json }: Awaited<ReturnType<CliUser['run']>>) => {
  const checks = z.array(z.object({ name: z.string(), status: z.string() })).parse(json[0]?.checks);
  return Object.fromEntries(checks.map(({ name, status }) => [name, status]));
};

describe('latchkey doctor', () => {
  it('finds nothing wrong after a sign-in', async () => {
    await cliUser.login(server.url);
    const { code, out, err } = await cliUser.run(['doctor']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(new RegExp(`^✓ Address {5}${server.url} is Latchkey 0\\.1\\.0, and replied in \\d+ ms$`, 'm'));
    expect(out).toContain('✓ Clock       This machine and the server agree');
    expect(out).toContain('✓ Sign-in     ada <ada@example.com>, developer of Acme; seat: developer, 3 of 10 taken');
    expect(out).toContain('✓ Queue       All calls are sent');
    expect(await cliUser.run(['doctor', '--json'])).toMatchObject({
      json: [{ ok: true, server: server.url, checks: expect.any(Array) }],
    });
  });

  it('reports a license that has expired, with the exit code of a sign-in', async () => {
    await cliUser.login(server.url);
    const dates = {
      startsAt: '2025-01-01T00:00:00.000Z',
      expiresAt: '2026-01-01T00:00:00.000Z',
      endsAt: '2026-01-08T00:00:00.000Z',
    };
    server.change({ term: { ...dates, graceDays: 7, isTrial: false, state: 'expired' } });
    const { code, out } = await cliUser.run(['doctor']);
    expect(code).toBe(4);
    expect(out).toContain('✗ Sign-in     Your license expired on 2026-01-08');
  });

  it('knows servers that do not publish their version, and older ones that have no route for it', async () => {
    server.override((path) => (path === '/api/version' ? { status: 200, body: { success: true, version: null } } : null));
    expect((await cliUser.run(['doctor', '--server', server.url])).out).toContain(`${server.url} is Latchkey, and replied in`);
    server.override((path) => {
      if (path === '/api/version') return problemOf(404, 'not_found', 'Not found');
      return path === '/api/openapi.json'
        ? { status: 200, body: { openapi: '3.1.0', info: { title: 'API', version: '0.0.9' } } }
        : null;
    });
    expect((await cliUser.run(['doctor', '--server', server.url])).out).toContain(`${server.url} is Latchkey 0.0.9, and replied`);
  });

  it('checks a server before the first sign-in, and needs to know which', async () => {
    const unknown = await cliUser.run(['doctor']);
    expect(unknown).toMatchObject({ code: 3, out: expect.stringContaining('Name the server: latchkey doctor --server URL') });
    const local = await cliUser.run(['doctor', '--json']);
    expect(local).toMatchObject({ code: 3, json: [{ ok: false, server: null }] });
    expect(statuses(local)).toEqual({
      Address: 'failed',
      Encryption: 'skipped',
      Clock: 'skipped',
      'Sign-in': 'skipped',
      Files: 'ok',
      Queue: 'skipped',
    });
    const given = await cliUser.run(['doctor', '--json', '--server', server.url]);
    expect(given.code).toBe(3);
    expect(statuses(given)).toEqual({
      Address: 'ok',
      Encryption: 'ok',
      Clock: 'ok',
      'Sign-in': 'failed',
      Files: 'ok',
      Queue: 'skipped',
    });
    expect(await cliUser.run(['doctor'], { env: { LATCHKEY_SERVER: server.url } })).toMatchObject({
      code: 3,
      out: expect.stringContaining('You are not signed in'),
    });
  });

  it('says that the server is unreachable, or another program', async () => {
    await cliUser.login(server.url);
    server.override(() => ({ status: 200, body: '<html>' }));
    const foreign = await cliUser.run(['doctor']);
    expect(foreign).toMatchObject({ code: 5, out: expect.stringContaining('is not a Latchkey server') });
    await server.close();
    const closed = await cliUser.run(['doctor', '--json']);
    expect([closed.code, closed.json[0]?.ok]).toEqual([5, false]);
    expect(statuses(closed)).toMatchObject({
      Address: 'failed',
      Encryption: 'skipped',
      Clock: 'skipped',
      'Sign-in': 'skipped',
      Queue: 'ok',
    });
    server = await startCliServer();
  });

  it.each([
    [-20_000, 0, '✓ Clock'],
    [90_000, 0, '! Clock       This machine is 90 s behind the server'],
    [-120_000, 0, '! Clock       This machine is 2 min ahead of the server'],
    [-900_000, 1, '✗ Clock       This machine is 15 min ahead of the server, which rejects calls from the future'],
  ])('compares the clock with that of a server which is %i ms ahead', async (ahead, code, text) => {
    await cliUser.login(server.url);
    const now = Date.parse('2026-01-31T12:00:00.500Z');
    headers.date = new Date(now + ahead).toUTCString();
    expect(await cliUser.run(['doctor'], { now: () => now })).toMatchObject({ code, out: expect.stringContaining(text) });
  });

  it('adds the age of a cached reply to its date', async () => {
    const now = Date.parse('2026-01-31T12:10:00.500Z');
    Object.assign(headers, { date: new Date(now - 600_000).toUTCString(), age: '600' });
    const { out } = await cliUser.run(['doctor', '--server', server.url], { now: () => now });
    expect(out).toContain('This machine and the server agree');
  });

  it('says what the server refuses', async () => {
    await cliUser.login(server.url);
    server.endSessions();
    expect(await cliUser.run(['doctor'])).toMatchObject({ code: 3, out: expect.stringContaining('latchkey login') });
    server.override((path) =>
      path === '/api/version' ? { status: 200, body: version } : problemOf(403, 'customer_suspended', 'Your license is suspended'),
    );
    expect(await cliUser.run(['doctor'])).toMatchObject({ code: 4, out: expect.stringContaining('Your license is suspended') });
  });

  it('reports queued calls, rejected ones, and files that cannot be written', async () => {
    await cliUser.login(server.url);
    await cliUser.run(['record', '--no-send', ...ONE_CALL]);
    expect(await cliUser.run(['doctor'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/! Queue {7}Not sent yet: 1 call\n {14}Run latchkey flush to send it, or record another call\./),
    });
    await cliUser.run(['record', ...ONE_CALL, '--operation', 'REFUSED']);
    const rejected = await cliUser.run(['doctor']);
    expect(rejected.out).toMatch(/! Queue {7}All calls are sent; some were rejected\n.*rejected\.ndjson/);

    const blocked = join(cliUser.home, 'blocked');
    writeFileSync(blocked, '');
    const refused = await cliUser.run(['doctor', '--server', server.url], { env: { LATCHKEY_HOME: join(blocked, 'home') } });
    expect(refused.out).toContain('✗ Files');
    expect(refused.out).toContain('Set LATCHKEY_HOME to keep all files of latchkey in another directory');
    rmSync(blocked);
    mkdirSync(blocked);
    expect((await cliUser.run(['doctor', '--server', server.url], { env: { LATCHKEY_HOME: blocked } })).out).toContain('✓ Files');
  });

  it('says what queued calls wait for, as status does', async () => {
    await cliUser.login(server.url);
    const seat = { kind: 'developer', allocated: 1, active: 3, floating: { minutes: 30, leased: 1 } } as const;
    server.change({ seat, lease: null });
    await cliUser.run(['record', '--no-send', ...ONE_CALL]);
    expect((await cliUser.run(['status'])).out).toMatch(/Queued +1 call, waiting for a floating seat/);
    const seatless = await cliUser.run(['doctor']);
    expect(seatless.out).toContain('Not sent yet: 1 call, waiting for a floating seat');
    expect(seatless.out).toContain('once a floating seat is free: latchkey connect --wait');

    server.change({ seat: { ...seat, allocated: 2 } });
    const quota = { limit: 5, kind: 'hard', used: 5, resetsAt: '2050-01-01T00:00:00.000Z' } as const;
    const calls = { accepted: 0, duplicates: 0, rejected: [], refusedFrom: 1, quota };
    server.override((path) => {
      if (path === '/api/version') return { status: 200, body: version };
      if (path !== '/api/cli/api-calls') return null;
      return { status: 403, body: { success: false, error: 'The quota is used up', code: 'quota_exceeded', calls } };
    });
    server.change({ callQuota: quota });
    expect((await cliUser.run(['record', ...ONE_CALL])).code).toBe(11);
    expect((await cliUser.run(['status'])).out).toMatch(/Queued +2 calls, waiting for the quota/);
    const { out } = await cliUser.run(['doctor']);
    expect(out).toContain('Not sent yet: 2 calls, waiting for the quota');
    expect(out).toContain("They'll be sent with a later call, once the quota allows it.");
    expect(out).not.toContain('latchkey flush');
  });

  it('checks the certificate', async () => {
    const authority = createAuthority();
    const secure = await startCliServer(authority.issue(['127.0.0.1']));
    secure.override(() => ({ status: 200, body: version }));
    const untrusted = await cliUser.run(['doctor', '--json', '--server', secure.url]);
    expect(untrusted.code).toBe(5);
    expect(statuses(untrusted)).toMatchObject({ Address: 'ok', Encryption: 'failed', Clock: 'skipped' });

    const file = join(cliUser.home, 'authority.pem');
    writeFileSync(file, authority.cert);
    const bin = join(import.meta.dirname, '../../bin/latchkey.js');
    const env = { PATH: process.env.PATH, LATCHKEY_HOME: cliUser.home, NODE_EXTRA_CA_CERTS: file };
    const child = spawn(process.execPath, [bin, 'doctor', '--server', secure.url], { env });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await once(child, 'close');
    await secure.close();
    expect(text).toMatch(/! Encryption {2}The certificate of .* is valid until \d{4}-\d\d-\d\d\n.*renew it\./);
  });
});
