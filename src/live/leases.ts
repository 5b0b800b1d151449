import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables/tables.ts';
import type { ConnectionId, CustomerId } from '../domain/ids.ts';
import { EVERYTHING } from '../projections/scope.ts';
import { ANNOUNCED, announce, noticesOf, PRESENCE_CHANNEL, type UserIds } from './presence.ts';

/** An open socket of a command-line tool. */
export type Connection = UserIds & Readonly<{ connectionId: ConnectionId }>;

export type Leases = Readonly<{
  /** Gives the closed ones' leases back and takes those of the opened ones, but for ids that are another user's; says which it took. */
  write: (opened: readonly Connection[], closed: readonly Connection[]) => Promise<ReadonlySet<ConnectionId>>;
  /** Prolongs all of this node's, by one statement; says how many there are. */
  renew: () => Promise<number>;
  /** Makes this node's leases those that are given, however they came to differ; says which of them other nodes have by now. */
  reconcile: (held: ReadonlyMap<ConnectionId, Connection>) => Promise<ConnectionId[]>;
  /** Gives the leases of a customer, of whatever node, the service integrator to which it belongs now. */
  followCustomer: (customerId: CustomerId) => Promise<void>;
  /** Takes away what ran out, of whatever node. */
  sweep: () => Promise<Connection[]>;
}>;

const columns = ['connection_id as connectionId', 'user_id as userId', 'customer_id as customerId'] as const;

const idsOf = (connections: readonly Connection[]): ConnectionId[] => connections.map(({ connectionId }) => connectionId);

const isOneOf = (ids: readonly ConnectionId[]) => sql<boolean>`connection_id = any(${ids}::uuid[])`;

/** The rows of `live.connection`. Times are the database's; every change is announced to all nodes with its commit. */
export const leasesOf = (db: Database, { node, seconds }: { node: string; seconds: number }): Leases => {
  const until = sql<Date>`now() + make_interval(secs => ${seconds})`;

  /** Does not wait for the disk: the next renewal restores what a crash of PostgreSQL loses. */
  const transaction = <Result>(work: (tx: Transaction<Tables>) => Promise<Result>): Promise<Result> =>
    db.transaction().execute(async (tx) => {
      await sql`set local synchronous_commit to off`.execute(tx);
      return work(tx);
    });

  const rowsOf = (connections: readonly Connection[]) => sql`
    select connection_id, user_id, customer_id, coalesce(c.integrator_id, ${EVERYTHING}::uuid), ${node}, now(), ${until}
    from unnest(
      ${idsOf(connections)}::uuid[], ${connections.map((one) => one.userId)}::uuid[],
      ${connections.map((one) => one.customerId)}::uuid[]
    ) as opened (connection_id, user_id, customer_id) left join read.customer c using (customer_id)`;

  const insert = sql`
    insert into live.connection (connection_id, user_id, customer_id, integrator_id, node, connected_at, lease_until)`;

  /** A notice each, and no waiting for the disk: part of a statement that is a transaction of its own. */
  const announced = (connections: readonly Connection[]) => sql`
    select null::uuid as connection_id, pg_notify(${PRESENCE_CHANNEL}, notice)::text from unnest(${noticesOf(connections)}::text[]) as notice
    union all select null, set_config('synchronous_commit', 'off', true)`;

  const giveBack = (closed: readonly Connection[]): Promise<unknown> =>
    sql`
      with gone as (delete from live.connection where ${isOneOf(idsOf(closed))} and node = ${node})
      ${announced(closed)}`.execute(db);

  const take = async (opened: readonly Connection[]): Promise<ReadonlySet<ConnectionId>> => {
    const { rows } = await sql<{ connection_id: ConnectionId | null }>`
      with elsewhere as (select connection_id from live.connection where ${isOneOf(idsOf(opened))} and node <> ${node}),
      taken as (
        ${insert} ${rowsOf(opened)}
        on conflict (connection_id) do update set node = excluded.node, connected_at = now(), lease_until = excluded.lease_until
        where live.connection.user_id = excluded.user_id
        returning connection_id),
      moved as (select connection_id, (row_number() over () - 1) / ${ANNOUNCED}::int as part from elsewhere join taken using (connection_id))
      select connection_id, null as done from taken
      union all
      select null, pg_notify(${PRESENCE_CHANNEL}, json_build_object(
        'users', '[]'::json, 'moved', json_agg(json_build_object('connectionId', connection_id, 'to', ${node}::text)))::text)::text
      from moved group by part
      union all
      ${announced(opened)}`.execute(db);
    return new Set(rows.flatMap((row) => row.connection_id ?? []));
  };

  return {
    write: async (opened, closed) => {
      if (closed.length > 0) await giveBack(closed);
      return opened.length > 0 ? take(opened) : new Set();
    },

    renew: async () => {
      const { numUpdatedRows } = await db
        .updateTable('live.connection')
        .set({ lease_until: until })
        .where('node', '=', node)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },

    reconcile: (held) =>
      transaction(async (tx) => {
        const rows = await tx.selectFrom('live.connection').select(columns).where('node', '=', node).execute();
        const known = new Set(idsOf(rows));
        const stale = rows.filter(({ connectionId }) => !held.has(connectionId));
        const missing = [...held.values()].filter(({ connectionId }) => !known.has(connectionId));
        await tx
          .deleteFrom('live.connection')
          .where(isOneOf(idsOf(stale)))
          .where('node', '=', node)
          .execute();
        const { rows: inserted } = await sql<{ connection_id: ConnectionId }>`
          ${insert} ${rowsOf(missing)} on conflict (connection_id) do nothing returning connection_id`.execute(tx);
        const added = new Set(inserted.map((row) => row.connection_id));
        await announce(tx, [...stale, ...missing.filter(({ connectionId }) => added.has(connectionId))]);
        return idsOf(missing).filter((connectionId) => !added.has(connectionId));
      }),

    followCustomer: (customerId) =>
      transaction(async (tx) => {
        const { rows } = await sql<Pick<Connection, 'userId' | 'customerId'>>`
          update live.connection l set integrator_id = c.integrator_id from read.customer c
          where l.customer_id = ${customerId} and c.customer_id = l.customer_id and l.integrator_id <> c.integrator_id
          returning l.user_id as "userId", l.customer_id as "customerId"`.execute(tx);
        await announce(tx, rows);
      }),

    sweep: () =>
      transaction(async (tx) => {
        const lost = await tx
          .deleteFrom('live.connection')
          .where('lease_until', '<', sql<Date>`now()`)
          .returning(columns)
          .execute();
        await announce(tx, lost);
        return lost;
      }),
  };
};
