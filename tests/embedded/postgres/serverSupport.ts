import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { type EmbeddedPostgres, type PostgresOptions, startPostgres } from '../../../src/embedded/postgres/server.ts';
import { compiledScript, type Script, startScript } from '../../support/scripts.ts';

/** A folder that does not exist yet, below one of mode 0700, so that other users have no access; `remove` deletes both. */
export const makeDirectory = async (): Promise<{ directory: string; remove: () => Promise<void> }> => {
  const above = await mkdtemp(join(tmpdir(), 'latchkey-pg-test-'));
  return { directory: join(above, 'postgres'), remove: () => rm(above, { recursive: true, force: true, maxRetries: 10 }) };
};

/** The same, removed after the test. */
export const newDirectory = async (): Promise<string> => {
  const { directory, remove } = await makeDirectory();
  onTestFinished(remove);
  return directory;
};

/** A PostgreSQL in this process, stopped after the test. */
export const start = async (directory: string, options: Partial<PostgresOptions> = {}): Promise<EmbeddedPostgres> => {
  const postgres = await startPostgres({ directory, databases: ['kept'], log: () => undefined, ...options });
  onTestFinished(postgres.stop);
  return postgres;
};

/** A separate process that runs a PostgreSQL, killed after the test. */
export const startInProcess = async (directory: string, env: NodeJS.ProcessEnv = process.env): Promise<Script> => {
  const script = startScript(await compiledScript(new URL('postgresProcess.ts', import.meta.url)), [directory], env);
  onTestFinished(() => script.end('SIGKILL'));
  return script;
};

/** The rows of one statement on its own connection. */
export const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // PostgreSQL may be killed during the query
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
};
