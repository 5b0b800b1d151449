import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { asAdmin, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { type CliUser, createCliUser, type Given, type Ran } from '../support/cliUser.ts';
import { until } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';

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

  it('exits with 4 after the wait and after a denial', async () => {
    expect(await login(laptop, ['--wait', '1'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('run latchkey login again'),
    });
    const { code } = approvalIn(await login(laptop, ['--json']));
    const waiting = login(laptop, ['--wait', '60', '--json']);
    expect((await desktop.run(['devices', 'deny', code])).code).toBe(0);
    expect((await waiting).code).toBe(4);
    expect(await login(laptop, ['--json'])).toMatchObject({ code: 4, json: [{ code: 'machine_rejected' }] });
  });
});

describe('latchkey devices', () => {
  it('removes a machine, whose session ends', async () => {
    const { code } = approvalIn(await login(laptop, ['--json']));
    await desktop.run(['devices', 'approve', code]);
    await login(laptop);
    const { machines } = (await desktop.run(['devices', '--json'])).json[0] as { machines: { id: string; current: boolean }[] };
    const other = machines.find(({ current }) => !current);
    expect((await desktop.run(['devices', 'remove', other?.id.slice(0, 8) ?? ''])).code).toBe(0);
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
