import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  defineTable,
  int4,
  json,
  nullable,
  type RowOf,
  text,
  timestamptz,
  uuid,
} from '../../../src/database/tables/defineTable.ts';
import { openRowBuffer } from '../../../src/projections/engine/rowBuffer.ts';
import { type DatabaseSession, openDatabaseSession } from '../../../src/projections/engine/session.ts';
import { openDatabase, type TestDatabase } from '../../support/stores.ts';

const table = defineTable('test.entry', {
  key: ['id'],
  columns: {
    id: uuid(),
    name: text(),
    note: nullable(text()),
    count: nullable(int4()),
    at: nullable(timestamptz()),
    facts: nullable(json()),
  },
});
type Row = RowOf<typeof table>;

let database: TestDatabase;
let session: DatabaseSession;

beforeAll(async () => {
  database = await openDatabase();
  session = await openDatabaseSession(database.databaseUrl, 'test', { idle: 'forever' });
  await session.execute(`create schema test; create table test.entry (id uuid primary key, name text not null default 'none',
    note text default 'a default', count int4, at timestamptz, facts json)`);
});

afterAll(async () => {
  await session.close();
  await database.close();
});

const maybe = <Value>(value: fc.Arbitrary<Value>, isUsed: boolean) => (isUsed ? fc.option(value) : fc.constant(null));
/** Rows of which some columns are null in all of them. */
const someRows = fc
  .tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean())
  .chain(([hasNotes, hasCounts, hasTimes, hasFacts]) =>
    fc.array(
      fc.record({
        name: fc.constantFrom('', 'one', 'Zoë'),
        note: maybe(fc.constantFrom('', 'a note'), hasNotes),
        count: maybe(fc.integer(), hasCounts),
        at: maybe(fc.constant('2026-01-31T12:00:00.123Z'), hasTimes),
        facts: maybe(fc.record({ a: fc.integer() }), hasFacts),
      }),
      { minLength: 100, maxLength: 120 },
    ),
  )
  .map((rows): Row[] => rows.map((row) => ({ id: randomUUID(), ...row })));

/** Writes rows in batches of a size, and returns what is stored. */
const stored = async (rows: readonly Row[], size: number): Promise<Row[]> => {
  await session.execute('truncate test.entry');
  for (let from = 0; from < rows.length; from += size) {
    const buffer = openRowBuffer<Row>(table, session, 'test');
    for (const row of rows.slice(from, from + size)) buffer.put(row);
    await buffer.flush();
  }
  const buffer = openRowBuffer<Row>(table, session, 'test');
  for (const { id } of rows) buffer.preload(id);
  await buffer.load();
  return rows.flatMap(({ id }) => buffer.get(id) ?? []);
};

describe('rows that are written together', () => {
  it('are stored unchanged, whichever columns have values, by few or by many', async () => {
    await fc.assert(
      fc.asyncProperty(someRows, async (rows) => {
        expect(await stored(rows, rows.length)).toEqual(rows);
        expect(await stored(rows, 60)).toEqual(rows);
      }),
      { numRuns: 20 },
    );
  });
});
