import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { StoredEvent } from './event.ts';
import { insertOf } from './eventRow.ts';
import { createTables } from './schema.ts';

/** The one connection that writes. It holds the lock for as long as it lives, so nobody writes beside it. */
export type WriterSession = Readonly<{
  /** Position of the last event of the store when the session began; 0 when there is none. */
  lastPosition: number;
  /** Durable when it resolves. When it rejects, the events may be there or not, and the session is lost. */
  insert: (events: readonly StoredEvent[]) => Promise<void>;
  /** Calls `listener` once, as soon as the session is lost. */
  onLost: (listener: (reason: Error) => void) => void;
  close: () => Promise<void>;
}>;

/** How the store's database is reached: to read and write events, and to create the tables. They may be the same. */
export type StoreUrls = Readonly<{ databaseUrl: string; ownerUrl: string }>;

/** Another server writes to this database. */
class StoreLocked extends Error {
  override readonly name = 'StoreLocked';
}

const LOCK = `select pg_try_advisory_lock(hashtextextended('eventstore.writer', 0)) as locked`;
const LOCK_RETRY_MS = 50;
const CONNECT_WITHIN_MS = 5_000;
// Off would acknowledge what a crash of PostgreSQL can lose; any other setting is the operator's to choose.
const DURABLE = `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;

const lock = async (client: Client, patienceMs: number): Promise<void> => {
  for (const giveUpAt = Date.now() + patienceMs; ; await delay(LOCK_RETRY_MS)) {
    const { rows } = await client.query<{ locked: boolean }>(LOCK);
    if (rows[0]?.locked) return;
    if (Date.now() >= giveUpAt) throw new StoreLocked('Another event store server is writing to this database');
  }
};

/** Creates the tables as their owner, and lets the writer's login use them. */
const createTablesAs = async (ownerUrl: string, writer: Client): Promise<void> => {
  const { rows } = await writer.query<{ name: string }>('select current_user as name');
  const owner = new Client({
    connectionString: ownerUrl,
    application_name: 'eventstore owner',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
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
 * Connects, waits up to `patienceMs` for the lock (a server that was killed keeps it until PostgreSQL notices) and
 * creates the tables. Throws `StoreLocked`, or the connection's error.
 */
export const openWriterSession = async ({ databaseUrl, ownerUrl }: StoreUrls, patienceMs: number): Promise<WriterSession> => {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'eventstore writer',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
  });
  const listeners: ((reason: Error) => void)[] = [];
  let lost: Error | undefined;
  let closing = false;
  const lose = (reason: Error): void => {
    if (lost || closing) return;
    lost = reason;
    for (const listener of listeners) listener(reason);
  };
  client.on('error', lose);
  client.on('end', () => lose(new Error('The connection to PostgreSQL ended')));
  try {
    await client.connect();
    await lock(client, patienceMs);
    await client.query(DURABLE);
    await createTablesAs(ownerUrl, client);
    const { rows } = await client.query<{ last: string }>('select coalesce(max(position), 0) as last from eventstore.event');
    return {
      lastPosition: Number(rows[0]?.last),
      insert: async (events) => {
        try {
          await client.query(insertOf(events));
        } catch (error) {
          // Whatever went wrong, what we believe of the store may be wrong too: the next session looks for itself.
          lose(error instanceof Error ? error : new Error(String(error)));
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
