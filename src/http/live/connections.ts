import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import { connectionId as connectionIdOf } from '../../contracts/fields.ts';
import type { Database } from '../../database/database.ts';
import type { Notices } from '../../database/listen.ts';
import type { Tables } from '../../database/tables.ts';
import type { ConnectionId } from '../../domain/ids.ts';
import { announce, hearPresence, type UserPresence, type Who } from './presence.ts';

/** An open socket of a command-line tool. */
export type Connection = Who & Readonly<{ connectionId: ConnectionId }>;

export type Connections = Readonly<{
  /** Takes a lease. `taken` when the id is another user's; the same user's older socket of that id is replaced. */
  open: (connection: Connection) => Promise<'open' | 'taken'>;
  /** Gives the lease back, unless the connection has moved to another node. */
  close: (connection: Connection) => Promise<void>;
  /** Called on every node soon after users came or went, with how they are now. */
  onPresence: (handler: (presence: readonly UserPresence[]) => void) => () => void;
  /** Called for leases of nodes that died. */
  onLost: (handler: (connection: Connection) => void) => () => void;
  /** Called when another node took one of this node's connections over. */
  onMoved: (handler: (connectionId: ConnectionId) => void) => () => void;
  /** Whether leases are being renewed in time. */
  isHealthy: () => boolean;
  start: () => Promise<void>;
  /** Waits for what is under way. */
  stop: () => Promise<void>;
}>;

export const LEASE_S = 30;
const RENEW_MS = 10_000;
const SWEEP_MS = 5_000;
/** Sockets that come and go are written together. */
const BATCH_MS = 10;
const BATCH = 500;
/** So that a list of ids is never empty. */
const NO_CONNECTION = connectionIdOf.parse('00000000-0000-0000-0000-000000000000');

type Waiting =
  | { kind: 'open'; connection: Connection; done: (outcome: 'open' | 'taken') => void; failed: (error: unknown) => void }
  | { kind: 'close'; connection: Connection; done: () => void; failed: (error: unknown) => void };

/**
 * Leases of open sockets in Postgres, so that every node knows who is connected and a dead node's sockets are over 30 s later.
 * Times are the database's. `node` names this process.
 */
