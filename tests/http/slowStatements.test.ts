import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { outageOf } from '../../src/http/problems/outages.ts';
import { HttpProblem } from '../../src/http/problems/problems.ts';
import { openDatabase, type TestDatabase } from '../support/stores.ts';

let stores: TestDatabase;
let db: Database;

beforeAll(async () => {
  stores = await openDatabase();
  db = connectDatabase(stores.databaseUrl, { max: 1, statementMs: 50, onError: () => undefined }).db;
});

afterAll(async () => {
  await db.destroy();
  await stores.close();
});

describe('a statement that takes too long', () => {
  it('is cancelled, and its request gets Retry-After', async () => {
    const error: unknown = await sql`select pg_sleep(60)`.execute(db).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: '57014' });
    expect(outageOf(error)).toBe('overloaded');
    expect(new HttpProblem('overloaded')).toMatchObject({ status: 503, retryAfter: 1 });
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db);
    expect(rows).toEqual([{ one: 1 }]);
  });
});
