import { type Kysely, type Migration, sql } from 'kysely';

const CUSTOMER_ROWS = `'integrator_id' = any (found.columns) and target = 'usage' then`;
const FORMER_RULE = `'(case when integrator_id = %1$s then case when %2$s is null then true else customer_id = %2$s end end)'`;
const RULE = `'(case when %2$s is null then integrator_id = %1$s else customer_id = %2$s end)'`;

/**
 * A customer may move to another service integrator. Its sessions read the rows of the one to which it belongs at the time of the
 * statement, and rows in other schemas, which follow later than the read models of customers, by the customer alone.
 */
export const movedCustomers: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create function tenant.integrator_of(id uuid) returns text
      language plpgsql stable security definer set search_path = pg_catalog as $function$
      begin
        return coalesce((select c.integrator_id::text from read.customer c where c.customer_id = id), '');
      end $function$`.execute(db);
    const { rows: found } = await sql<{ body: string }>`
      select pg_get_functiondef('tenant.protect(text)'::regprocedure) as body`.execute(db);
    const body = found[0]?.body ?? '';
    if (![CUSTOMER_ROWS, FORMER_RULE].every((part) => body.includes(part))) {
      throw new Error('The procedure tenant.protect is not that of migration 0078');
    }
    const changed = body
      .replace(CUSTOMER_ROWS, () => CUSTOMER_ROWS.replace(`target = 'usage'`, `target in ('usage', 'live')`))
      .replace(FORMER_RULE, () => RULE);
    await sql.raw(changed).execute(db);
    for (const [schema, table] of [
      ['usage', 'customer'],
      ['live', 'connection'],
    ] as const) {
      const { rows } = await sql<{ name: string }>`
        select policyname as name from pg_policies where schemaname = ${schema} and tablename = ${table}`.execute(db);
      const target = sql.table(`${schema}.${table}`);
      for (const { name } of rows) await sql`drop policy ${sql.id(name)} on ${target}`.execute(db);
      await sql`alter table ${target} disable row level security`.execute(db);
      await sql`call tenant.protect(${sql.lit(schema)})`.execute(db);
    }
  },
};
