import type { DatabaseSession, Write } from './session.ts';
import { namesOf, rowsFrom, selectedFrom, type TableShape, valuesOf } from './statements.ts';

/** How a column of two rows with one key is merged: their sum, the later time, or by default the first value. */
export type Merging<Row extends object> = Readonly<Partial<Record<keyof Row & string, 'sum' | 'latest'>>>;

/**
 * Rows that only grow, so that they need not be read to be changed. Differences of zero are written too: which rows there are must
 * not depend on how events fell into batches.
 */
export type Adder<Row extends object> = Readonly<{
  add: (row: Row) => void;
  /** The statement that writes the additions, if there are any. Throws `Unstorable`. */
  writes: () => Write[];
  flush: () => Promise<void>;
}>;

/** Opens the additive rows of a table for one batch. Rows with the same key are merged in memory. */
export const openAdder = <Row extends Record<string, string | number | null>>(
  shape: TableShape<Row>,
  merging: Merging<Row>,
  session: DatabaseSession,
  schema: string,
): Adder<Row> => {
  const { table, key } = shape;
  const names = namesOf(shape);
  const merged = names.filter((name) => merging[name] !== undefined);
  const updates = merged.map((name) =>
    merging[name] === 'sum' ? `${name} = t.${name} + excluded.${name}` : `${name} = greatest(t.${name}, excluded.${name})`,
  );
  const statement = `insert into ${schema}.${table} as t (${names.join(', ')})
    select ${selectedFrom(shape, names)} from ${rowsFrom(shape, names)}
    on conflict (${key.join(', ')}) do update set ${updates.join(', ')}`;
  const rows = new Map<string, Row>();

  const merge = (into: Record<string, string | number | null>, row: Row): void => {
    for (const name of merged) {
      const [mine, more] = [into[name], row[name]];
      if (more === undefined || more === null) continue;
      if (typeof mine === 'number' && typeof more === 'number') into[name] = mine + more;
      else if (mine === undefined || mine === null || more > mine) into[name] = more;
    }
  };

  const writes = (): Write[] => (rows.size > 0 ? [{ text: statement, values: valuesOf(shape, names, [...rows.values()]) }] : []);

  return {
    add: (row) => {
      const id = key.map((name) => row[name]).join('\0');
      const known = rows.get(id);
      if (known) merge(known, row);
      else rows.set(id, { ...row });
    },
    writes,
    flush: async () => {
      await Promise.all(writes().map(({ text, values }) => session.query(text, values)));
    },
  };
};
