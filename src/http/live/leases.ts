import { sql, type Transaction } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { Tables } from '../../database/tables.ts';
import type { ConnectionId } from '../../domain/ids.ts';
import { announce, type Who } from './presence.ts';

/** An open socket of a command-line tool. */
export type Connection = Who & Readonly<{ connectionId: ConnectionId }>;

export type Leases = Readonly<{
  /** Gives the closed ones' leases back and takes those of the opened ones, but for ids that are another user's; says which it took. */
  write: (opened: readonly Connection[], closed: readonly Connection[]) => Promise<ReadonlySet<ConnectionId>>;
  /** Prolongs all of this node's, by one statement; says how many there are. */
  renew: () => Promise<number>;
  /** Makes this node's leases those that are given, however they came to differ; says which of them other nodes have by now. */
  reconcile: (held: ReadonlyMap<ConnectionId, Connection>) => Promise<ConnectionId[]>;
  /** Takes away what ran out, of whatever node. */
  sweep: () => Promise<Connection[]>;
}>;

const columns = [
  'connection_id as connectionId',
  'user_id as userId',
  'customer_id as customerId',
  'integrator_id as integratorId',
] as const;

const idsOf = (connections: readonly Connection[]): ConnectionId[] => connections.map(({ connectionId }) => connectionId);

const isOneOf = (ids: readonly ConnectionId[]) => sql<boolean>`connection_id = any(${ids}::uuid[])`;

/** The rows of `live.connection`. Times are the database's; every change is announced to all nodes with its commit. */
export const leasesOf = (db: Database, { node, seconds }: { node: string; seconds: number }): Leases => {
  const until = sql<Date>`now() + make_interval(secs => ${seconds})`;

  /** What a crash of PostgreSQL forgets here is put right by the next renewal: nobody waits for the disk. */
  const transaction = <Result>(work: (tx: Transaction<Tables>) => Promise<Result>): Promise<Result> =>
    db.transaction().execute(async (tx) => {
      await sql`set local synchronous_commit to off`.execute(tx);
      return work(tx);
    });

  const add = (tx: Transaction<Tables>, connections: readonly Connection[], onConflict: 'take' | 'leave') =>
    sql<{
      connection_id: ConnectionId;
    }>`
    insert into live.connection (connection_id, user_id, customer_id, integrator_id, node, connected_at, lease_until)
    select connection_id, user_id, customer_id, integrator_id, ${node}, now(), ${until}
    from unnest(
      ${idsOf(connections)}::uuid[], ${connections.map((one) => one.userId)}::uuid[],
      ${connections.map((one) => one.customerId)}::uuid[], ${connections.map((one) => one.integratorId)}::uuid[]
    ) as opened (connection_id, user_id, customer_id, integrator_id)
    on conflict (connection_id) do ${
      onConflict === 'leave'
        ? sql`nothing`
        : sql`update set node = excluded.node, connected_at = now(), lease_until = excluded.lease_until
          where live.connection.user_id = excluded.user_id`
    }
    returning connection_id`.execute(tx);

  const take = async (tx: Transaction<Tables>, opened: readonly Connection[]): Promise<Set<ConnectionId>> => {
    const elsewhere = await tx
      .selectFrom('live.connection')
      .select('connection_id')
      .where(isOneOf(idsOf(opened)))
      .where('node', '!=', node)
      .forUpdate()
      .execute();
    const { rows } = await add(tx, opened, 'take');
    const taken = new Set(rows.map((row) => row.connection_id));
    await announce(
      tx,
      opened.filter(({ connectionId }) => taken.has(connectionId)),
      elsewhere.filter((row) => taken.has(row.connection_id)).map((row) => ({ connectionId: row.connection_id, to: node })),
    );
    return taken;
  };

  return {
    write: (opened, closed) =>
      transaction(async (tx) => {
        if (closed.length > 0) {
          await tx
            .deleteFrom('live.connection')
            .where(isOneOf(idsOf(closed)))
            .where('node', '=', node)
            .execute();
          await announce(tx, closed);
        }
        return opened.length > 0 ? take(tx, opened) : new Set();
      }),

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
        const added = new Set((await add(tx, missing, 'leave')).rows.map((row) => row.connection_id));
        await announce(tx, [...stale, ...missing.filter(({ connectionId }) => added.has(connectionId))]);
        return idsOf(missing).filter((connectionId) => !added.has(connectionId));
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
