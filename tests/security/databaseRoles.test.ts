import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrateAt } from '../../src/database/migrate.ts';
import { openRoles } from '../../src/database/roles.ts';
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded/postgres/server.ts';
import { inDatabase } from '../support/inDatabase.ts';

/** Roles belong to a whole cluster, so this one is the file's own. */
let directory: string;
let postgres: EmbeddedPostgres;

const bypasses = async (): Promise<Record<string, boolean>> =>
  inDatabase(postgres.url('postgres', 'superuser'), async (client) => {
    const { rows } = await client.query<{ rolname: string; rolbypassrls: boolean }>(
      `select rolname, rolbypassrls from pg_roles where rolname in ('latchkey_system', 'latchkey_tenant')`,
    );
    return Object.fromEntries(rows.map(({ rolname, rolbypassrls }) => [rolname, rolbypassrls]));
  });

/** A database without the scopes' roles, and the URLs of its owner and of the application's login. */
const openDatabase = async (name: string): Promise<{ application: string; owner: string }> => {
  await inDatabase(postgres.url('postgres', 'superuser'), async (client) => {
    await client.query('drop role if exists latchkey_system, latchkey_tenant');
    await client.query(`create database ${name}`);
    await client.query(`alter database ${name} owner to latchkey_owner`);
  });
  return { application: postgres.url(name, 'application'), owner: postgres.url(name, 'owner') };
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'latchkey-roles-'));
  postgres = await startPostgres({ directory, databases: [], log: () => undefined });
});

afterAll(async () => {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

it('lets only the system bypass row-level security', async () => {
  const { application } = await openDatabase('by_superuser');
  const superuser = postgres.url('by_superuser', 'superuser');
  await migrateAt(superuser, { onError: () => undefined });
  const { findings } = await openRoles(application, superuser);
  expect(findings).toEqual([]);
  expect(await bypasses()).toEqual({ latchkey_system: true, latchkey_tenant: false });
});

it('separates tenants even if the owner may not grant the system a bypass of the policies', async () => {
  await inDatabase(postgres.url('by_superuser', 'superuser'), (client) =>
    client.query('drop owned by latchkey_system, latchkey_tenant'),
  );
  const { application, owner } = await openDatabase('by_owner');
  await inDatabase(postgres.url('postgres', 'superuser'), (client) => client.query('alter role latchkey_owner createrole'));
  await migrateAt(owner, { onError: () => undefined });
  const { urls, findings } = await openRoles(application, owner);
  expect(findings).toEqual([]);
  expect(await bypasses()).toEqual({ latchkey_system: false, latchkey_tenant: false });
  const rowsOf = (url: string) => inDatabase(url, async (client) => (await client.query('select from read.tally')).rowCount);
  await inDatabase(owner, (client) =>
    client.query(
      `insert into read.tally (kind, scope, name, n) values ('user', '00000000-0000-4000-8000-000000000001', 'active', 1)`,
    ),
  );
  expect(await rowsOf(urls.system)).toBe(1);
  expect(await rowsOf(urls.tenant)).toBe(0);
});
