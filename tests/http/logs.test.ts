import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loggedError } from '../../src/http/requests/logging.ts';
import { asAdmin, asCustomer, asIntegrator, asTool, clientOf, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { ADMIN_KEY } from '../support/keys.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { openToolSocket } from '../support/toolSocket.ts';

let dataDir: string;
let server: ServerProcess;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'latchkey-logs-'));
  server = await startServerProcess(dataDir, { LOG_LEVEL: 'trace' });
});

afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

it('the log has every request, and no key, token, secret or email address', async () => {
  const admin = await asAdmin(server.url);
  const integrator = await newIntegrator(admin, {
    contactEmail: 'canary-partner@contoso.example',
    billingEmail: 'canary-bills@contoso.example',
  });
  const customer = await newCustomer(admin, integrator.id, { contactEmail: 'canary-customer@acme.example' });
  const [partner, portal] = [await asIntegrator(server.url, integrator), await asCustomer(server.url, customer)];
  const tool = await asTool(server.url, customer, 'canary-user');
  const nobody = clientOf(server.url);
  const json = { 'content-type': 'application/json' };
  const secrets = [
    'canary-password',
    'canary-api-token',
    'canary-new-password',
    'canary-wrong-key',
    'canary-in-broken-json',
    'canary-search',
  ];

  await nobody.post('/api/auth/admin/login', { adminKey: 'canary-wrong-key' });
  await nobody.send('POST', '/api/auth/admin/login', { headers: json, body: '{"adminKey": "canary-in-broken-json' });
  await nobody.post('/api/auth/customer/login', { licenseKey: 'LK-ENT-CANA-RY000' });
  await portal.post('/api/credentials/store', {
    service: 'jira',
    instanceUrl: 'https://jira.invalid',
    username: 'u',
    password: 'canary-password',
    apiToken: 'canary-api-token',
  });
  await portal.post('/api/customer/change-password', { currentPassword: customer.licenseKey, newPassword: 'canary-new-password' });
  await admin.get(`/api/admin/customers?search=${customer.licenseKey}`);
  await admin.get('/api/admin/customers?search=canary-search');
  await partner.put('/api/service-integrator/profile', {
    companyName: 'X',
    contactEmail: 'canary-changed@contoso.example',
    billingEmail: 'not an address',
  });
  await tool.post('/api/cli/api-calls', {
    sourceId: 's',
    firstSequence: 1,
    calls: [{ service: 'jira', instanceUrl: 'https://canary.example', operation: 'GET', status: 200, durationMs: 1 }],
  });
  const socket = await openToolSocket(server.url, tool.token);
  await socket.close();

  // A line may come after the reply.
  const log = await eventually(
    () => server.output(),
    (output) => output.includes('"route":"/api/service-integrator/profile"'),
  );
  expect(log.split('\n').filter((line) => line.includes('"msg":"answered"')).length).toBeGreaterThan(10);
  expect(log).toContain('"route":"/api/admin/customers"');
  const withAddress = log.split('\n').filter((line) => line.includes('"address":"127.0.0.1"'));
  expect(withAddress.length).toBeGreaterThan(3);
  expect(withAddress.filter((line) => !/"route":"[^"]+\/login"/.test(line))).toEqual([]);
  const tokens = [
    admin.headers.cookie?.split('=')[1],
    portal.headers.authorization?.split(' ')[1],
    partner.headers.authorization?.split(' ')[1],
    tool.token,
  ];
  const canaries = [
    ADMIN_KEY,
    customer.licenseKey,
    integrator.masterLicenseKey,
    'LK-ENT-CANA-RY000',
    ...tokens,
    ...secrets,
    'canary',
  ];
  for (const canary of canaries) {
    expect(canary).toBeTruthy();
    expect(log.toLowerCase()).not.toContain(String(canary).toLowerCase());
  }
  expect(log).not.toMatch(/[\w.-]+@[\w-]+\.example/);
});

it('an error is logged without its data', () => {
  const cause = Object.assign(new Error('duplicate key (ada@example.com) of LK-ENT-7K2M-Q9XTR'), {
    code: '23505',
    detail: 'Key (email)=(ada@example.com)',
  });
  const logged = JSON.stringify(loggedError(new Error(`token ${'A'.repeat(43)} at postgres://me:secret@db/x`, { cause })));
  for (const secret of ['ada@example.com', 'LK-ENT-7K2M-Q9XTR', 'A'.repeat(43), 'secret', 'Key (email)'])
    expect(logged).not.toContain(secret);
  expect(logged).toContain('23505');
  expect(logged).toContain('logs.test.ts');
  expect(loggedError(new Error("login postgres://me:it's-secret@db/x failed")).message).not.toMatch(/me:|it's|secret/);
  expect(loggedError('text that was thrown')).toEqual({ type: 'string', message: '', stack: '' });
});

it('a long message is logged in linear time', () => {
  expect(loggedError(new Error('.'.repeat(1_000_000))).message).toBe('.'.repeat(300));
});
