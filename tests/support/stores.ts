import { randomBytes } from 'node:crypto';
import { BACKWARDS, END, type EventStoreDBClient, StreamNotFoundError } from '@eventstore/db-client';
import { sql } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { Database } from '../../src/database/database.ts';
import { teamIdOf } from '../../src/domain/team/teamId.ts';
import { createEventStore } from '../../src/eventstore/adapter.ts';
import { closeClient } from '../../src/eventstore/client.ts';
import { clientOf } from '../../src/eventstore/connect.ts';
import type { Position } from '../../src/eventstore/port.ts';
import { fixedSealing } from './fixedSealing.ts';
import type {} from './globalSetup.ts';
import { inDatabase } from './inDatabase.ts';

/** A database of the test file's own. */
export type TestDatabase = { databaseUrl: string; close: () => Promise<void> };

export type TestStores = TestDatabase & {
  /** What `EventStoreDBClient.connectionString` accepts. */
  eventStoreUrl: string;
  /** The newest event of others in a given store; null in a store of the test file's own. `openOwnEvents` leaves them out. */
  after: Position | null;
};

/** Runs statements in the database of `db` as a superuser: the application's own role changes no schema and sees no other session. */
export const asSuperuser = async (db: Database, ...statements: readonly string[]): Promise<pg.QueryResult[]> => {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const url = new URL(inject('stores').adminUrl);
  url.pathname = `/${rows[0]?.name}`;
  const results: pg.QueryResult[] = [];
  await inDatabase(url.href, async (client) => {
    for (const statement of statements) results.push(await client.query(statement));
  });
  return results;
};

let adminPool: pg.Pool | undefined;

/** Kept for all test files of the worker, whose end it does not delay. */
const admin = (url: string): pg.Pool => {
  adminPool ??= new pg.Pool({ connectionString: url, max: 2, allowExitOnIdle: true }).on('error', () => undefined);
  return adminPool;
};

/** A database, empty or a copy of `template`. `close` ends its connections and drops it. */
export const openDatabase = async (template: string | null = null): Promise<TestDatabase> => {
  const { adminUrl } = inject('stores');
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copying files takes half the time of copying pages. PostgreSQL 14 has no STRATEGY; only the embedded one, which is newer, has a template.
  const source = template === null ? 'template1' : `${template} STRATEGY FILE_COPY`;
  await admin(adminUrl).query(`CREATE DATABASE ${name} TEMPLATE ${source}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    databaseUrl: url.href,
    close: async () => {
      await admin(adminUrl).query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
};

/** An embedded event store in a database, on a loopback port: its tables have a schema of their own. */
const startEventStoreIn = async (databaseUrl: string): Promise<{ eventStoreUrl: string; close: () => Promise<void> }> => {
  const { startEventStore } = await import('../../src/embedded/eventstore/server.ts'); // not loaded for files that need a database only
  const server = await startEventStore({ databaseUrl, listen: { host: '127.0.0.1', port: 0 }, log: () => undefined });
  return { eventStoreUrl: server.connectionString, close: () => server.close() };
};

const exists = async (client: EventStoreDBClient, stream: string): Promise<boolean> => {
  try {
    for await (const _ of client.readStream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 1 })) return true;
    return false;
  } catch (error) {
    if (error instanceof StreamNotFoundError) return false;
    throw error;
  }
};

/**
 * Deletes the streams with fixed names of a given event store. What earlier test files wrote to them is sealed by keys of their
 * databases, so that no other file can read it.
 */
const deleteFixedStreams = async (url: string): Promise<void> => {
  const client = clientOf(url);
  const fixed = [
    ...Object.values(streams).filter((name) => typeof name === 'string'),
    streams.team(teamIdOf({ kind: 'administration' })),
  ];
  try {
    for (const stream of fixed) if (await exists(client, stream)) await client.deleteStream(stream);
  } finally {
    await closeClient(client);
  }
};

const newestOf = async (url: string): Promise<Position | null> => {
  const events = createEventStore({ url, sealing: fixedSealing });
  try {
    return await events.head();
  } finally {
    await events.close();
  }
};

/** Opens the event store as it is without the events that it had before the test file: subscriptions begin after them. */
export const openOwnEvents =
  ({ after: others }: Pick<TestStores, 'after'>): typeof createEventStore =>
  (options) => {
    const events = createEventStore(options);
    return {
      ...events,
      subscribe: ({ after, categories }) => events.subscribe({ after: after ?? others, categories }),
      subscribeStored: ({ after, categories }) => events.subscribeStored({ after: after ?? others, categories }),
    };
  };

/**
 * A database, migrated where a template exists, and an event store: one in the same database where it is embedded, since the second
 * database would take a third of the time, otherwise that of the whole run.
 */
export const openStores = async (): Promise<TestStores> => {
  const { eventStoreUrl, template } = inject('stores');
  const database = await openDatabase(template);
  if (eventStoreUrl) {
    await deleteFixedStreams(eventStoreUrl);
    return { ...database, eventStoreUrl, after: await newestOf(eventStoreUrl) };
  }
  const eventStore = await startEventStoreIn(database.databaseUrl);
  return {
    databaseUrl: database.databaseUrl,
    eventStoreUrl: eventStore.eventStoreUrl,
    after: null,
    close: async () => {
      await eventStore.close();
      await database.close();
    },
  };
};
