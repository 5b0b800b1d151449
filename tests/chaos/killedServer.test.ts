import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiClient,
  apiClient,
  createCustomer,
  createIntegrator,
  signInAdmin,
  signInTool,
  someCalls,
} from '../support/apiClient.ts';
import { type ServerProcess, startServerProcess, TEST_ADMIN_KEY } from '../support/serverProcess.ts';

const KILLS = 20;
const WORKERS = 8;
const BATCH = 250;

let dataDir: string;
let server: ServerProcess;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'latchkey-chaos-'));
  server = await startServerProcess(dataDir);
});

afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Sends one source's batches in order until told to stop; a batch without an answer is sent again after the restart. */
const recordUntil = async (stopped: () => boolean, source: string, tool: () => ApiClient) => {
  let acknowledged = 0;
  while (!stopped()) {
    const body = { sourceId: source, firstSequence: acknowledged + 1, calls: someCalls(BATCH) };
    const reply = await tool()
      .call('POST', '/api/cli/api-calls', body)
      .catch(() => null);
    if (reply?.status === 202) acknowledged += BATCH;
    else await delay(20);
  }
  return acknowledged;
};

/** Creates customers until told to stop; resolves to the ids that were acknowledged. */
const createUntil = async (stopped: () => boolean, integratorId: string, admin: () => ApiClient) => {
  const ids: string[] = [];
  for (let index = 0; !stopped(); index++) {
    const created = await createCustomer(admin(), integratorId, { name: `Customer ${index}` }).catch(() => null);
    if (created) ids.push(created.id);
    else await delay(20);
  }
  return ids;
};

describe(`a server that is killed ${KILLS} times under load`, () => {
  it('counts every acknowledged call once and keeps every acknowledged command', async () => {
    let admin = await signInAdmin(apiClient(server.url), TEST_ADMIN_KEY);
    const integrator = await createIntegrator(admin);
    const customer = await createCustomer(admin, integrator.id);
    const { tool: signedIn } = await signInTool(apiClient(server.url), customer.licenseKey);
    let tool = signedIn;
    let stopped = false;
    const isStopped = () => stopped;
    const recorders = Array.from({ length: WORKERS }, (_, index) => recordUntil(isStopped, `worker-${index}`, () => tool));
    const creator = createUntil(isStopped, integrator.id, () => admin);

    for (let kill = 1; kill <= KILLS; kill++) {
      await delay(200 + ((kill * 137) % 500));
      await server.kill();
      server = await startServerProcess(dataDir);
      tool = tool.at(server.url);
      admin = admin.at(server.url);
    }
    await delay(500);
    stopped = true;
    const acknowledged = (await Promise.all(recorders)).reduce((sum, count) => sum + count, 0);
    const created = await creator;
    expect(acknowledged).toBeGreaterThan(0);
    expect(created.length).toBeGreaterThan(0);

    const portal = await apiClient(server.url).call<{ token: string }>('POST', '/api/auth/customer/login', {
      licenseKey: customer.licenseKey,
    });
    const asCustomer = apiClient(server.url).as({ token: portal.body.token });
    const usage = async () =>
      (await asCustomer.call<{ usage: { totalApiCalls: number } }>('GET', '/api/customer/usage?days=7')).body.usage;
    await expect.poll(async () => (await usage()).totalApiCalls, { timeout: 30_000 }).toBeGreaterThanOrEqual(acknowledged);
    await delay(1000);
    expect((await usage()).totalApiCalls).toBe(acknowledged);
    for (const id of created) expect((await admin.call('GET', `/api/admin/customers/${id}`)).status).toBe(200);
  });
});
