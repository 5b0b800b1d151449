import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asAdmin, type Client } from '../../support/apiClient.ts';
import { ADMIN_KEY } from '../../support/keys.ts';
import { type ServerProcess, startServerProcess } from '../../support/serverProcess.ts';
import { ask } from './matrixCells.ts';
import { type Kind, rows } from './matrixTable.ts';
import { createTestTenant, type TestTenant } from './testAccounts.ts';

let dataDir: string;
let server: ServerProcess;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'latchkey-tour-'));
  server = await startServerProcess(dataDir, { LOG_LEVEL: 'trace', ADMIN_EMAIL: 'root@tour.example' });
});

afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const SECRETS = /[A-Z]+-(?:ENT|SI)-[0-9A-Z]{4}-[0-9A-Z]{5}|[\w.+-]+@[\w-]+\.(?:example|com)|"token":"[^"]+"/g;

/** Who a route is for, in this tenant. */
const clientIn = (tenant: TestTenant, kind: Kind, admin: Client): Client =>
  ({ admin, integrator: tenant.partner, customer: tenant.portal, cli: tenant.tool, public: { ...admin, headers: {} } })[kind];

it('requests to every route leave no key, token, secret or address in the log at its most detailed level', async () => {
  const seen = new Set<string>([
    ADMIN_KEY,
    'a-third-party-password',
    'another-third-party-password',
    'a new password',
    'root@tour.example',
    'user@house.example',
  ]);
  const remember = (text: string): void => {
    for (const [found] of text.matchAll(SECRETS)) seen.add(found.replace(/^"token":"|"$/g, ''));
  };
  const routes = new Set<string>();
  let admin = await asAdmin(server.url);
  let tenant = await createTestTenant(server.url, admin);
  for (const [name, row] of Object.entries(rows)) {
    const [method = ''] = name.split(' ');
    for (const kind of row.for) {
      const client = clientIn(tenant, kind, admin);
      for (const { headers } of [admin, tenant.partner, tenant.portal, tenant.tool]) {
        seen.add(headers.cookie?.split('=')[1] ?? headers.authorization?.split(' ')[1] ?? '');
      }
      remember(JSON.stringify([tenant.customer, tenant.integrator]));
      for (const target of ['own', 'missing'] as const) {
        const { text } = await ask(server.url, { method, name, row, who: 'admin', target }, { client, tenant });
        remember(text);
      }
      routes.add(name.slice(method.length + 1));
    }
    if (row.ends) {
      admin = await asAdmin(server.url);
      tenant = await createTestTenant(server.url, admin);
    }
  }
  seen.delete('');
  expect(seen.size).toBeGreaterThan(100);
  expect(routes.size).toBeGreaterThan(60);
  const log = server.output().toLowerCase();
  const logged = [...routes].filter((route) => log.includes(`"route":"${route.toLowerCase()}"`));
  expect(logged.length).toBeGreaterThan(55);
  expect([...seen].filter((secret) => log.includes(secret.toLowerCase()))).toEqual([]);
});
