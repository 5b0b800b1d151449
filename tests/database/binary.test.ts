import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, isBinary } from '../../src/database/binary.ts';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { connectTenants, type TenantDatabases } from '../../src/database/tenants.ts';
import type { CustomerId } from '../../src/domain/ids.ts';
import { openDatabase, type TestDatabase } from '../support/stores.ts';

let database: TestDatabase;
let db: Database;
let pool: pg.Pool;
let tenants: TenantDatabases;

beforeAll(async () => {
  database = await openDatabase();
  ({ db, pool } = connectDatabase(database.databaseUrl, { max: 1, onError: () => undefined }));
  await sql`create schema tenant`.execute(db);
  await sql`create function tenant.integrator_of(uuid) returns text language sql as 'select '''''`.execute(db);
  tenants = connectTenants(database.databaseUrl, { max: 1, onError: () => undefined });
});
afterAll(async () => {
  await tenants.close();
  await pool.end();
  await database.close();
});

const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

describe('a binary statement', () => {
  it('reads bytes, texts, whole numbers and nulls as they are stored', async () => {
    const { rows } = await sql`${BINARY} select ${EVERY_BYTE}::bytea as bytes, ''::bytea as empty, ${'Zürich 🗝'}::text as text,
      ${-9_007_199_254_740_991}::int8 as number, null::bytea as nothing from generate_series(1, 2)`.execute(db);
    const row = { bytes: EVERY_BYTE, empty: Buffer.alloc(0), text: 'Zürich 🗝', number: -9_007_199_254_740_991, nothing: null };
    expect(rows).toEqual([row, row]);
  });

  it('leaves the statements after it on the same connection as they were', async () => {
    await sql`${BINARY} select 'x'::bytea as bytes`.execute(db);
    const { rows } = await sql`select 'é' as text, 3 as number, 'x'::bytea as bytes`.execute(db);
    expect(rows).toEqual([{ text: 'é', number: 3, bytes: Buffer.from('x') }]);
  });

  it('reads values that arrive in many parts, and keeps them', async () => {
    const read = async (letter: string) => {
      const { rows } = await sql<{ bytes: Buffer }>`${BINARY}
        select decode(repeat(${letter}, 3000000), 'escape') as bytes from generate_series(1, 2)`.execute(db);
      return rows.map(({ bytes }) => bytes);
    };
    const [first, second] = [await read('a'), await read('b')];
    for (const bytes of first) expect(bytes.equals(Buffer.alloc(3_000_000, 'a'))).toBe(true);
    for (const bytes of second) expect(bytes.equals(Buffer.alloc(3_000_000, 'b'))).toBe(true);
  });

  it('fails with the code of PostgreSQL, also after its first rows, and the connection stays usable', async () => {
    const failing = sql`${BINARY} select 'x'::bytea as bytes, (1 / (3 - n))::int8 as number from generate_series(1, 5) n`.execute(
      db,
    );
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect((await sql`select 1 as n`.execute(db)).rows).toEqual([{ n: 1 }]);
  });

  it('fails for a type that it does not read, and says which types it does', async () => {
    const failing = sql`${BINARY} select now() as at`.execute(db);
    await expect(failing).rejects.toThrow('make it bytea, text or int8');
    expect((await sql`select 1 as n`.execute(db)).rows).toEqual([{ n: 1 }]);
  });

  it('is bound to its tenant like any other', async () => {
    const customerId = randomUUID() as CustomerId;
    const { db: own } = tenants.of({ integratorId: null, customerId });
    for (let attempt = 0; attempt < 2; attempt++) {
      const { rows } = await sql`${BINARY} select ${EVERY_BYTE}::bytea as bytes,
        current_setting('latchkey.customer') as customer`.execute(own);
      expect(rows).toEqual([{ bytes: EVERY_BYTE, customer: customerId }]);
    }
    expect((await sql`select current_setting('latchkey.customer', true) as customer`.execute(own)).rows).toEqual([
      { customer: customerId },
    ]);
  });

  it('is known by its beginning alone', () => {
    expect(isBinary('\n  /* binary */ select 1')).toBe(true);
    expect(isBinary("select '/* binary */'")).toBe(false);
  });
});
