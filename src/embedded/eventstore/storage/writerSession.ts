import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { StoredEvent } from './event.ts';
import { insertOf } from './eventRow.ts';
import { isRefusedStatement } from './refusedStatement.ts';
import { createTables } from './schema.ts';

/** The only connection that writes. It holds an advisory lock while it is open, which excludes other writers. */
export type WriterSession = Readonly<{
  /** Position of the last event of the store when the session began; 0 when there is none. */
  lastPosition: number;
  /**
   * Resolves when the events are durable. When it rejects, none was written if `isRefusedStatement`; otherwise the outcome is unknown
   * and the session is lost.
   */
  insert: (events: readonly StoredEvent[]) => Promise<void>;
  /** Calls `listener` once when the session is lost. */
  onLost: (listener: (reason: Error) => void) => void;
  close: () => Promise<void>;
}>;

/** The connection URLs for reading and writing events (`databaseUrl`) and for creating tables (`ownerUrl`). They may be equal. */
export type StoreUrls = Readonly<{ databaseUrl: string; ownerUrl: string }>;

/** Another server holds the writer's lock of this database. */
class StoreLocked extends Error {
  override readonly name = 'StoreLocked';
}

const LOCK = `select pg_try_advisory_lock(hashtextextended('eventstore.writer', 0)) as locked`;
const LOCK_RETRY_MS = 50;
const CONNECT_TIMEOUT_MS = 5_000;
// With 'off', a crash of PostgreSQL could lose acknowledged events. Other values are left to the operator.
const DURABLE = `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;

const lock = async (client: Client, lockTimeoutMs: number): Promise<void> => {
  for (const deadline = Date.now() + lockTimeoutMs; ; await delay(LOCK_RETRY_MS)) {
    const { rows } = await client.query<{ locked: boolean }>(LOCK);
    if (rows[0]?.locked) return;
    if (Date.now() >= deadline) throw new StoreLocked('Another event store server is writing to this database');
  }
};

/** Creates the tables as their owner and grants the writer's login access. */
const createTablesAs = async (ownerUrl: string, writer: Client): Promise<void> => {
  const { rows } = await writer.query<{ name: string }>('select current_user as name');
  const owner = new Client({
    connectionString: ownerUrl,
    application_name: 'eventstore owner',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  owner.on('error', () => undefined); // the query under way reports it
  try {
    await owner.connect();
    await createTables(owner, rows[0]?.name ?? '');
  } finally {
    await owner.end().catch(() => undefined);
  }
};

/**
 * Connects, waits up to `lockTimeoutMs` for the lock (the lock of a killed server remains until PostgreSQL closes its connection)
 * and creates the tables. Throws `StoreLocked`, or the connection's error.
 */
export const openWriterSession = async ({ databaseUrl, ownerUrl }: StoreUrls, lockTimeoutMs: number): Promise<WriterSession> => {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'eventstore writer',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  const listeners: ((reason: Error) => void)[] = [];
  let lost: Error | undefined;
  let closing = false;
  const markLost = (reason: Error): void => {
    if (lost || closing) return;
    lost = reason;
    for (const listener of listeners) listener(reason);
  };
  client.on('error', markLost);
  client.on('end', () => markLost(new Error('The connection to PostgreSQL ended')));
  try {
    await client.connect();
    await lock(client, lockTimeoutMs);
    await client.query(DURABLE);
    await createTablesAs(ownerUrl, client);
    const { rows } = await client.query<{ last: string }>('select coalesce(max(position), 0) as last from eventstore.event');
    return {
      lastPosition: Number(rows[0]?.last),
      insert: async (events) => {
        try {
          await client.query(insertOf(events));
        } catch (error) {
          if (isRefusedStatement(error)) throw error;
          // The state of the store is unknown after any other error, so a new session must load it.
          markLost(error instanceof Error ? error : new Error(String(error)));
          void client.end().catch(() => undefined);
          throw error;
        }
      },
      onLost: (listener) => {
        if (lost) listener(lost);
        else listeners.push(listener);
      },
      close: () => {
        closing = true;
        return client.end();
      },
    };
  } catch (error) {
    closing = true;
    await client.end().catch(() => undefined);
    throw error;
  }
};
