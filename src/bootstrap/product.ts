import { hkdfSync, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import { createApiCallRecorder } from '../commands/apiCalls.ts';
import { createDispatch, type Dispatch } from '../commands/dispatch.ts';
import { connectDatabase, type Database } from '../database/database.ts';
import { listenTo, type Notices } from '../database/listen.ts';
import { migrateAt } from '../database/migrate.ts';
import { createEventStore } from '../eventstore/adapter.ts';
import type { EventStore } from '../eventstore/port.ts';
import { PRESENCE_CHANNEL } from '../http/live/presence.ts';
import { CHANNELS } from '../projections/changes.ts';
import { createQueries, type Queries } from '../projections/queries.ts';
import { keyDigest } from '../security/keys.ts';
import { masterSecretOf } from '../security/masterSecret.ts';
import { createPasswords, type Passwords } from '../security/passwords.ts';
import { createSealing, type Sealing } from '../security/sealing.ts';
import { createSessions, SESSIONS_CHANNEL, type Sessions } from '../security/sessions.ts';
import { createVault, type Vault } from '../security/vault.ts';

/** What every role of the product works with. */
export type Product = Readonly<{
  databaseUrl: string;
  db: Database;
  pool: pg.Pool;
  notices: Notices;
  vault: Vault;
  sealing: Sealing;
  passwords: Passwords;
  sessions: Sessions;
  events: EventStore;
  dispatch: Dispatch;
  recordCalls: ReturnType<typeof createApiCallRecorder>;
  queries: Queries;
  digest: (key: string) => Buffer;
  /** 32 bytes of their own for each purpose. */
  secretFor: (purpose: string) => Buffer;
  /** Names this process among the nodes. */
  node: string;
  now: () => number;
  newId: () => string;
  /** From 0 up to 1. */
  random: () => number;
  close: () => Promise<void>;
}>;

/** Whether something was sealed in the database already, under a master secret that must not be replaced by a new one. */
export const holdsSealedData = async (databaseUrl: string): Promise<boolean> => {
  const { db } = connectDatabase(databaseUrl, { max: 1, onError: () => undefined });
  try {
    const { rows } = await sql<{ found: string | null }>`select to_regclass('vault.data_key')::text as found`.execute(db);
    if (!rows[0]?.found) return false;
    return (await db.selectFrom('vault.data_key').select('key_id').limit(1).executeTakeFirst()) !== undefined;
  } finally {
    await db.destroy();
  }
};

/** Connects to both stores, brings the database up to date and wires the write side and the queries. */
export const openProduct = async ({
  databaseUrl,
  eventStoreUrl,
  masterSecret,
  log,
}: {
  databaseUrl: string;
  eventStoreUrl: string;
  masterSecret: Buffer;
  log: Logger;
}): Promise<Product> => {
  const secret = masterSecretOf(masterSecret);
  const { db, pool, lookUp } = connectDatabase(databaseUrl, {
    onError: (err) => log.warn({ err }, 'An idle connection to PostgreSQL was lost'),
  });
  const vault = createVault({ db, masterSecret: secret });
  const sealing = createSealing(vault);
  const notices = listenTo(databaseUrl, [...CHANNELS, SESSIONS_CHANNEL, PRESENCE_CHANNEL], {
    onError: (err) => log.warn({ err }, 'PostgreSQL notices were interrupted'),
  });
  try {
    await migrateAt(databaseUrl, { onError: (err) => log.warn({ err }, 'Migrations were interrupted') });
    await vault.check();
    await notices.start();
  } catch (error) {
    await notices.close();
    await db.destroy();
    throw error;
  }
  const events = createEventStore({ url: eventStoreUrl, sealing });
  const now = (): number => Date.now();
  const sessions = createSessions({ db, notices, now, onError: (err) => log.warn({ err }, 'Sessions could not be kept') });
  return {
    databaseUrl,
    db,
    pool,
    notices,
    vault,
    sealing,
    passwords: createPasswords(),
    sessions,
    events,
    dispatch: createDispatch({ events }),
    recordCalls: createApiCallRecorder({ events }),
    queries: createQueries(db, {
      lookUp,
      open: async (owner, id, eventType, field, sealed) => sealing.open(sealed, { owner: `${owner}:${id}`, eventType, field }),
      now: () => new Date(now()),
    }),
    digest: (key) => keyDigest(secret.pepper, key),
    secretFor: (purpose) => Buffer.from(hkdfSync('sha256', masterSecret, '', purpose, 32)),
    node: `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
    now,
    newId: () => randomUUID(),
    random: Math.random,
    close: async () => {
      await sessions.close();
      await events.close();
      await notices.close();
      await db.destroy();
    },
  };
};
