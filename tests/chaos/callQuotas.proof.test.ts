import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { seededRandom } from '../../src/demo/random.ts';
import { asAdmin, asTool, clientOf, newCustomer, newIntegrator, type Reply } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/freePort.ts';
import { startServerProcess } from '../support/serverProcess.ts';
import { deployInTwoProcesses } from './parts.ts';

const LIMIT = 20_000;
const RECORDERS = 32;
const BATCH = 25;
const KILLS = 10;
const SEED = Number(process.env.CHAOS_SEED ?? 1);
const PAUSE_MS = 100;

const call = { service: 'jira', instanceUrl: 'https://acme.atlassian.net', operation: 'GET:/issue', status: 200, durationMs: 40 };
const calls = Array.from({ length: BATCH }, () => call);

it('records exactly the calls of a hard quota, whichever of two nodes is killed', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-quotas-'));
  const deployment = await deployInTwoProcesses(dataDir, await freePort());
  const startSecond = () => startServerProcess(join(dataDir, 'second'), { ...deployment.env, ROLES: 'api,projector' });
  let second = await startSecond();
  try {
    const admin = await asAdmin(deployment.url);
    const integrator = await newIntegrator(admin);
    const customer = await newCustomer(admin, integrator.id, { callQuota: { limit: LIMIT, kind: 'hard' } });
    const { headers } = await asTool(deployment.url, customer);
    const random = seededRandom(SEED).next;
    let isDone = false;
    const kills = (async () => {
      for (let kill = 0; kill < KILLS && !isDone; kill += 1) {
        await delay(300 + random() * 1_500);
        if (random() < 0.5) {
          await second.kill();
          second = await startSecond();
        } else await deployment.kill('api');
      }
    })();
    /** Sends a batch to one node or the other until one of them says what became of it. */
    const send = async (sourceId: string, firstSequence: number): Promise<Reply> => {
      for (;;) {
        const url = random() < 0.5 ? deployment.url : second.url;
        const reply = await clientOf(url, headers)
          .post('/api/cli/api-calls', { sourceId, firstSequence, calls })
          .catch(() => null);
        if (reply?.status === 202 || reply?.status === 403) return reply;
        await delay(PAUSE_MS);
      }
    };
    const recorders = Array.from({ length: RECORDERS }, async (_, recorder) => {
      for (let next = 1; ; next += BATCH) {
        const { status, body } = await send(`recorder-${recorder}`, next);
        if (status === 403) return body.calls.refusedFrom - 1;
      }
    });
    const recorded = (await Promise.all(recorders)).reduce((sum, last) => sum + last, 0);
    isDone = true;
    await kills;
    expect(recorded).toBe(LIMIT);
    // The node that was killed last may not listen again yet.
    const again = await eventually(
      () => asAdmin(deployment.url).catch(() => null),
      (client) => client !== null,
      60_000,
    );
    const total = async () => (await again?.get(`/api/admin/customers/${customer.id}`))?.body.customer.totalApiCalls;
    await eventually(total, (found) => found === LIMIT, 120_000);
  } finally {
    await second.stop();
    await deployment.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
