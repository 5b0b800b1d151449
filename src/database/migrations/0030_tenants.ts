import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Row-level security of every table with tenant rows, and the grants of the application's roles. Tables are known by their columns, so a
 * table that a later migration adds, or that a rebuild of read models creates, gets its policies without being named here:
 * `customer_id`, `integrator_id` and `scope` say whose a row is.
 *
 * A tenant is set for one transaction by `latchkey.integrator`, and `latchkey.customer` where it is one customer of it. Policies name no
 * table of another schema: dropping that one with a rebuild would drop the policy too. `tenant.sees_customer` looks its table up by
 * name when it is called. They say `case` and not `or` because PostgreSQL expects every second row to pass it: it expects one of two
 * hundred to pass `or`, and would sort all rows of an integrator rather than read a page of them in the order of an index.
 */
export const tenants: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create schema tenant`.execute(db);
    // Not parallel safe: for a page of one tenant, starting parallel workers takes longer than reading it.
    await sql`
      create function tenant.sees_customer(id uuid) returns boolean language plpgsql stable as $function$
      begin
        return exists (select from read.customer c where c.customer_id = id);
      end $function$`.execute(db);
    await sql`
      create procedure tenant.protect(target text) language plpgsql as $procedure$
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
                else theme_id in (select s.theme_id from %2$I.theme_span s where s.customer_id = %1$s) end)',
                customer, target)
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
  },
};
