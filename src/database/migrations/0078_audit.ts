import { type Kysely, type Migration, sql } from 'kysely';

const FORMER_RULE = 'tenant.sees_customer(customer_id) else customer_id = %1$s end\n                when';
const RULE =
  'case when audit_integrator_id is null then tenant.sees_customer(customer_id) else audit_integrator_id = %3$s end\n                else customer_id = %1$s end\n                when';

/**
 * The audit page: entries of all customers of a service integrator, or of all tenants, in the order of time, and entries that belong
 * together. Rows of a former version have none of the new columns until the rebuild; for them the former rule of the policy holds.
 */
export const audit: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      alter table read.history
        add column audit_integrator_id uuid, add column correlation_id text, add column reverts uuid`.execute(db);
    await sql`create index history_entry on read.history using hash (id)`.execute(db);
    await sql`create index history_revert on read.history (reverts) where reverts is not null`.execute(db);
    await sql`
      create index history_request on read.history using hash (correlation_id) where category <> 'userActivity'`.execute(db);
    // Sign-ins are many, and are listed alone.
    await sql`
      create index audit_change on read.history (at desc, position desc, revision desc) where category <> 'userActivity'`.execute(
      db,
    );
    await sql`
      create index audit_sign_in on read.history (at desc, position desc, revision desc) where category = 'userActivity'`.execute(
      db,
    );
    await sql`
      create index audit_change_of_integrator on read.history (audit_integrator_id, at desc, position desc, revision desc)
      where category <> 'userActivity'`.execute(db);
    await sql`
      create index audit_sign_in_of_integrator on read.history (audit_integrator_id, at desc, position desc, revision desc)
      where category = 'userActivity'`.execute(db);
    await sql`
      create index audit_change_of_customer on read.history (customer_id, at desc, position desc, revision desc)
      where customer_id is not null and category <> 'userActivity'`.execute(db);
    await sql`
      create index audit_sign_in_of_customer on read.history (customer_id, at desc, position desc, revision desc)
      where customer_id is not null and category = 'userActivity'`.execute(db);
    await sql`
      create index audit_change_of_type on read.history (type, at desc, position desc, revision desc)
      where category <> 'userActivity'`.execute(db);
    await sql`
      create index audit_by_member on read.history (actor_user_id, at desc, position desc, revision desc)
      where actor_user_id is not null`.execute(db);
    // With all columns that the policy looks at, entries are counted without reading the table.
    await sql`drop index read.history_of_customer`.execute(db);
    await sql`
      create index history_of_customer on read.history (customer_id, position desc, revision desc)
      include (theme_id, integrator_id, type, audit_integrator_id) where customer_id is not null`.execute(db);
    const { rows: found } = await sql<{ body: string }>`
      select pg_get_functiondef('tenant.protect(text)'::regprocedure) as body`.execute(db);
    const body = found[0]?.body ?? '';
    if (!body.includes(FORMER_RULE)) throw new Error('The procedure tenant.protect is not that of migration 0049');
    await sql.raw(body.replace(FORMER_RULE, () => RULE)).execute(db);
    const { rows } = await sql<{ name: string }>`
      select policyname as name from pg_policies where schemaname = 'read' and tablename = 'history'`.execute(db);
    for (const { name } of rows) await sql`drop policy ${sql.id(name)} on read.history`.execute(db);
    await sql`alter table read.history disable row level security`.execute(db);
    await sql`call tenant.protect('read')`.execute(db);
  },
};
