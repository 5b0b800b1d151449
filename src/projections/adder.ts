import type { Session } from './session.ts';
import { recordset, type TableShape } from './sheet.ts';

/**
 * Counters that only grow by differences, so that they need not be read to be changed. Differences of zero are written too: which
 * rows there are must not depend on how events fell into batches.
 */
export type Adder<Row extends object> = Readonly<{
  add: (row: Row) => void;
  flush: () => Promise<void>;
}>;

/** All columns beside the key are added up. */
export const openAdder = <Row extends Record<string, string | number>>(
  shape: TableShape<Row>,
  session: Session,
  schema: string,
): Adder<Row> => {
  const { table, columns, key } = shape;
  const names = Object.keys(columns) as (keyof Row & string)[];
  const amounts = names.filter((name) => !key.includes(name));
  const target = `${schema}.${table}`;
  const statement = `insert into ${target} as t (${names.join(', ')}) select ${names.map((name) => `r.${name}`).join(', ')}
    from ${recordset(shape, names)}
    on conflict (${key.join(', ')}) do update set ${amounts.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ')}`;
  const sums = new Map<string, Row>();

  return {
    add: (row) => {
      const id = key.map((name) => row[name]).join('\0');
      const sum = sums.get(id);
      if (!sum) {
        sums.set(id, { ...row });
        return;
      }
      Object.assign(sum, Object.fromEntries(amounts.map((name) => [name, Number(sum[name]) + Number(row[name])])));
    },
    flush: async () => {
      if (sums.size > 0) await session.query(statement, [JSON.stringify([...sums.values()])]);
    },
  };
};
