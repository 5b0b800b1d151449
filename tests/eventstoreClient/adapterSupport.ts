import type pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { AnyEvent, StreamCategory } from '../../src/domain/events.ts';
import type {
  AllSubscription,
  EventStore,
  Position,
  Recorded,
  StoredEvents,
  StreamName,
  SubscriptionItem,
} from '../../src/eventstore/port.ts';
import { masterSecretOf } from '../../src/security/masterSecret.ts';
import { createSealing } from '../../src/security/sealing.ts';
import { createVault, type Vault } from '../../src/security/vault.ts';
import { openOwnEvents, openStores, type TestStores } from '../support/stores.ts';

export type StoreFixture = { stores: TestStores; db: Database; pool: pg.Pool; vault: Vault; events: EventStore & StoredEvents };

/** The stores of a test file with the adapter over them, opened before its tests and closed after. */
export const openStoreFixture = (): StoreFixture => {
  const fixture = {} as StoreFixture;
  beforeAll(async () => {
    const stores = await openStores();
    const { db, pool } = connectDatabase(stores.databaseUrl, { onError: () => undefined });
    await migrate(db);
    const vault = createVault({ db, masterSecret: masterSecretOf(Buffer.alloc(32, 1)) });
    const events = openOwnEvents(stores)({ url: stores.eventStoreUrl, sealing: createSealing(vault) });
    Object.assign(fixture, { stores, db, pool, vault, events });
  });
  afterAll(async () => {
    await fixture.events.close();
    await fixture.db.destroy();
    await fixture.stores.close();
  });
  return fixture;
};

export const readAll = async (events: EventStore, stream: StreamName, from = 0n): Promise<Recorded[]> => {
  const recorded: Recorded[] = [];
  for await (const event of events.read(stream, { from })) recorded.push(event);
  return recorded;
};

export const eventsOf = async (events: EventStore, stream: StreamName): Promise<AnyEvent[]> =>
  (await readAll(events, stream)).map(({ event }) => event);

/** Takes items until the test has seen enough, then closes. */
export const takeUntil = async (
  subscription: AllSubscription,
  enough: (items: readonly SubscriptionItem[]) => boolean,
): Promise<SubscriptionItem[]> => {
  const items: SubscriptionItem[] = [];
  for await (const item of subscription) {
    items.push(item);
    if (enough(items)) break;
  }
  return items;
};

export const recordedOf = (items: readonly SubscriptionItem[]): Recorded[] =>
  items.flatMap((item) => (item.kind === 'event' ? [item.recorded] : []));

/** Where a subscription has to begin to see what the test appends from now on. */
export const startOf = async ({ stores, events }: StoreFixture): Promise<Position | null> =>
  stores.after === null ? null : events.head();

export const everyCategory: readonly StreamCategory[] = [
  'customer',
  'integrator',
  'themes',
  'credential',
  'userActivity',
  'apiCalls',
  'adminActivity',
  'signIns',
];
