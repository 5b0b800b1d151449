import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Who acted by which method from where, whom an entry is about, and the indexes of both. A service integrator reads its own history: all
 * but what administrators wrote about its status. The procedure is that of migration 0030 with another rule for the history.
 */
export const attribution: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      alter table read.history add column user_id uuid, add column actor_method text, add column actor_address_sealed text`.execute(
      db,
    );
    await sql`
      create index history_of_user on read.history (user_id, position desc, revision desc) where user_id is not null`.execute(db);
    await sql`
      create index history_of_customer_by_member on read.history (customer_id, actor_user_id, position desc, revision desc)
      where customer_id is not null and actor_user_id is not null`.execute(db);
    await sql`
      create index history_of_integrator_by_member on read.history (integrator_id, actor_user_id, position desc, revision desc)
      where integrator_id is not null and actor_user_id is not null`.execute(db);
    // What someone changed, between any number of sign-ins of tools and reactions of policies.
    await sql`
      create index history_changes_of_customer on read.history (customer_id, position desc, revision desc)
      where customer_id is not null and actor_kind <> 'system' and category <> 'userActivity'`.execute(db);
    // The policy looks at these columns too: with them, entries are counted without reading the table.
    await sql`drop index read.history_of_customer`.execute(db);
    await sql`
      create index history_of_customer on read.history (customer_id, position desc, revision desc)
      include (theme_id, integrator_id, type) where customer_id is not null`.execute(db);
    await sql`
      create or replace procedure tenant.protect(target text) language plpgsql as $procedure$
      declare
        integrator constant text := $$(select nullif(current_setting('latchkey.integrator', true), '')::uuid)$$;
        customer constant text := $$(select nullif(current_setting('latchkey.customer', true), '')::uuid)$$;
        reports boolean := target ~ '^(read|usage|ops|live)(_|$)';
        has_reader boolean := exists (select from pg_roles where rolname = 'latchkey_read');
        found record;
        rule text;
      begin
        if (select count(*) from pg_roles where rolname in ('latchkey_system', 'latchkey_tenant')) < 2 then
          return;
        end if;
        if not has_schema_privilege('latchkey_system', target, 'usage') then
          execute format('grant usage on schema %I to latchkey_system', target);
        end if;
        if (reports or target = 'tenant') and not has_schema_privilege('latchkey_tenant', target, 'usage') then
          execute format('grant usage on schema %I to latchkey_tenant', target);
        end if;
        if reports and has_reader and not has_schema_privilege('latchkey_read', target, 'usage') then
          execute format('grant usage on schema %I to latchkey_read', target);
        end if;
        for found in
          select c.oid, c.relname as name, c.relrowsecurity as protected,
            array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
          from pg_class c where c.relnamespace = to_regnamespace(target) and c.relkind = 'r'
        loop
          if not has_table_privilege('latchkey_system', found.oid, 'truncate') then
            execute format('grant select, insert, update, delete, truncate on %I.%I to latchkey_system', target, found.name);
          end if;
          if reports and has_reader and not has_table_privilege('latchkey_read', found.oid, 'select') then
            execute format('grant select on %I.%I to latchkey_read', target, found.name);
          end if;
          rule := case
            when 'theme_id' = any (found.columns) and 'customer_id' = any (found.columns) and found.name = 'history' then
              format('(case when customer_id is not null
                then case when %1$s is null then tenant.sees_customer(customer_id) else customer_id = %1$s end
                when %1$s is null then integrator_id = %3$s
                  and type not in (''IntegratorSuspended'', ''IntegratorReactivated'', ''IntegratorChurned'')
                else theme_id in (select s.theme_id from %2$I.theme_span s where s.customer_id = %1$s) end)',
                customer, target, integrator)
            when 'customer_id' = any (found.columns) and 'integrator_id' = any (found.columns) and target = 'usage' then
              format('(case when integrator_id = %1$s then case when %2$s is null then true else customer_id = %2$s end end)',
                integrator, customer)
            when 'customer_id' = any (found.columns) and 'integrator_id' = any (found.columns) then
              format('(integrator_id = %1$s and case when %2$s is null then true else customer_id = %2$s end)', integrator, customer)
            when 'customer_id' = any (found.columns) then
              format('(case when %1$s is null then tenant.sees_customer(customer_id) else customer_id = %1$s end)', customer)
            when 'integrator_id' = any (found.columns) then
              format('(integrator_id = %s)', integrator)
            when 'scope' = any (found.columns) and to_regclass(format('%I.theme', target)) is not null then
              format('(%s is null and (scope = %s or scope in (select t.theme_id from %I.theme t)))', customer, integrator, target)
            when 'scope' = any (found.columns) then
              format('(%s is null and scope = %s)', customer, integrator)
          end;
          continue when rule is null;
          if not found.protected then
            execute format('alter table %I.%I enable row level security', target, found.name);
            execute format('create policy every_row on %I.%I to latchkey_system using (true) with check (true)', target, found.name);
            execute format('create policy own_rows on %I.%I for select to latchkey_tenant using (%s)', target, found.name, rule);
            if reports then
              execute format('grant select on %I.%I to latchkey_tenant', target, found.name);
            end if;
          end if;
          if reports and has_reader
            and not exists (select from pg_policy where polrelid = found.oid and polname = 'reports') then
            execute format('create policy reports on %I.%I for select to latchkey_read using (true)', target, found.name);
          end if;
        end loop;
      end $procedure$`.execute(db);
    const { rows } = await sql<{ name: string }>`
      select policyname as name from pg_policies where schemaname = 'read' and tablename = 'history'`.execute(db);
    for (const { name } of rows) await sql`drop policy ${sql.id(name)} on read.history`.execute(db);
    await sql`alter table read.history disable row level security`.execute(db);
    await sql`call tenant.protect('read')`.execute(db);
  },
};
