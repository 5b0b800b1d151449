import { hostname } from 'node:os';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { dayOf } from '../../src/domain/time.ts';
import { asAdmin, asCustomer, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { problemOf, startCliServer } from '../support/cliServer.ts';
import { type CliUser, createCliUser, type Given, ONE_CALL, type Ran } from '../support/cliUser.ts';
import { decideDevice } from '../support/devices.ts';
import { until } from '../support/eventually.ts';
import { asPortalMember, inviteUser, join } from '../support/members.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { itAtLength } from '../support/tiers.ts';

let server: TestServer;
let admin: Client;
let integratorId: string;
let customer: Customer;
let desktop: CliUser;
let laptop: CliUser;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integratorId = (await newIntegrator(admin)).id;
});
afterAll(() => server.close());
beforeEach(async () => {
  customer = await newCustomer(admin, integratorId);
  [desktop, laptop] = [await createCliUser(), await createCliUser()];
  expect((await login(desktop)).code).toBe(0);
});
afterEach(async () => {
  await desktop.leave();
  await laptop.leave();
});

const login = (cliUser: CliUser, more: readonly string[] = [], given: Given = {}): Promise<Ran> =>
  cliUser.run(
    ['login', '--server', server.url, '--key', customer.licenseKey, '--username', 'ada', '--email', 'ada@example.com', ...more],
    given,
  );
const approvalIn = ({ json }: Ran) => json[0]?.approval as { code: string; requestId: string; expiresAt: string };
/** The code of a login on the laptop that needs approval, once the desktop is shown the request. */
const codeOfLaptop = async (): Promise<string> => {
  const { code } = approvalIn(await login(laptop, ['--json']));
  await until(async () => (await desktop.run(['devices'])).out.includes(code));
  return code;
};

