import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { type EmbeddedPostgres, type PostgresOptions, startPostgres } from '../../../src/embedded/postgres/server.ts';
import { type Script, startScript } from '../../support/scripts.ts';

/** A folder that does not exist yet, below one of mode 0700, so that nobody else may enter; `remove` takes both away. */
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

/** A process of its own that holds a PostgreSQL, killed after the test. */
export const hold = (directory: string, env: NodeJS.ProcessEnv = process.env): Script => {
  const script = startScript(new URL('holdPostgres.ts', import.meta.url), [directory], env);
  onTestFinished(() => script.end('SIGKILL'));
  return script;
};

/** The rows of one statement on a connection of its own. */
export const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // PostgreSQL may be killed under it
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
};
