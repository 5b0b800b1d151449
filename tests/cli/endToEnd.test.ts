import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../src/cli/exit.ts';
import { createRecorder } from '../../src/cli/recording/recorder.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asAdmin, asCustomer, asIntegrator, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { type CliUser, callLine, callLines, createCliUser, ONE_CALL, type Ran } from '../support/cliUser.ts';
import { eventually, until } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { itAtLength } from '../support/tiers.ts';

let server: TestServer;
let admin: Client;
let integrator: ServiceIntegrator;
let customer: Customer;
let cliUser: CliUser;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
});
afterAll(() => server.close());
beforeEach(async () => {
  customer = await newCustomer(admin, integrator.id, { developerSeats: 1 });
  cliUser = await createCliUser();
});
afterEach(() => cliUser.leave());

const login = (who: CliUser, username = 'ada', more: readonly string[] = []): Promise<Ran> =>
  who.run([
    ...['login', '--server', server.url, '--key', customer.licenseKey, '--username', username],
    ...['--email', `${username}@example.com`, ...more],
  ]);
const change = (changes: Record<string, unknown>) =>
  admin.put(`/api/admin/customers/${customer.id}`, { name: 'Acme', contactEmail: 'it@acme.example', ...changes });
const seen = async (): Promise<Customer> => (await admin.get(`/api/admin/customers/${customer.id}`)).body.customer;
const callsOf = (expected: number) =>
  eventually(
    async () => (await seen()).totalApiCalls,
    (total) => total === expected,
  );

/** A policy ends the sessions after the reply to a change, and with them those that are opened until then. */
const sessionsEnd = (): Promise<void> =>
  until(async () => (await server.product.sessions.count({ kind: 'cli', customerId: customer.id })) === 0);

/** Runs `connect` until it has printed the welcome: the connection is counted a moment before, and only then is the user signed in. */
const connectTerminal = async (...options: readonly string[]): Promise<{ running: ReturnType<typeof cliUser.run> }> => {
  let output = '';
  const running = cliUser.run(['connect', ...options], {
    onOut: (text) => {
      output += text;
    },
  });
  await eventually(
    () => output,
    (text) => /"welcome"|Connected to Acme/.test(text),
  );
  return { running };
};