describe('a login on a new machine', () => {
  it('exits with 4 and the code without a terminal, and succeeds after the approval', async () => {
    const refused = await login(laptop, ['--json']);
    expect(refused).toMatchObject({ code: 4, json: [{ success: false, code: 'machine_approval_required' }] });
    const { code } = approvalIn(refused);
    expect(refused.err).toContain(code);
    await until(async () => (await desktop.run(['devices'])).out.includes(code));
    expect(await desktop.run(['devices'])).toMatchObject({ code: 0, out: expect.stringContaining('(this machine)') });
    expect((await desktop.run(['devices', 'approve', code.toLowerCase()])).code).toBe(0);
    expect((await login(laptop)).code).toBe(0);
    expect((await laptop.run(['whoami'])).out).toContain('ada <ada@example.com>');
  });

  it('waits with --wait, shows the same code, and continues after the approval', async () => {
    let output = '';
    const waiting = login(laptop, ['--json', '--wait', '60'], { onOut: (text) => (output += text) });
    await until(() => output.includes('approval_required'));
    const { code, requestId } = JSON.parse(output);
    const pendingRequests = async () => ((await desktop.run(['devices', '--json'])).json[0] as { requests: unknown[] }).requests;
    await until(async () => (await pendingRequests()).length > 0);
    expect(await pendingRequests()).toMatchObject([{ id: requestId, code }]);
    await desktop.run(['devices', 'approve', requestId]);
    expect(await waiting).toMatchObject({
      code: 0,
      json: [{ type: 'approval_required', code }, { user: { username: 'ada' } }],
      err: expect.stringContaining(code),
    });
  });

  it('can be interrupted while it waits, and continues with the same request', async () => {
    const interrupt = new AbortController();
    let output = '';
    const waiting = login(laptop, ['--wait', '60'], { interrupted: interrupt.signal, onErr: (text) => (output += text) });
    await until(() => output.includes('Ctrl-C'));
    interrupt.abort();
    const left = await waiting;
    expect(left).toMatchObject({ code: 1, err: expect.stringContaining('The request stays open') });
    expect((await laptop.run(['whoami'])).code).toBe(3);
    const again = await login(laptop, ['--json']);
    expect(left.err).toContain(approvalIn(again).code);
  });

  itAtLength('exits with 4 after the wait and after a denial', async () => {
    expect(await login(laptop, ['--wait', '1'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('run latchkey login again'),
    });
    const code = await codeOfLaptop();
    const waiting = login(laptop, ['--wait', '60', '--json']);
    expect((await desktop.run(['devices', 'deny', code])).code).toBe(0);
    expect((await waiting).code).toBe(4);
    expect(await login(laptop, ['--json'])).toMatchObject({ code: 4, json: [{ code: 'machine_rejected' }] });
  });
});

describe('latchkey devices', () => {
  it('shows the name of the machine that registered its user', async () => {
    const { machines } = (await desktop.run(['devices', '--json'])).json[0] as { machines: { name: string | null }[] };
    expect(machines.map(({ name }) => name)).toEqual([hostname()]);
    expect((await desktop.run(['devices'])).out).toContain(hostname());
  });

  it('renames a machine, and explains the limit of the license', async () => {
    const { name, contactEmail } = customer;
    const limited = await admin.put(`/api/admin/customers/${customer.id}`, { name, contactEmail, machineLimit: 1 });
    expect(limited.body.customer.machineLimit).toBe(1);
    const { machines } = (await desktop.run(['devices', '--json'])).json[0] as { machines: { id: string }[] };
    const id = machines[0]?.id.slice(0, 8) ?? '';
    expect(await desktop.run(['devices', 'rename', id, 'Build server'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Build server'),
    });
    const code = await codeOfLaptop();
    expect(await desktop.run(['devices', 'approve', code, '--json'])).toMatchObject({
      json: [{ code: 'machine_limit_reached', error: expect.stringContaining('latchkey devices revoke') }],
    });
    const asOf = await admin.get(`/api/admin/customers/${customer.id}/as-of?at=${new Date().toISOString()}`);
    expect(asOf.body.customer.machineLimit).toBe(1);
  });

  it('removes a machine, whose session ends', async () => {
    const code = await codeOfLaptop();
    await desktop.run(['devices', 'approve', code]);
    await login(laptop);
    const { machines } = (await desktop.run(['devices', '--json'])).json[0] as { machines: { id: string; current: boolean }[] };
    const other = machines.find(({ current }) => !current);
    expect((await desktop.run(['devices', 'revoke', other?.id.slice(0, 8) ?? ''])).code).toBe(0);
    await until(async () => (await laptop.run(['status'])).code === 3);
    expect((await login(laptop)).code).toBe(4);
  });

  it('reports unknown and ambiguous ids', async () => {
    expect(await desktop.run(['devices', 'approve', 'AAAA-AAAA', '--json'])).toMatchObject({
      code: 1,
      json: [{ code: 'unknown_id' }],
    });
    expect((await laptop.run(['devices'])).code).toBe(3);
  });

  it('changes nothing for an empty, a blank or a too short argument', async () => {
    const code = await codeOfLaptop();
    const before = (await desktop.run(['devices', '--json'])).json[0] as { machines: { id: string }[]; requests: { id: string }[] };
    const id = before.machines[0]?.id ?? '';
    for (const argv of [
      ['approve', ''],
      ['approve', ' '],
      ['deny', ''],
      ['revoke', ''],
      ['revoke', id.slice(0, 3)],
      ['rename', '', 'Desk'],
      ['rename', id.slice(0, 3), 'Desk'],
    ]) {
      const ran = await desktop.run(['devices', ...argv, '--json']);
      expect([argv, ran.code, ran.json[0]?.code]).toEqual([argv, 2, 'wrong_usage']);
    }
    for (const name of ['', ' ', 'x'.repeat(101)]) {
      const { code: exit, err } = await desktop.run(['devices', 'rename', id, name]);
      expect([exit, err.match(/Must/g)?.length]).toEqual([2, 1]);
    }
    for (const part of [before.requests[0]?.id.slice(0, 8) ?? '', code.slice(0, 4)]) {
      for (const decision of ['approve', 'deny']) {
        expect(await desktop.run(['devices', decision, part, '--json'])).toMatchObject({ code: 1, json: [{ code: 'unknown_id' }] });
      }
    }
    expect((await desktop.run(['devices', '--json'])).json[0]).toMatchObject(before);
  });

  it('is shown by connect', async () => {
    const interrupt = new AbortController();
    let output = '';
    const connected = desktop.run(['connect'], { interrupted: interrupt.signal, onOut: (text) => (output += text) });
    await until(() => output.includes('Connected'));
    const { code } = approvalIn(await login(laptop, ['--json']));
    await until(() => output.includes(`latchkey devices approve ${code}`));
    interrupt.abort();
    expect((await connected).code).toBe(0);
  });
});

describe('a login by a code', () => {
  /** The terminal of a user who signs in, and what it has shown so far. */
  const inTerminal = (cliUser: CliUser, more: readonly string[] = [], given: Given = {}) => {
    const shown = { text: '' };
    const ran = cliUser.run(['login', '--server', server.url, ...more], {
      stdin: Object.assign(new PassThrough(), { isTTY: true }),
      tty: true,
      env: { TERM: 'dumb' },
      onErr: (text) => {
        shown.text += text;
      },
      ...given,
    });
    return { shown, ran };
  };
  const codeIn = async (shown: { text: string }): Promise<string> => {
    const code = () => /Code:\s+([A-Z]{4}-[A-Z]{4})/.exec(stripVTControlCharacters(shown.text))?.[1];
    await until(() => code() !== undefined);
    return code() ?? '';
  };
  /** The user of the desktop, signed in to the portal. */
  const ada = async (): Promise<Client> => {
    const portal = await asCustomer(server.url, customer);
    const { users } = (await portal.get('/api/users/with-connections')).body;
    const joined = await join(server.url, await inviteUser(portal, users[0].id), { secondFactor: false });
    return asPortalMember(server.url, joined, 0, customer.id);
  };

  it('shows it with the address, continues after the approval, and lists both machines', async () => {
    const today = () => dayOf(Date.now());
    const begun = today();
    const portal = await ada();
    const { shown, ran } = inTerminal(laptop);
    const userCode = await codeIn(shown);
    expect(shown.text).toContain(`Address: ${server.url}/portal/device`);
    expect(shown.text).toContain(`${server.url}/portal/device?code=${userCode}`);
    expect((await decideDevice(portal, 'approve', { userCode })).status).toBe(200);
    expect(await ran).toMatchObject({ code: 0, out: expect.stringContaining('Signed in to') });
    expect((await laptop.run(['whoami'])).out).toContain('ada <ada@example.com>');
    const { out } = await laptop.run(['devices']);
    const day = `(?:${begun}|${today()})`;
    expect(out.match(new RegExp(`, (?:Linux|macOS|Windows), since ${day}, last seen ${day} \\d\\d:\\d\\d UTC`, 'g'))).toHaveLength(
      2,
    );
    expect(out.match(/\(this machine\)/g)).toHaveLength(1);
    expect((await desktop.run(['record', ...ONE_CALL])).code).toBe(0);
    const { machines } = (await laptop.run(['devices', '--json'])).json[0] as { machines: { id: string; current: boolean }[] };
    const own = machines.find(({ current }) => current);
    expect((await desktop.run(['devices', 'revoke', own?.id ?? ''])).code).toBe(0);
    await until(async () => (await laptop.run(['status'])).code === 3);
  });

  it('without a terminal needs --device, prints the code as JSON, and exits with 4 after a rejection', async () => {
    const missing = await laptop.run(['login', '--server', server.url]);
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('--device') });
    const portal = await ada();
    let out = '';
    const ran = laptop.run(['login', '--server', server.url, '--device', '--json', '--email', 'ada@example.com'], {
      onOut: (text) => {
        out += text;
      },
    });
    await until(() => out.includes('device_code'));
    const { userCode, ...event } = JSON.parse(out);
    expect(event).toEqual({
      type: 'device_code',
      verificationUri: `${server.url}/portal/device`,
      verificationUriComplete: `${server.url}/portal/device?code=${userCode}`,
      expiresAt: expect.stringMatching(/Z$/),
      interval: 1,
    });
    await decideDevice(portal, 'reject', { userCode });
    expect(await ran).toMatchObject({ code: 4, json: [{ userCode }, { success: false, code: 'access_denied' }] });
  });

  itAtLength('exits with 4 after the wait, and with 1 if the code has expired or the user cancels', async () => {
    expect(await inTerminal(laptop, ['--wait', '1']).ran).toMatchObject({
      code: 4,
      err: expect.stringContaining('not approved in time'),
    });
    const expired = inTerminal(laptop);
    await codeIn(expired.shown);
    await server.product.db.deleteFrom('auth.device_request').execute();
    expect(await expired.ran).toMatchObject({ code: 1, err: expect.stringContaining('The code has expired or was used') });
    const interrupt = new AbortController();
    const cancelled = inTerminal(laptop, [], { interrupted: interrupt.signal });
    await codeIn(cancelled.shown);
    interrupt.abort();
    expect(await cancelled.ran).toMatchObject({ code: 1, err: expect.stringContaining('Interrupted: you are not signed in') });
    expect((await laptop.run(['whoami'])).code).toBe(3);
  });

  it('rejects options of the other way to sign in', async () => {
    for (const more of [
      ['--device', '--with-key'],
      ['--device', '--key', 'any'],
      ['--with-key', '--open'],
      ['--device', '--username', 'ada'],
    ]) {
      expect([more, (await laptop.run(['login', '--server', server.url, ...more])).code]).toEqual([more, 2]);
    }
    const wrong = await laptop.run(['login', '--server', server.url, '--device', '--email', 'nobody']);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('--email: Must be an email address') });
  });

  itAtLength('slows down when the server asks for it, and repeats after a failure of the server', async () => {
    const slow = await startCliServer();
    const begun = {
      userCode: 'BDWK-HQPX',
      verificationUri: slow.url,
      verificationUriComplete: slow.url,
      expiresIn: 600,
      interval: 0,
    };
    const replies = [
      problemOf(400, 'authorization_pending', 'Waiting'),
      problemOf(503, 'unavailable', 'Busy'),
      problemOf(400, 'slow_down', 'Slower'),
    ];
    slow.override((path) => {
      if (path === '/api/cli/device') return { status: 200, body: { success: true, deviceCode: 'any', ...begun } };
      return path === '/api/cli/device/token' ? (replies.shift() ?? problemOf(400, 'slow_down', 'Slower')) : null;
    });
    const ran = await laptop.run(['login', '--server', slow.url, '--device', '--wait', '4']); // less than a slower interval
    expect([ran.code, slow.requests.filter((path) => path === '/api/cli/device/token').length]).toEqual([4, 3]);
    await slow.close();
  });
});
