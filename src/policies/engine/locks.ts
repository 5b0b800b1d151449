import type pg from 'pg';

/** Separates the policies' advisory locks from others in the same database. */
const LOCK_CLASS = 0x706f6c;
const HEARTBEAT_MS = 2_000;
const MISSED_HEARTBEATS = 3;

export type Locks = Readonly<{
  /** Whether this node has the lock now. `onLost` is called if it loses the lock without releasing it. */
  acquire: (name: string, onLost: () => void) => Promise<boolean>;
  release: (name: string) => Promise<void>;
  close: () => Promise<void>;
}>;

type Connection = {
  client: pg.PoolClient;
  isOpen: boolean;
  missed: number;
  heartbeat: NodeJS.Timeout;
  /** Settles when the last query was answered. */
  turn: Promise<unknown>;
};

/** A connection executes one query at a time, so concurrent callers wait in a queue. */
const ask = <Row extends pg.QueryResultRow>(
  connection: Connection,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult<Row>> => {
  const answer = connection.turn.then(() => connection.client.query<Row>(text, values));
  connection.turn = answer.catch(() => undefined);
  return answer;
};

/**
 * Advisory locks on one connection of the pool, which stays open for them. If the connection is lost or silent, PostgreSQL releases the
 * locks, and another node can acquire them.
 */
export const createLocks = (pool: pg.Pool): Locks => {
  const held = new Map<string, () => void>();
  let current: Promise<Connection> | null = null;

  const drop = (connection: Connection): void => {
    if (!connection.isOpen) return;
    connection.isOpen = false;
    current = null;
    clearInterval(connection.heartbeat);
    connection.client.release(true);
    const lost = [...held.values()];
    held.clear();
    for (const onLost of lost) onLost();
  };

  const beat = (connection: Connection): void => {
    connection.missed += 1;
    if (connection.missed > MISSED_HEARTBEATS) {
      drop(connection);
      return;
    }
    ask(connection, 'select 1').then(
      () => {
        connection.missed = 0;
      },
      () => drop(connection),
    );
  };

  const open = async (): Promise<Connection> => {
    const client = await pool.connect();
    const connection: Connection = {
      client,
      isOpen: true,
      missed: 0,
      heartbeat: setInterval(() => beat(connection), HEARTBEAT_MS),
      turn: Promise.resolve(),
    };
    client.on('error', () => drop(connection));
    client.on('end', () => drop(connection));
    return connection;
  };

  const opened = (): Promise<Connection> => {
    if (current) return current;
    const opening = open();
    current = opening;
    opening.catch(() => {
      if (current === opening) current = null;
    });
    return opening;
  };

  return {
    acquire: async (name, onLost) => {
      const connection = await opened();
      const { rows } = await ask<{ locked: boolean }>(connection, 'select pg_try_advisory_lock($1, hashtext($2)) as locked', [
        LOCK_CLASS,
        name,
      ]);
      const isOurs = rows[0]?.locked === true && connection.isOpen;
      if (isOurs) held.set(name, onLost);
      return isOurs;
    },
    release: async (name) => {
      if (!held.delete(name) || !current) return;
      await ask(await current, 'select pg_advisory_unlock($1, hashtext($2))', [LOCK_CLASS, name]);
    },
    close: async () => {
      held.clear();
      const connection = await current?.catch(() => null);
      if (connection) drop(connection);
    },
  };
};
