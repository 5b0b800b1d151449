import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, asCustomer, asTool, type Client, clientOf, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const KILLS = 20;
const WORKERS = 8;
const BATCH = 250;

/** The first in ten of them failed. */
const someCalls = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    service: 'jira',
    instanceUrl: 'https://northwind.atlassian.example',
    operation: 'GET:/issue',
    status: index % 10 === 0 ? 500 : 200,
    durationMs: 20 + (index % 80),
  }));

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
const recordUntil = async (stopped: () => boolean, source: string, tool: () => Client) => {
  let acknowledged = 0;
  while (!stopped()) {
    const body = { sourceId: source, firstSequence: acknowledged + 1, calls: someCalls(BATCH) };
    const reply = await tool()
      .post('/api/cli/api-calls', body)
      .catch(() => null);
    if (reply?.status === 202) acknowledged += BATCH;
    else await delay(20);
  }
  return acknowledged;
};

/** Creates customers until told to stop; resolves to the ids that were acknowledged. */
const createUntil = async (stopped: () => boolean, integratorId: string, admin: () => Client) => {
  const ids: string[] = [];
  for (let index = 0; !stopped(); index++) {
    const created = await newCustomer(admin(), integratorId, { name: `Customer ${index}` }).catch(() => null);
    if (created) ids.push(created.id);
    else await delay(20);
  }
  return ids;
};

describe(`a server that is killed ${KILLS} times under load`, () => {
  it('counts every acknowledged call once and keeps every acknowledged command', async () => {
    let admin: Client = await asAdmin(server.url);
    const integrator = await newIntegrator(admin);
    const customer = await newCustomer(admin, integrator.id);
    let tool: Client = await asTool(server.url, customer);
    let stopped = false;
    const isStopped = () => stopped;
    const recorders = Array.from({ length: WORKERS }, (_, index) => recordUntil(isStopped, `worker-${index}`, () => tool));
    const creator = createUntil(isStopped, integrator.id, () => admin);

    for (let kill = 1; kill <= KILLS; kill++) {
      await delay(200 + ((kill * 137) % 500));
      await server.kill();
      server = await startServerProcess(dataDir);
      tool = clientOf(server.url, tool.headers);
      admin = clientOf(server.url, admin.headers);
    }
    await delay(500);
    stopped = true;
    const acknowledged = (await Promise.all(recorders)).reduce((sum, count) => sum + count, 0);
    const created = await creator;
    expect(acknowledged).toBeGreaterThan(0);
    expect(created.length).toBeGreaterThan(0);

    const portal = await asCustomer(server.url, customer);
    const total = async (): Promise<number> => (await portal.get('/api/customer/usage?days=7')).body.usage.totalApiCalls;
    await expect.poll(total, { timeout: 30_000 }).toBeGreaterThanOrEqual(acknowledged);
    await delay(1000);
    expect(await total()).toBe(acknowledged);
    for (const id of created) expect((await admin.get(`/api/admin/customers/${id}`)).status).toBe(200);
  });
});
