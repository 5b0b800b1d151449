import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/demo/random.ts';
import { runAdminTool } from '../support/adminTool.ts';
import { asAdmin, asCustomer, asTool, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/freePort.ts';
import { type Load, startLoad } from './load.ts';
import { type Deployment, deployInOneProcess, deployInTwoProcesses } from './parts.ts';

const SHORT = 3;
/** The number of kills. CHAOS_KILLS sets another number, CHAOS_SEED another sequence. */
const KILLS = Number(process.env.CHAOS_KILLS ?? SHORT);
const SEED = Number(process.env.CHAOS_SEED ?? 1);
/** One in this many kills does not wait for the recovery from the previous one. */
const HASTY = 4;
const RECOVERED_MS = 180_000;

/** Kills each part once and then random ones, under load. Resolves to the number of kills of each part. */
const killAtRandom = async ({ kill, victims, lastOutput }: Deployment, { progress }: Load): Promise<Record<string, number>> => {
  const random = seededRandom(SEED).next;
  const killed = Object.fromEntries(victims.map((victim) => [victim, 0]));
  for (let kills = 0; kills < KILLS; ) {
    const before = progress();
    if (random() * HASTY >= 1) {
      await eventually(progress, (now) => now > before + 2, RECOVERED_MS).catch((error: unknown) => {
        throw new Error(`No progress after ${JSON.stringify(killed)}: ${lastOutput()}`, { cause: error });
      });
    }
    await delay(random() * 1_000);
    const victim = victims[kills < victims.length ? kills : Math.floor(random() * victims.length)] ?? '';
    if (!(await kill(victim))) continue;
    kills += 1;
    killed[victim] = (killed[victim] ?? 0) + 1;
    if (kills % 10 === 0) process.stderr.write(`${kills} kills, ${progress()} requests acknowledged\n`);
  }
  return killed;
};

/** Expires the reservations of killed attempts, so that a short run does not wait for them. */
const endClaims = async ({ databaseUrl }: Deployment): Promise<void> => {
  const end = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: await databaseUrl() });
    client.on('error', () => undefined); // the query that is running fails
    try {
      await client.connect();
      await client.query('update http.idempotency set claimed_until = now() where status is null');
      return true;
    } finally {
      await client.end();
    }
  };
  // The last kill may have been that of PostgreSQL, which may still end or recover.
  await eventually(
    () => end().catch(() => false),
    (isDone) => isDone,
    RECOVERED_MS,
  );
};

const customersOf = async (admin: Client, integratorId: string): Promise<string[]> => {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await admin.get(`/api/admin/customers?serviceIntegratorId=${integratorId}&limit=500${after}`);
    ids.push(...body.customers.map(({ id }: { id: string }) => id));
    cursor = body.nextCursor;
  } while (cursor !== null);
  return ids.sort();
};

describe.each([
  ['in one process', deployInOneProcess],
  ['with its stores apart', deployInTwoProcesses],
])('a server %s that is killed at random under load', (_where, deploy) => {
  it(`loses no acknowledged change and counts no call twice, ${KILLS} times`, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-chaos-'));
    const deployment = await deploy(dataDir, await freePort());
    const { url } = deployment;
    try {
      const admin = await asAdmin(url);
      const integrator = await newIntegrator(admin);
      const newTenant = await newIntegrator(admin, { companyName: 'Crowd' });
      const customer = await newCustomer(admin, integrator.id);
      const load = startLoad(url, { admin, tool: await asTool(url, customer), integratorId: newTenant.id });

      const killed = await Promise.race([killAtRandom(deployment, load), load.failed, deployment.gaveUp]);
      const before = load.progress();
      await Promise.race([eventually(load.progress, (now) => now > before, RECOVERED_MS), load.failed, deployment.gaveUp]);
      if (KILLS === SHORT) await endClaims(deployment);
      const { calls, customers } = await Promise.race([load.finish(), load.failed, deployment.gaveUp]);

      const portal = await asCustomer(url, customer);
      const counted = async (): Promise<number> => (await portal.get('/api/customer/usage?days=7')).body.usage.totalApiCalls;
      await eventually(counted, (total) => total >= calls, RECOVERED_MS);
      await eventually(
        () => customersOf(admin, newTenant.id),
        ({ length }) => length >= customers.length,
        RECOVERED_MS,
      );
      expect(await runAdminTool(['--json', 'verify'], deployment.env)).toMatchObject({ code: 0 });
      expect(await counted()).toBe(calls);
      expect(await customersOf(admin, newTenant.id)).toEqual([...customers].sort());
      process.stderr.write(
        `Killed ${JSON.stringify(killed)}: ${calls} calls and ${customers.length} customers acknowledged, all there once\n`,
      );
    } finally {
      await deployment.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  }, 14_400_000);
});
