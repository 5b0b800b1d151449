import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATABASES } from '../../src/bootstrap/embeddedStores.ts';
import { findPostgres } from '../../src/embedded/postgres/findPostgres.ts';
import { asAdmin } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { startIdentityProvider } from '../support/identityProvider.ts';
import { MASTER_SECRET } from '../support/keys.ts';
import type { FlowContext } from './accounts.ts';
import { administrationFlow } from './administrationFlow.ts';
import { customerOpenIdFlow, integratorOpenIdFlow, passkeyFlow } from './externalFlows.ts';
import { type Flow, type KilledServer, killBetweenSteps, killDuringSteps, startKilledServer } from './flow.ts';
import { killHalfDone, passkeyRemoval, passwordChange, portalPasswordChange } from './halfDone.ts';
import { passwordFlow, secondFactorFlow } from './passwordFlows.ts';
import { deviceFlow, portalFlow } from './portalFlows.ts';
import { randomOf } from './random.ts';
import { memberFlow, sessionsFlow, tokenFlow } from './teamFlows.ts';

/** How often all flows are done while the server is killed during their steps; each time kills it about seven times. */
const PASSES = Number(process.env.FLOW_PASSES ?? 1);
const SEED = Number(process.env.FLOW_SEED ?? 1);
/** Most steps are done within this time. */
const STEP_MS = 250;

let dataDir: string;
let server: KilledServer;
const providers: Awaited<ReturnType<typeof startIdentityProvider>>[] = [];
let env: Record<string, string>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'latchkey-flows-'));
  env = { DATA_DIR: dataDir, MASTER_SECRET };
  server = await startKilledServer(dataDir, { MASTER_SECRET, CREDENTIAL_TEST_ALLOW: '127.0.0.1/32' });
});
afterAll(async () => {
  await server.stop();
  for (const provider of providers) await provider.close();
  await rm(dataDir, { recursive: true, force: true });
});

const databaseUrl = async (): Promise<string> => {
  const postgres = await findPostgres(join(dataDir, 'postgres'));
  if (!postgres) throw new Error('PostgreSQL does not run');
  return postgres.url(DATABASES.product, 'owner');
};

/** Without name servers, the row is written as a verification writes it. */
const verifyDomain = async ({ kind, id }: { kind: string; id: string }, domain: string): Promise<void> => {
  const client = new pg.Client({ connectionString: await databaseUrl() });
  await client.connect();
  const row = [kind, domain, `${kind}.${id}`];
  await client.query('insert into auth.email_domain (tenant_kind, domain, team_id, verified_at) values ($1, $2, $3, now())', row);
  await client.end();
};

const newProvider = async () => {
  const provider = await startIdentityProvider([`${server.url}/service-integrator/login`, `${server.url}/portal/login`]);
  providers.push(provider);
  return provider;
};

const newContext = async (): Promise<FlowContext> => ({
  url: server.url,
  admin: await asAdmin(server.url),
  newProvider,
  verifyDomain,
});

const newFlows = async (): Promise<Flow[]> => {
  const context = await newContext();
  return Promise.all([
    passwordFlow(context),
    secondFactorFlow(context),
    passkeyFlow(context),
    integratorOpenIdFlow(context),
    customerOpenIdFlow(context),
    memberFlow(context),
    sessionsFlow(context),
    tokenFlow(context),
    portalFlow(context),
    deviceFlow(context),
    administrationFlow(context, env),
  ]);
};

describe('a server that is killed while users join, sign in and change who may', () => {
  it('locks nobody out and lets nobody in between two steps', async () => {
    expect(await killBetweenSteps(server, await newFlows())).toEqual([]);
  });

  it('ends the other sessions after a change of what signs in, also when it is killed in between', async () => {
    const context = await newContext();
    const changes = [await passwordChange(context), await passkeyRemoval(context), await portalPasswordChange(context)];
    await killHalfDone(await databaseUrl(), changes, server.kill);
    await server.start();
    for (const { name, hasHappened, other, endsBefore } of changes) {
      const status = async () => (await other.get('/api/account')).status;
      if (await hasHappened()) expect([name, await eventually(status, (found) => found === 401)]).toEqual([name, 401]);
      else if (!endsBefore) expect([name, await status()]).toEqual([name, 200]);
    }
  });

  it(`has done each step or not when it is killed during it, ${PASSES} times`, async () => {
    const random = randomOf(SEED);
    for (let pass = 1; pass <= PASSES; pass += 1) {
      expect(await killDuringSteps(server, await newFlows(), () => random() * STEP_MS)).toEqual([]);
      process.stderr.write(`${pass} passes of ${PASSES} with kills during steps\n`);
    }
  }, 14_400_000);
});
