import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../../src/database/client.ts';
import { openPool } from '../../src/database/database.ts';
import { garbageCollection } from '../support/garbageCollection.ts';
import { openDatabase, type TestDatabase } from '../support/stores.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await openDatabase();
  client = new Client({ connectionString: database.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.close();
});

const fail = (error: Error): void => {
  throw error;
};

describe('an instant of the database', () => {
  it.each([
    ['2026-01-31 12:00:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31 12:00:00.57', '2026-01-31T12:00:00.570Z'],
    ['1969-12-31 23:59:59.123999', '1969-12-31T23:59:59.123Z'],
    ['0001-01-01 00:00:00', '0001-01-01T00:00:00.000Z'],
    ['12026-01-31 12:00:00', '+012026-01-31T12:00:00.000Z'],
    ['0044-03-15 12:00:00 BC', '-000043-03-15T12:00:00.000Z'],
  ])('is read to the millisecond: %s', async (text, instant) => {
    const pool = openPool(database.databaseUrl, { max: 1, onError: fail });
    const { rows } = await pool.query('select $1::timestamptz as at', [`${text}`.replace(/( BC)?$/, '+00$1')]);
    expect(rows).toEqual([{ at: new Date(instant) }]);
    await pool.end();
  });

  it('may be infinite', async () => {
    const pool = openPool(database.databaseUrl, { max: 1, onError: fail });
    const { rows } = await pool.query("select 'infinity'::timestamptz as later, '-infinity'::timestamptz as earlier");
    expect(rows).toEqual([{ later: Number.POSITIVE_INFINITY, earlier: Number.NEGATIVE_INFINITY }]);
    await pool.end();
  });
});

describe('a query of the client', () => {
  it('resolves to its rows, by text, by object, by callback, and in a pool', async () => {
    expect((await client.query('select $1::int as n', [1])).rows).toEqual([{ n: 1 }]);
    expect((await client.query({ name: 'two', text: 'select $1::int as n', values: [2] })).rows).toEqual([{ n: 2 }]);
    const called = new Promise((resolve) => client.query('select 3 as n', (_error, { rows }) => resolve(rows)));
    expect(await called).toEqual([{ n: 3 }]);
    const submitted = new Promise((resolve) => client.query(new pg.Query('select 4 as n', (_error, { rows }) => resolve(rows))));
    expect(await submitted).toEqual([{ n: 4 }]);
    const pool = new pg.Pool({ Client, connectionString: database.databaseUrl, max: 1 });
    expect((await pool.query('select $1::int as n', [5])).rows).toEqual([{ n: 5 }]);
    await pool.end();
  });

  it('is rejected with the code of PostgreSQL and the stack of its caller', async () => {
    const failing = async (): Promise<void> => {
      await client.query('select 1 / 0');
    };
    const error = await failing().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: '22012', message: 'division by zero' });
    expect(error instanceof Error && error.stack).toContain('failing');
  });

  it('leaves its rows to the next garbage collection of young objects', async () => {
    const gc = garbageCollection();
    gc();
    const before = process.memoryUsage().heapUsed;
    for (let query = 0; query < 60; query++) {
      await client.query("select repeat('a', 50000) as packed from generate_series(1, 20)");
      gc({ type: 'minor' });
    }
    gc({ type: 'minor' });
    // All rows take 60 MB, which the promises of pg keep.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(7_000_000);
  });
});
