import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { searchTextOf } from '../../src/projections/lists/search.ts';
import { createRandom, ideographs } from '../support/random.ts';
import { openDatabase, type TestDatabase } from '../support/stores.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await openDatabase();
  db = connectDatabase(database.databaseUrl, { onError: () => undefined }).db;
  await migrate(db, { upTo: '0250_last_notices_of_quotas' });
});
afterAll(async () => {
  await db.destroy();
  await database.close();
});

/** What a version before stored, which did not cut. */
const formerTextOf = (...fields: string[]): string =>
  [...fields, ...fields.map((field) => ` ${field.replace(/[^\p{L}\p{N}]+/gu, ' ')}`)].join('\n').toLowerCase();

const random = createRandom(7);

it('cuts the stored texts that no index holds as new ones are cut, and leaves the others', async () => {
  const longest = [ideographs(random, 200), 'ops@acme.example', ideographs(random, 200), ideographs(random, 200)];
  const ids = [randomUUID(), randomUUID()] as const;
  for (const [id, search] of [
    [ids[0], formerTextOf(...longest)],
    [ids[1], formerTextOf('Acme', 'ops@acme.example')],
  ]) {
    await sql`
      insert into read.portal_user (user_id, customer_id, integrator_id, username, email, role, status, created_at, sort_name, search)
      values (${id}, ${randomUUID()}, ${randomUUID()}, '', '', '', 'active', now(), '', ${search})`.execute(db);
  }
  await migrate(db);
  const { rows } = await sql<{ id: string; search: string }>`select user_id as id, search from read.portal_user`.execute(db);
  expect(new Map(rows.map(({ id, search }) => [id, search]))).toEqual(
    new Map([
      [ids[0], searchTextOf(...longest)],
      [ids[1], searchTextOf('Acme', 'ops@acme.example')],
    ]),
  );
  expect(Buffer.byteLength(searchTextOf(...longest))).toBeGreaterThan(2_490);
  expect(Buffer.byteLength(formerTextOf(...longest))).toBeGreaterThan(2_700);
});
