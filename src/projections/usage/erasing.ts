import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { EVERYTHING } from '../scope.ts';

/** Takes deleted customers' calls out of all totals, then drops all that is kept of them. */
export const eraseUsage = async (session: DatabaseSession, schema: string, customerIds: readonly CustomerId[]): Promise<void> => {
  const own = `from ${schema}.day d left join ${schema}.customer c using (customer_id) where d.customer_id = any($1::uuid[])`;
  const sums = 'sum(d.calls) as calls, sum(d.errors) as errors, sum(d.total_ms) as total_ms';
  const values = [[...customerIds]];
  const statements = [
    `update ${schema}.scope_day s
     set calls = s.calls - g.calls, errors = s.errors - g.errors, total_ms = s.total_ms - g.total_ms
     from (select d.day, '${EVERYTHING}'::uuid as scope, ${sums} ${own} group by d.day
           union all
           select d.day, c.integrator_id, ${sums} ${own} group by d.day, c.integrator_id) as g
     where s.scope = g.scope and s.day = g.day`,
    `delete from ${schema}.scope_day s using ${schema}.day d left join ${schema}.customer c using (customer_id)
     where d.customer_id = any($1::uuid[]) and s.day = d.day and s.scope in ('${EVERYTHING}', c.integrator_id) and s.calls = 0`,
    `delete from ${schema}.call_chunk c using ${schema}.day d
     where d.customer_id = any($1::uuid[]) and c.customer_id = d.customer_id and c.day = d.day`,
    ...['day', 'call_hour', 'instance', 'source', 'user_call', 'void', 'not_included', 'customer'].map(
      (table) => `delete from ${schema}.${table} where customer_id = any($1::uuid[])`,
    ),
  ];
  await Promise.all(statements.map((statement) => session.query(statement, values)));
};

/** Adds the calls of customers to the days of their integrators. */
const adopt = async (session: DatabaseSession, schema: string, customerIds: readonly CustomerId[]): Promise<void> => {
  await session.query(
    `insert into ${schema}.scope_day as s (scope, day, calls, errors, total_ms)
     select c.integrator_id, d.day, sum(d.calls), sum(d.errors), sum(d.total_ms)
     from ${schema}.day d join ${schema}.customer c using (customer_id)
     where d.customer_id = any($1::uuid[]) and d.calls > 0 group by c.integrator_id, d.day
     on conflict (scope, day) do update
     set calls = s.calls + excluded.calls, errors = s.errors + excluded.errors, total_ms = s.total_ms + excluded.total_ms`,
    [[...customerIds]],
  );
};

/**
 * Gives each customer its row, whether or not it ever makes a call. The calls of one that was not known when they were counted, since
 * its stream is parked, are added to its integrator's now; returns such customers.
 */
export const registerCustomers = async (
  session: DatabaseSession,
  schema: string,
  customers: readonly { customer_id: CustomerId; integrator_id: string }[],
): Promise<CustomerId[]> => {
  const adopted = await session.query<{ customer_id: CustomerId }>(
    `with unowned as (
       select c.customer_id from json_to_recordset($1::json) as r(customer_id uuid)
       join ${schema}.customer c using (customer_id) where c.integrator_id is null
     ), registered as (
       insert into ${schema}.customer as c (customer_id, integrator_id, calls, errors, total_ms)
       select customer_id, integrator_id, 0, 0, 0 from json_to_recordset($1::json) as r(customer_id uuid, integrator_id uuid)
       on conflict (customer_id) do update set integrator_id = coalesce(c.integrator_id, excluded.integrator_id)
     )
     select customer_id from unowned`,
    [JSON.stringify(customers)],
  );
  const adoptedIds = adopted.map(({ customer_id: id }) => id);
  if (adoptedIds.length === 0) return [];
  await adopt(session, schema, adoptedIds);
  return adoptedIds;
};

/** Counts all calls of a customer, which made them under whatever integrator, with another integrator. */
export const moveUsage = async (
  session: DatabaseSession,
  schema: string,
  customerId: CustomerId,
  integratorId: IntegratorId,
): Promise<void> => {
  const former = `from ${schema}.day d join ${schema}.customer c using (customer_id)
     where d.customer_id = $1 and d.calls > 0 and s.scope = c.integrator_id and s.day = d.day`;
  await session.query(
    `update ${schema}.scope_day s
     set calls = s.calls - d.calls, errors = s.errors - d.errors, total_ms = s.total_ms - d.total_ms ${former}`,
    [customerId],
  );
  await session.query(`delete from ${schema}.scope_day s ${former.replace('from', 'using')} and s.calls = 0`, [customerId]);
  await session.query(`update ${schema}.customer set integrator_id = $2 where customer_id = $1`, [customerId, integratorId]);
  await adopt(session, schema, [customerId]);
};