describe('the command against the real server', () => {
  it('signs in, takes a seat, prints the user and signs out', async () => {
    expect(await login(cliUser)).toMatchObject({ code: 0, out: expect.stringContaining('developer, 1 of 1 taken') });
    expect((await cliUser.run(['whoami'])).out).toBe('ada <ada@example.com>, developer of Acme\n');
    expect((await cliUser.run(['status', '--json'])).json[0]).toMatchObject({
      server: server.url,
      customer: { id: customer.id, name: 'Acme' },
      seat: { kind: 'developer', allocated: 1, active: 1 },
      connected: false,
      spooled: 0,
    });
    expect((await cliUser.run(['theme', '--json'])).json[0]).toMatchObject({ theme: { name: 'plain' } });
    expect(await cliUser.run(['logout'])).toMatchObject({ code: 0, err: '' });
    expect(await cliUser.run(['whoami'])).toMatchObject({ code: 3 });
    expect(await login(cliUser)).toMatchObject({ code: 0 });
  });

  it('keeps the calls beyond a hard quota, asks seldom, and sends them once the quota allows it', async () => {
    const quota = (limit: number) => change({ callQuota: { limit, kind: 'hard' } });
    await quota(5);
    await login(cliUser);
    const recorded = await cliUser.run(['record', '--stdin', '--json'], { stdin: callLines(8) });
    expect(recorded).toMatchObject({ code: EXIT.overQuota, json: [{ recorded: 8, accepted: 5, rejected: 0, spooled: 3 }] });
    expect(recorded.err).toContain('The quota of 5 API calls a month is used up');
    expect(recorded.err).toContain("3 calls queued. They'll be sent with a later call, once the quota allows it.");
    expect((await cliUser.run(['flush', '--json'])).code).toBe(EXIT.overQuota);
    const status = await cliUser.run(['status']);
    expect(status.out).toMatch(/Quota +5 of 5 calls \(100%\), hard, resets on \d{4}-\d{2}-01/);
    expect(status.out).toMatch(/Queued +3 calls, waiting for the quota/);
    await quota(7);
    const held = await cliUser.run(['record', ...ONE_CALL, '--json']);
    expect(held).toMatchObject({ code: EXIT.overQuota, json: [{ recorded: 1, accepted: 0, spooled: 4 }] });
    expect(held.err).toMatch(/The quota of 5 API calls a month is used up until \d{4}-\d{2}-01 \(UTC\), or until it is raised/);
    expect((await cliUser.run(['usage'])).out).toMatch(/Quota of the license +5 of 7 calls/);
    const more = await cliUser.run(['record', ...ONE_CALL, '--json']);
    expect(more).toMatchObject({ code: EXIT.overQuota, json: [{ accepted: 2, spooled: 3 }] });
    const later = () => Date.now() + 15 * 60_000;
    const at = ['--at', new Date().toISOString()];
    expect(await cliUser.run(['record', ...ONE_CALL, ...at, '--json'], { now: later })).toMatchObject({
      code: EXIT.overQuota,
      err: expect.stringContaining('0 of 4 calls were recorded'),
    });
    await change({ callQuota: null });
    expect(await cliUser.run(['flush', '--json'])).toMatchObject({ code: 0, json: [{ accepted: 4, spooled: 0 }] });
    await callsOf(11);
  });

  it('is rejected without a free seat, with a wrong key and while suspended', async () => {
    await login(cliUser);
    const other = await createCliUser();
    expect(await login(other, 'bob')).toMatchObject({ code: 4, err: expect.stringContaining('Every seat of this kind is taken') });
    const wrong = await other.run([
      'login',
      '--server',
      server.url,
      '--key',
      'LK-ENT-WRONG-XXXXX',
      '--username',
      'b',
      '--email',
      'b@example.com',
    ]);
    expect(wrong).toMatchObject({ code: 3, err: expect.stringContaining('Unknown license key') });
    await other.leave();

    await change({ status: 'suspended' });
    expect(await login(cliUser)).toMatchObject({ code: 4, err: expect.stringContaining('suspended') });
    expect((await cliUser.run(['record', '--json', ...ONE_CALL])).json[0]).toMatchObject({ recorded: 1, accepted: 0, spooled: 1 });
    await sessionsEnd();
    await change({ status: 'active' });
    await login(cliUser);
    expect(await cliUser.run(['flush', '--json'])).toMatchObject({ code: 0, json: [{ accepted: 1, spooled: 0 }] });
    await callsOf(1);
  });

  it("records calls that the customer's usage shows exactly once", async () => {
    await login(cliUser);
    expect((await cliUser.run(['usage'])).out).toMatch(/Error rate +—\n(.*\n)+No calls yet\. /);
    expect(await cliUser.run(['record', '--json', ...ONE_CALL])).toMatchObject({
      code: 0,
      json: [{ recorded: 1, accepted: 1, duplicates: 0, rejected: 0, spooled: 0 }],
    });
    const source = ['record', '--stdin', '--json', '--source', `build-${randomUUID()}`];
    const stdin = `${callLines(2_500)}{"broken"\n${callLine(2_502, { service: 'azdo', status: 500 })}\n`;
    expect(await cliUser.run(source, { stdin })).toMatchObject({
      code: 1,
      json: [{ recorded: 2_501, accepted: 2_501, rejected: 1 }],
    });
    await callsOf(2_502);
    const again = await cliUser.run(source, { stdin: stdin.replace('{"broken"', callLine(2_501)) });
    expect(again).toMatchObject({ code: 0, json: [{ recorded: 2_502, rejected: 0, spooled: 0 }] });
    await callsOf(2_503);
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const usage = (await (await asCustomer(server.url, customer)).get(`/api/customer/usage?days=7&zone=${zone}`)).body.usage;
    expect(usage).toMatchObject({ totalApiCalls: 2_503, totalErrors: 1 });
    expect((await cliUser.run(['usage', '--json', '--days', '7'])).json).toMatchObject([
      { days: 7, usage: { ...usage, users: null }, spooled: 0 },
    ]);
    const { code, out } = await cliUser.run(['usage', '--days', '7']);
    expect(code).toBe(0);
    expect(out).toContain(`Your API calls in the last 7 days (${zone})`);
    expect(out).toMatch(/Total API calls +2,503\n(.*\n)+.*Total errors +1\n +Calls by day +█\n/);
    expect(out).toContain('https://acme.atlassian.net (jira): 2,502 calls');
  });

  it('reports calls that the server rejects', async () => {
    await login(cliUser);
    const ran = await cliUser.run(['record', ...ONE_CALL, '--at', '2020-01-01T00:00:00Z']);
    expect(ran).toMatchObject({ code: 1, out: 'Recorded 1 call: 1 rejected\n', err: expect.stringContaining('400 days') });
    expect(await cliUser.run(['record', ...ONE_CALL])).toMatchObject({ code: 0 });
  });

  it('records the rest of a batch with a rejected call, and saves that call with the reason', async () => {
    await login(cliUser);
    const lines = Array.from({ length: 10 }, (_, index) => callLine(index, index === 3 ? { at: '2020-01-01T00:00:00Z' } : {}));
    const ran = await cliUser.run(['record', '--stdin', '--json', '--source', 'nightly'], { stdin: lines.join('\n') });
    expect(ran).toMatchObject({ code: 1, json: [{ recorded: 10, accepted: 9, duplicates: 0, rejected: 1, spooled: 0 }] });
    await callsOf(9);
    const [, file = ''] = /^Rejected calls and reasons: (.*)$/m.exec(ran.err) ?? [];
    const kept = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(kept.map((line) => JSON.parse(line))).toMatchObject([
      { sourceId: 'nightly', sequence: 4, reason: expect.stringContaining('400 days'), call: { operation: 'GET:/issue/3' } },
    ]);
    const mended = kept.map((line) => JSON.stringify({ ...JSON.parse(line).call, at: undefined })).join('\n');
    expect(await cliUser.run(['record', '--stdin', '--json'], { stdin: mended })).toMatchObject({
      code: 0,
      json: [{ accepted: 1 }],
    });
    await callsOf(10);
  });

  it('shows presence, applies a new theme immediately and exits when access is revoked', async () => {
    await login(cliUser);
    let output = '';
    const running = cliUser.run(['connect', '--json'], {
      onOut: (text) => {
        output += text;
      },
    });
    await eventually(
      () => output,
      (text) => text.includes('"welcome"'),
    );
    await eventually(
      async () => (await seen()).activeConnections,
      (open) => open === 1,
    );
    expect((await cliUser.run(['status', '--json'])).json[0]).toMatchObject({ connected: true });
    const reseller = await asIntegrator(server.url, integrator);
    expect(
      (
        await reseller.put(`/api/service-integrator/customers/${customer.id}`, {
          name: 'Acme',
          contactEmail: 'it@acme.example',
          company: 'Acme Inc.',
          theme: 'aurora',
          status: 'active',
        })
      ).status,
    ).toBe(200);
    await eventually(
      () => output,
      (text) => text.includes('"type":"theme"'),
    );
    await change({ status: 'suspended' });
    const { code, json, err } = await running;
    expect(code).toBe(4);
    expect(err).toMatch(/^latchkey: You were signed out: This license is suspended\n/);
    expect(json.map(({ type }) => type)).toEqual(expect.arrayContaining(['welcome', 'theme', 'revoked']));
    await eventually(
      async () => (await seen()).activeConnections,
      (open) => open === 0,
    );
  });

  it('shows the user as connected until both of two terminals disconnect', async () => {
    await login(cliUser);
    const terminals = await Promise.all(
      [new AbortController(), new AbortController()].map(async (leave) => {
        let output = '';
        const running = cliUser.run(['connect'], {
          interrupted: leave.signal,
          onOut: (text) => {
            output += text;
          },
        });
        await eventually(
          () => output,
          (text) => text.includes('Connected to Acme'),
        );
        return { leave, running };
      }),
    );
    const connections = (expected: number) =>
      eventually(
        async () => (await seen()).activeConnections,
        (open) => open === expected,
      );
    await connections(2);
    for (const [index, { leave, running }] of terminals.entries()) {
      expect((await cliUser.run(['status', '--json'])).json[0]).toMatchObject({ connected: true });
      leave.abort();
      expect(await running).toMatchObject({ code: 0, err: 'Disconnected\n' });
      await connections(1 - index);
    }
    expect((await cliUser.run(['status', '--json'])).json[0]).toMatchObject({ connected: false });
  });

  it('notifies every terminal of a suspended user immediately, and accepts the user again afterwards', async () => {
    await login(cliUser);
    const { user } = (await cliUser.run(['whoami', '--json'])).json[0] as { user: { id: string } };
    const terminals = await Promise.all([connectTerminal(), connectTerminal('--json')]);
    await eventually(
      async () => (await seen()).activeConnections,
      (open) => open === 2,
    );
    await admin.put(`/api/admin/users/${user.id}/status`, { status: 'suspended' });
    for (const { running } of terminals) {
      const { code, err } = await running;
      expect([code, err.split('\n')[0]]).toEqual([4, 'latchkey: You were signed out: Your user was suspended']);
    }
    expect(await cliUser.run(['status'])).toMatchObject({ code: 4, err: expect.stringContaining('This user is suspended') });
    expect(await cliUser.run(['logout'])).toMatchObject({ code: 0, err: '' });
    expect(await login(cliUser)).toMatchObject({ code: 4 });
    await admin.put(`/api/admin/users/${user.id}/status`, { status: 'active' });
    expect(await login(cliUser)).toMatchObject({ code: 0 });
  });

  itAtLength(
    'disconnects a user who becomes a stakeholder, keeps the recorded calls, and sends them once the role allows it',
    async () => {
      await login(cliUser);
      const { user } = (await cliUser.run(['whoami', '--json'])).json[0] as { user: { id: string } };
      const setRole = (role: string) =>
        admin.put(`/api/admin/users/${user.id}`, { username: 'ada', email: 'ada@example.com', role });
      const terminal = await connectTerminal();
      await eventually(
        async () => (await seen()).activeConnections,
        (open) => open === 1,
      );
      await setRole('stakeholder');
      const { code, err } = await terminal.running;
      expect([code, err.split('\n')[0]]).toEqual([
        4,
        'latchkey: You were signed out: Your role is now stakeholder, which has portal access only',
      ]);
      const refused = { code: 4, err: expect.stringContaining('Your role is stakeholder, which has portal access only. Ask') };
      expect(await cliUser.run(['status'])).toMatchObject(refused);
      expect(await login(cliUser)).toMatchObject(refused);
      expect(await cliUser.run(['record', ...ONE_CALL, '--json'])).toMatchObject({
        ...refused,
        json: [{ recorded: 1, spooled: 1 }],
      });
      expect(await cliUser.run(['flush', '--json'])).toMatchObject({ ...refused, json: [{ accepted: 0, spooled: 1 }] });
      await sessionsEnd();
      await setRole('developer');
      expect(await cliUser.run(['flush'])).toMatchObject({ code: 3 });
      expect(await login(cliUser)).toMatchObject({ code: 0 });
      expect(await cliUser.run(['flush', '--json'])).toMatchObject({ code: 0, json: [{ accepted: 1, spooled: 0 }] });
      await callsOf(1);
    },
  );

  it('requires a new sign-in when the license key is rotated during a connection', async () => {
    await login(cliUser);
    const { running } = await connectTerminal();
    expect((await admin.post(`/api/admin/customers/${customer.id}/rotate-key`, {})).status).toBe(200);
    expect(await running).toMatchObject({
      code: 3,
      err: expect.stringContaining('The license key was rotated: sign in with the new one\n  Run: latchkey login'),
    });
    expect(await login(cliUser)).toMatchObject({ code: 3, err: expect.stringContaining('Check the license key.') });
  });

  itAtLength('reconnects after a restart of its node', async () => {
    await login(cliUser);
    const node = await server.openNode();
    const interrupt = new AbortController();
    await cliUser.run(['login', '--server', node.url, '--key', customer.licenseKey]);
    let output = '';
    const running = cliUser.run(['connect'], {
      interrupted: interrupt.signal,
      onOut: (text) => {
        output += text;
      },
    });
    await eventually(
      () => output,
      (text) => text.includes('Connected to Acme'),
    );
    await node.close();
    const next = await server.openNode({ PORT: new URL(node.url).port });
    await eventually(
      () => output.split('Connected to Acme').length,
      (times) => times === 3,
      90_000, // twice the longest pause between two attempts, and a start
    );
    interrupt.abort();
    expect(await running).toMatchObject({ code: 0, err: expect.stringMatching(/trying again/) });
    await next.close();
  });

  itAtLength('reports that a file sent again right away has nothing new', async () => {
    await login(cliUser);
    const argv = ['record', '--stdin', '--source', 'build-7'];
    const stdin = callLines(1_200);
    expect((await cliUser.run(argv, { stdin })).out).toBe(
      'Recorded 1,200 calls: 1,200 accepted\nSource: build-7, calls 1 to 1200\n',
    );
    expect((await cliUser.run(argv, { stdin })).out).toBe('Nothing new: all 1,200 calls were already recorded\n');
    expect((await cliUser.run(argv, { stdin: `${stdin}${callLine(1)}\n` })).out).toBe(
      'Recorded 1,201 calls: 1 accepted, 1,200 duplicates\nSource: build-7, calls 1 to 1201\n',
    );
    await callsOf(1_201);
  });

  itAtLength('queues calls while the server is down', async () => {
    await login(cliUser);
    const node = await server.openNode();
    await cliUser.run(['login', '--server', node.url, '--key', customer.licenseKey]);
    await node.close();
    expect(await cliUser.run(['record', '--json', ...ONE_CALL])).toMatchObject({ code: 5, json: [{ recorded: 1, spooled: 1 }] });
    await cliUser.run(['login', '--server', server.url, '--key', customer.licenseKey]);
    expect(await cliUser.run(['record', '--json', ...ONE_CALL])).toMatchObject({
      code: 0,
      json: [{ recorded: 1, accepted: 2, spooled: 0 }],
    });
    await callsOf(2);
  });

  it('records from a program', async () => {
    await login(cliUser);
    const recorder = createRecorder({ env: { LATCHKEY_HOME: cliUser.home } });
    for (let index = 0; index < 1_200; index++) {
      recorder.record({
        service: 'confluence',
        instanceUrl: 'https://acme.example/wiki',
        operation: 'GET:/page',
        ok: true,
        durationMs: 3,
      });
    }
    expect(await recorder.close({ deadlineMs: 60_000 })).toMatchObject({ recorded: 1_200, accepted: 1_200, spooled: 0 });
    await callsOf(1_200);
  });
});
