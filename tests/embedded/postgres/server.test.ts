import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres } from '../../../src/embedded/postgres/findPostgres.ts';
import { type EmbeddedPostgres, startPostgres } from '../../../src/embedded/postgres/server.ts';
import { itAtLength } from '../../support/tiers.ts';
import { makeDirectory, newDirectory, query, start, startInProcess } from './serverSupport.ts';

const numbersOf = (rows: Record<string, unknown>[]) => rows.map(({ n }) => n);

describe('a running embedded PostgreSQL', () => {
  let postgres: EmbeddedPostgres;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    const made = await makeDirectory();
    remove = made.remove;
    postgres = await startPostgres({ directory: made.directory, databases: ['kept'], log: () => undefined });
  });

  afterAll(async () => {
    await postgres.stop();
    await remove();
  });

  it('accepts connections from Kysely', async () => {
    const db = new Kysely({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: postgres.url('kept', 'owner') }) }),
    });
    const { rows } = await sql<{ n: number }>`SELECT 1 + 1 AS n`.execute(db);
    await db.destroy();
    expect(rows).toEqual([{ n: 2 }]);
  });

  it('never runs as root, even if started by root below a directory with mode 0700', async () => {
    const owner = (await stat(join(postgres.socketDirectory ?? '', '.s.PGSQL.5432'))).uid;
    const we = process.geteuid?.();
    expect(owner).not.toBe(0);
    expect(owner === we).toBe(we !== 0);
  });

  it('denies other users access to its socket and files', async () => {
    expect((await stat(postgres.socketDirectory ?? '')).mode & 0o777).toBe(0o700);
    expect(await query(postgres.url('kept', 'owner'), 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
  });

  it('commits durably', async () => {
    const settings = await query(
      postgres.url('kept', 'owner'),
      "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY name",
    );
    expect(settings.map(({ setting }) => setting)).toEqual(['on', 'on', 'on']);
  });
});

describe('an embedded PostgreSQL', () => {
  it('creates its databases once and keeps their content', async () => {
    const directory = await newDirectory();
    const first = await start(directory, { databases: ['kept', 'with "quotes" and spaces'] });
    await query(first.url('kept', 'owner'), 'CREATE TABLE kept AS SELECT 7 AS n');
    expect(await query(first.url('with "quotes" and spaces', 'owner'), 'SELECT current_database() AS n')).toEqual([
      { n: 'with "quotes" and spaces' },
    ]);
    await first.stop();
    await first.stop();
    const second = await start(directory, { databases: ['kept', 'another'] });
    expect(numbersOf(await query(second.url('kept', 'owner'), 'SELECT n FROM kept'))).toEqual([7]);
    expect(await query(second.url('another', 'owner'), 'SELECT current_database() AS n')).toEqual([{ n: 'another' }]);
  });

  itAtLength('is UTF-8 and sorts by code point with any locale of the terminal', async () => {
    const { LANG, LC_ALL, ...bare } = process.env;
    const script = await startInProcess(await newDirectory(), bare);
    const [, , url = ''] = await script.line(/^ready (\d+) (\S+)$/);
    const [about] = await query(
      url,
      `SELECT pg_encoding_to_char(encoding) AS encoding, datlocprovider AS provider, datlocale AS locale, upper('straßé') AS upper
       FROM pg_database WHERE datname = current_database()`,
    );
    expect(about).toEqual({ encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8', upper: 'STRAßÉ' });
    const sorted = await query(url, "SELECT n FROM (VALUES ('b'), ('é'), ('B'), ('a'), ('A')) AS letters (n) ORDER BY n");
    expect(numbersOf(sorted)).toEqual(['A', 'B', 'a', 'b', 'é']);
  });

  itAtLength('uses a temporary socket directory if the path is too long', async () => {
    const directory = join(await newDirectory(), 'x'.repeat(60), 'y'.repeat(60));
    const postgres = await start(directory);
    expect(postgres.socketDirectory?.startsWith(directory)).toBe(false);
    expect(await query(postgres.url('kept', 'owner'), 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    await postgres.stop();
    await expect(stat(postgres.socketDirectory ?? '')).rejects.toThrow('ENOENT');
  });

  itAtLength('removes the temporary socket directory of a killed start', async () => {
    const directory = join(await newDirectory(), 'x'.repeat(60), 'y'.repeat(60));
    let exited = () => {};
    const isGone = new Promise<void>((resolve) => {
      exited = resolve;
    });
    const first = await start(directory, { onExit: () => exited() });
    process.kill(first.pid, 'SIGKILL');
    await isGone; // until then the killed PostgreSQL still uses the cluster
    await start(directory);
    await expect(stat(first.socketDirectory ?? '')).rejects.toThrow('ENOENT');
  });

  itAtLength(
    'listens on a loopback port with a password on request, applies the given settings, and stops while clients are connected',
    async () => {
      const postgres = await start(await newDirectory(), { transport: 'tcp', settings: { max_connections: '17' } });
      expect(postgres.socketDirectory).toBeNull();
      const url = new URL(postgres.url('kept', 'owner'));
      expect(url.hostname).toBe('127.0.0.1');
      expect(await query(url.href, 'SHOW max_connections')).toEqual([{ max_connections: '17' }]);
      const client = new pg.Client({ connectionString: url.href });
      url.password = 'guessed';
      await expect(query(url.href, 'SELECT 1 AS n')).rejects.toThrow('password authentication failed');
      const dropped = new Promise<Error>((resolve) => client.on('error', resolve));
      await client.connect();
      await postgres.stop();
      expect((await dropped).message).toContain('terminating connection');
    },
  );

  itAtLength('is found by other processes while it runs', async () => {
    const directory = await newDirectory();
    expect(await findPostgres(directory)).toBeNull();
    const script = await startInProcess(directory);
    const [, pid, url] = await script.line(/^ready (\d+) (\S+)$/);
    const found = await findPostgres(directory);
    expect(found?.owner).toBe(script.pid);
    expect(found?.pid).toBe(Number(pid));
    expect(found?.url('kept', 'owner')).toBe(url);
  });

  itAtLength('does not receive the Ctrl-C of the terminal', async () => {
    const script = await startInProcess(await newDirectory());
    const [, , url = ''] = await script.line(/^ready (\d+) (\S+)$/);
    const working = query(url, 'SELECT pg_sleep(0.5), 1 AS n'); // a shutdown would cancel it
    process.kill(-script.pid, 'SIGINT');
    expect(numbersOf(await working)).toEqual([1]);
  });
});