export const createConnections = ({
  db,
  notices,
  node,
  onError,
  renewMs = RENEW_MS,
  sweepMs = SWEEP_MS,
}: {
  db: Database;
  notices: Notices;
  node: string;
  onError: (error: unknown) => void;
  renewMs?: number;
  sweepMs?: number;
}): Connections => {
  const held = new Map<ConnectionId, Connection>();
  const presenceHandlers = new Set<(presence: readonly UserPresence[]) => void>();
  const lostHandlers = new Set<(connection: Connection) => void>();
  const movedHandlers = new Set<(connectionId: ConnectionId) => void>();
  const timers: NodeJS.Timeout[] = [];
  let waiting: Waiting[] = [];
  let writing: Promise<void> | null = null;
  let renewedAt = performance.now();

  /** Opens all of them that are not another user's; says which. */
  const insert = async (tx: Transaction<Tables>, opened: readonly Connection[]): Promise<Set<ConnectionId>> => {
    if (opened.length === 0) return new Set();
    const before = await tx
      .selectFrom('live.connection')
      .select(['connection_id', 'node'])
      .where(
        'connection_id',
        'in',
        opened.map(({ connectionId }) => connectionId),
      )
      .where('node', '!=', node)
      .forUpdate()
      .execute();
    const { rows } = await sql<{ connection_id: ConnectionId }>`
      insert into live.connection (connection_id, user_id, customer_id, integrator_id, node, connected_at, lease_until)
      select connection_id, user_id, customer_id, integrator_id, ${node}, now(), now() + make_interval(secs => ${LEASE_S})
      from unnest(
        ${opened.map((one) => one.connectionId)}::uuid[], ${opened.map((one) => one.userId)}::uuid[],
        ${opened.map((one) => one.customerId)}::uuid[], ${opened.map((one) => one.integratorId)}::uuid[]
      ) as opened (connection_id, user_id, customer_id, integrator_id)
      on conflict (connection_id) do update set node = excluded.node, connected_at = now(), lease_until = excluded.lease_until
      where live.connection.user_id = excluded.user_id
      returning connection_id`.execute(tx);
    const ours = new Set(rows.map((row) => row.connection_id));
    const moved = before.filter((row) => ours.has(row.connection_id)).map((row) => ({ connectionId: row.connection_id, to: node }));
    await announce(
      tx,
      opened.filter(({ connectionId }) => ours.has(connectionId)),
      moved,
    );
    return ours;
  };

  const remove = async (tx: Transaction<Tables>, closed: readonly Connection[]): Promise<void> => {
    if (closed.length === 0) return;
    await tx
      .deleteFrom('live.connection')
      .where(
        'connection_id',
        'in',
        closed.map(({ connectionId }) => connectionId),
      )
      .where('node', '=', node)
      .execute();
    await announce(tx, closed);
  };

  /** The next ones to write: what comes second for an id waits for the next turn, so that order is kept. */
  const take = (): Waiting[] => {
    const ids = new Set<ConnectionId>();
    const later: Waiting[] = [];
    const batch = waiting.filter((one) => {
      const { connectionId } = one.connection;
      const isNext = ids.size < BATCH && !ids.has(connectionId);
      ids.add(connectionId);
      if (!isNext) later.push(one);
      return isNext;
    });
    waiting = later;
    return batch;
  };

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = take();
      try {
        const ours = await db.transaction().execute(async (tx) => {
          await remove(
            tx,
            batch.flatMap((one) => (one.kind === 'close' ? [one.connection] : [])),
          );
          return insert(
            tx,
            batch.flatMap((one) => (one.kind === 'open' ? [one.connection] : [])),
          );
        });
        for (const one of batch) {
          if (one.kind === 'close') one.done();
          else if (ours.has(one.connection.connectionId)) one.done('open');
          else {
            held.delete(one.connection.connectionId);
            one.done('taken');
          }
        }
      } catch (error) {
        for (const one of batch) {
          if (one.kind === 'open') held.delete(one.connection.connectionId);
          one.failed(error);
        }
      }
    }
  };

  const enqueue = (one: Waiting): void => {
    waiting.push(one);
    schedule();
  };

  const schedule = (): void => {
    writing ??= sleep(BATCH_MS)
      .then(write)
      .finally(() => {
        writing = null;
        if (waiting.length > 0) schedule();
      });
  };

  const renew = async (): Promise<void> => {
    const { numUpdatedRows } = await db
      .updateTable('live.connection')
      .set({ lease_until: sql`now() + make_interval(secs => ${LEASE_S})` })
      .where('node', '=', node)
      .executeTakeFirst();
    renewedAt = performance.now();
    if (Number(numUpdatedRows) === held.size) return;
    await db.transaction().execute(async (tx) => {
      // Leases that could not be given back when their sockets closed.
      const stale = await tx
        .deleteFrom('live.connection')
        .where('node', '=', node)
        .where('connection_id', 'not in', [...held.keys(), NO_CONNECTION])
        .returning(['user_id as userId', 'customer_id as customerId', 'integrator_id as integratorId'])
        .execute();
      await announce(tx, stale);
      // Swept by others while this process stood still: the sockets are open all the same.
      await insert(tx, [...held.values()]);
    });
  };

  const sweep = async (): Promise<void> => {
    const lost = await db.transaction().execute(async (tx) => {
      const rows = await tx
        .deleteFrom('live.connection')
        .where('lease_until', '<', sql<Date>`now()`)
        .returning([
          'connection_id as connectionId',
          'user_id as userId',
          'customer_id as customerId',
          'integrator_id as integratorId',
        ])
        .execute();
      await announce(tx, rows);
      return rows;
    });
    for (const connection of lost) for (const handler of lostHandlers) handler(connection);
  };

  const hearing = hearPresence({
    db,
    notices,
    onPresence: (presence) => {
      for (const handler of presenceHandlers) handler(presence);
    },
    onMoved: ({ connectionId, to }) => {
      if (to === node || !held.delete(connectionId)) return;
      for (const handler of movedHandlers) handler(connectionId);
    },
    onError,
  });

  return {
    open: (connection) => {
      held.set(connection.connectionId, connection);
      return new Promise((done, failed) => enqueue({ kind: 'open', connection, done, failed }));
    },
    close: (connection) => {
      held.delete(connection.connectionId);
      return new Promise((done, failed) => enqueue({ kind: 'close', connection, done, failed }));
    },
    onPresence: (handler) => {
      presenceHandlers.add(handler);
      return () => void presenceHandlers.delete(handler);
    },
    onLost: (handler) => {
      lostHandlers.add(handler);
      return () => void lostHandlers.delete(handler);
    },
    onMoved: (handler) => {
      movedHandlers.add(handler);
      return () => void movedHandlers.delete(handler);
    },
    isHealthy: () => performance.now() - renewedAt < LEASE_S * 1000,
    start: async () => {
      await renew();
      timers.push(
        setInterval(() => void renew().catch(onError), renewMs),
        setInterval(() => void sweep().catch(onError), sweepMs),
      );
    },
    stop: async () => {
      for (const one of timers) clearInterval(one);
      while (writing) await writing;
      await hearing.stop();
    },
  };
};
