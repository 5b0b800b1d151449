import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { openingWith } from '../../src/bootstrap/product.ts';
import { hasCallsAfter, readCallEvents } from '../../src/commands/callEvents.ts';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { listenTo, type Notices } from '../../src/database/listen.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { Actor } from '../../src/domain/event.ts';
import type { AnyEvent } from '../../src/domain/events.ts';
import type { EventStore, Position, StoredEvents, StreamName } from '../../src/eventstore/port.ts';
import { CHANNELS } from '../../src/projections/engine/changes.ts';
import type { ProjectionGroup } from '../../src/projections/engine/projection.ts';
import { createReadPosition, type ReadPosition } from '../../src/projections/engine/readPosition.ts';
import { type Notice, type Runner, startRunner } from '../../src/projections/engine/runner.ts';
import { projectionGroupsOf } from '../../src/projections/projector.ts';
import { createQueries, type Queries } from '../../src/projections/queries.ts';
import { limitCallCounts } from '../../src/projections/usage/filtered.ts';
import { masterSecretOf } from '../../src/security/masterSecret.ts';
import { createSealing, type Sealing } from '../../src/security/sealing.ts';
import { createVault, type Vault } from '../../src/security/vault.ts';
import { metaOf } from '../support/builders/command.ts';
import { openDatabase, openOwnEvents, openStores, type TestDatabase, type TestStores } from '../support/stores.ts';

export const NOW = new Date('2026-01-31T12:00:00.000Z');
export const digest = (licenseKey: string): Buffer => createHmac('sha256', 'pepper').update(licenseKey).digest();
export const plans = projectionGroupsOf({ digest, signInRetentionDays: 90 });

export type Fixture = {
  databaseUrl: string;
  db: Database;
  vault: Vault;
  sealing: Sealing;
  events: EventStore & StoredEvents;
  notices: Notices;
  queries: Queries;
  readPosition: ReadPosition;
};

export const runnerDeps = (
  fixture: Pick<Fixture, 'databaseUrl' | 'events'>,
  onNotice: (notice: Notice) => void = () => undefined,
) => ({
  databaseUrl: fixture.databaseUrl,
  ownerUrl: fixture.databaseUrl,
  events: fixture.events,
  node: 'test',
  now: () => Date.now(),
  random: () => Math.random(),
  onNotice,
});

/** Database, vault and queries of a test file; the event store is the given one, or a real one. */
export const openFixture = (storeOf?: (sealing: Sealing) => EventStore & StoredEvents): Fixture => {
  const fixture = {} as Fixture;
  let stores: TestDatabase;
  beforeAll(async () => {
    const full: TestStores | null = storeOf ? null : await openStores();
    stores = full ?? (await openDatabase());
    const { databaseUrl } = stores;
    const { db, lookUp } = connectDatabase(databaseUrl, { onError: () => undefined });
    await migrate(db);
    const vault = createVault({ db, masterSecret: masterSecretOf(Buffer.alloc(32, 1)) });
    const sealing = createSealing(vault);
    const events = full ? openOwnEvents(full)({ url: full.eventStoreUrl, sealing }) : storeOf?.(sealing);
    if (!events) throw new Error('No event store');
    const notices = listenTo(databaseUrl, CHANNELS, { onError: () => undefined });
    await notices.start();
    const queries = createQueries(db, {
      lookUp,
      ...openingWith(sealing),
      readCalls: (...asked) => readCallEvents(events, ...asked),
      hasCallsAfter: (...asked) => hasCallsAfter(events, ...asked),
      callCounts: limitCallCounts(),
      now: () => NOW,
    });
    const readPosition = createReadPosition(notices, db);
    Object.assign(fixture, { databaseUrl, db, vault, sealing, events, notices, queries, readPosition });
  });
  afterAll(async () => {
    fixture.readPosition.close();
    await fixture.notices.close();
    await fixture.events.close();
    await fixture.db.destroy();
    await stores.close();
  });
  return fixture;
};

type EventOptions = { at?: string; actor?: Actor };

/** Appends events to a stream at any revision. */
export const appendEvents = async (
  { events }: Pick<Fixture, 'events'>,
  stream: StreamName,
  facts: readonly AnyEvent[],
  meta: EventOptions = {},
): Promise<Position> => {
  const appended = await events.append(stream, facts, { expected: 'any', meta: metaOf(meta) });
  if (!appended.ok) throw new Error('An append to any revision was refused');
  return appended.position;
};

/** Repeats a query until it has a result. Only the test's own timeout ends it. */
export const eventually = async <Answer>(ask: () => Promise<Answer | undefined | null | false>): Promise<Answer> => {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    await sleep(10);
  }
};

/** Waits until a group has applied an event. */
export const settled = async ({ db }: Pick<Fixture, 'db'>, schema: 'read' | 'usage', position: Position): Promise<void> => {
  await eventually(async () => {
    const row = await db.selectFrom(`${schema}.checkpoint`).select('last_position').executeTakeFirst();
    return row?.last_position !== null && row?.last_position !== undefined && BigInt(row.last_position) >= position;
  });
};

/** Runs the groups for a test file. */
export const runGroups = (fixture: Fixture, groups: readonly ProjectionGroup[] = Object.values(plans)): void => {
  let runners: Runner[] = [];
  beforeAll(() => {
    runners = groups.map((plan) => startRunner(plan, runnerDeps(fixture)));
  });
  afterAll(async () => {
    await Promise.all(runners.map((runner) => runner.stop()));
  });
};
