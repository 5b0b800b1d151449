import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { DATABASES } from '../../src/bootstrap/embeddedStores.ts';
import { findPostgres } from '../../src/embedded/postgres/findPostgres.ts';
import { asAdmin } from '../support/apiClient.ts';
import { startIdentityProvider } from '../support/identityProvider.ts';
import { MASTER_SECRET } from '../support/keys.ts';
import type { FlowContext } from './accounts.ts';
import { type KilledServer, startKilledServer } from './flow.ts';

/** The server that is killed during flows, with its identity providers and its database. */
export type FlowServer = {
  server: KilledServer;
  /** The environment of `latchkey-admin` on its data. */
  env: Record<string, string>;
  newContext: () => Promise<FlowContext>;
  databaseUrl: () => Promise<string>;
  close: () => Promise<void>;
};

export const startFlowServer = async (): Promise<FlowServer> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-flows-'));
  const server = await startKilledServer(dataDir, { MASTER_SECRET, CREDENTIAL_TEST_ALLOW: '127.0.0.1/32' });
  const providers: Awaited<ReturnType<typeof startIdentityProvider>>[] = [];

  const newProvider = async () => {
    const provider = await startIdentityProvider([`${server.url}/service-integrator/login`, `${server.url}/portal/login`]);
    providers.push(provider);
    return provider;
  };

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

  return {
    server,
    env: { DATA_DIR: dataDir, MASTER_SECRET },
    newContext: async () => ({ url: server.url, admin: await asAdmin(server.url), newProvider, verifyDomain }),
    databaseUrl,
    close: async () => {
      await server.stop();
      for (const provider of providers) await provider.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
