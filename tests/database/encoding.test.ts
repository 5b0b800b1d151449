import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrayOf, castOf, type Encoding, elementTypeOf, Unstorable } from '../../src/database/tables/encoding.ts';
import { openDatabase, type TestDatabase } from '../support/stores.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await openDatabase();
  client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  await client.query("set timezone = 'UTC'");
});

afterAll(async () => {
  await client.end();
  await database.close();
});

const storedAs = async (type: Encoding, values: readonly unknown[]): Promise<string[]> => {
  const { rows } = await client.query<{ value: string }>(
    `select (v${castOf(type)})::text as value from unnest($1::${elementTypeOf(type)}[]) as v`,
    [arrayOf(type, values)],
  );
  return rows.map(({ value }) => value);
};

describe('a column sent in binary form', () => {
  it.each<[Encoding, unknown[], (string | null)[]]>([
    ['uuid', ['0a1b2c3d-4e5f-4a6b-8c7d-0123456789AB', null], ['0a1b2c3d-4e5f-4a6b-8c7d-0123456789ab', null]],
    ['text', ['', 'Zoë 🔑', null, 'a\nb'], ['', 'Zoë 🔑', null, 'a\nb']],
    ['text', ['a'.repeat(24), 'a'.repeat(25), `${'é'.repeat(24)}🔑`], ['a'.repeat(24), 'a'.repeat(25), `${'é'.repeat(24)}🔑`]],
    ['int4', [-1, 0, 2_147_483_647], ['-1', '0', '2147483647']],
    ['int8', [-5, 2 ** 53 - 1, null], ['-5', '9007199254740991', null]],
    ['position', ['9223372036854775807', 7n, '0'], ['9223372036854775807', '7', '0']],
    ['position', ['999999999999999', '1000000000000001', '-4294967297'], ['999999999999999', '1000000000000001', '-4294967297']],
    ['boolean', [true, false, null], ['true', 'false', null]],
    [
      'timestamptz',
      ['2026-01-31T12:00:00.123Z', '1970-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
      ['2026-01-31 12:00:00.123+00', '1970-01-01 00:00:00+00', '9999-12-31 23:59:59.999+00'],
    ],
    ['date', ['2026-02-28', '1999-12-31'], ['2026-02-28', '1999-12-31']],
    ['bytea', [Buffer.from([0, 255]), Buffer.alloc(0), null], ['\\x00ff', '\\x', null]],
    ['json', [{ a: ['é'] }, [], null], ['{"a":["é"]}', '[]', null]],
    ['ranges', ['{[1,501),[600,601)}', '{}'], ['{[1,501),[600,601)}', '{}']],
    ['text', [], []],
  ])('stores %s values unchanged', async (type, values, stored) => {
    expect(await storedAs(type, values)).toEqual(stored);
  });

  it.each<[Encoding, unknown]>([
    ['uuid', 'nonsense'],
    ['uuid', '0a1b2c3d-4e5f-4a6b-8c7d-0123456789ax'],
    ['uuid', '0a1b2c3d4e5f4a6b8c7d0123456789ab0123'],
    ['uuid', 7],
    ['int4', 2 ** 31],
    ['int4', 1.5],
    ['int8', Number.NaN],
    ['timestamptz', 'yesterday'],
    ['date', ''],
    ['bytea', 'text'],
  ])('rejects invalid %s: %s', (type, value) => {
    expect(() => arrayOf(type, [value])).toThrow(Unstorable);
  });
});
