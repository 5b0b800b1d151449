import { randomUUID } from 'node:crypto';
import { type EventStoreDBClient, type ReadPosition, START, streamNameFilter, TimeoutError } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/eventually.ts';
import { describeAtLength, IS_AT_LENGTH } from '../support/tiers.ts';
import {
  collect,
  type EventStoreUnderTest,
  newStream,
  openEventStore,
  readSeats,
  seatClaimed,
  seats,
  seatsClaimed,
} from './support.ts';

let store: EventStoreUnderTest;
beforeAll(async () => {
  store = await openEventStore();
});
afterAll(() => store.close());

const WRITERS = 32;
const APPENDS = IS_AT_LENGTH ? 40 : 10;
const EVENTS = 3;
const TOTAL = WRITERS * APPENDS * EVENTS;

/** Concurrent writers, each with its own stream. Resolves when all appends are acknowledged. */
const writeConcurrently = async (client: EventStoreDBClient, category: string, events = EVENTS): Promise<string[]> => {
  const streams = Array.from({ length: WRITERS }, () => newStream(category));
  await Promise.all(
    streams.map(async (stream) => {
      for (let append = 0; append < APPENDS; append++) await client.appendToStream(stream, seatsClaimed(events, append * events));
    }),
  );
  return streams;
};

type Seen = { stream: string; revision: bigint; position: bigint };

const subscribe = (category: string, fromPosition: ReadPosition = START) => {
  const subscription = store.client.subscribeToAll({ fromPosition, filter: streamNameFilter({ prefixes: [category] }) });
  subscription.on('error', () => undefined); // `takeAll` handles it, also if it arrives before the first read
  return subscription;
};

/** Takes `total` events. EventStoreDB 23.10 ends the subscription of a slow consumer, which then continues after its last event. */
const takeAll = async (category: string, total = TOTAL, opened = subscribe(category)): Promise<Seen[]> => {
  const seen: Seen[] = [];
  let last: ReadPosition = START;
  for (let subscription = opened; ; subscription = subscribe(category, last)) {
    try {
      for await (const { event } of subscription) {
        if (!event) continue;
        last = event.position;
        seen.push({ stream: event.streamId, revision: event.revision, position: event.position.commit });
        if (seen.length === total) break;
      }
      await subscription.unsubscribe();
      return seen;
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
    }
  }
};

describe('subscriptions to $all that start during 32 concurrent writers', () => {
  it('deliver every event once in the order of the store, wherever they start', async () => {
    const category = `seats${randomUUID().replaceAll('-', '')}`;
    const early = takeAll(category);
    const writing = writeConcurrently(store.client, category);
    const during: Promise<Seen[]>[] = [];
    for (let index = 0; index < 4; index++) {
      await store.client.appendToStream(newStream(), seatClaimed(index));
      during.push(takeAll(category));
    }
    const streams = await writing;
    const late = takeAll(category);
    const [first, ...others] = await Promise.all([early, ...during, late]);

    const positions = first.map(({ position }) => position);
    expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => (a < b ? -1 : 1)));
    for (const stream of streams) {
      const revisions = first.filter((event) => event.stream === stream).map(({ revision }) => revision);
      expect(revisions).toEqual(Array.from({ length: APPENDS * EVENTS }, (_, revision) => BigInt(revision)));
    }
    for (const other of others) expect(other).toEqual(first);
  });
});

describe('a subscription to a stream', () => {
  it('delivers existing and new events of the stream once and in order', async () => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatsClaimed(700));
    const subscription = store.client.subscribeToStream(stream, { fromRevision: START });
    const taken: unknown[] = [];
    const writing = (async () => {
      for (let seat = 700; seat < 1_000; seat += 3) await store.client.appendToStream(stream, seatsClaimed(3, seat));
    })();
    for await (const event of subscription) {
      taken.push(...seats([event]));
      if (taken.length === 1_000) break;
    }
    await subscription.unsubscribe();
    await writing;
    expect(taken).toEqual(Array.from({ length: 1_000 }, (_, seat) => seat));
  });

  it('starts after the revision, and waits for a stream that does not exist yet', async () => {
    const stream = newStream();
    const whole = collect(subscribedTo(stream, 3));
    await store.client.appendToStream(stream, seatsClaimed(5));
    expect(seats(await whole)).toEqual([0, 1, 2]);
    expect(seats(await collect(subscribedTo(stream, 2, 2n)))).toEqual([3, 4]);
  });

  async function* subscribedTo(stream: string, count: number, fromRevision: bigint | typeof START = START) {
    const subscription = store.client.subscribeToStream(stream, { fromRevision });
    let left = count;
    for await (const event of subscription) {
      yield event;
      if (--left === 0) break;
    }
    await subscription.unsubscribe();
  }
});

describeAtLength('a subscriber that does not read', () => {
  it('does not delay others, and receives every event once and in order when it continues', async () => {
    const category = `slow${randomUUID().replaceAll('-', '')}`;
    const subscription = subscribe(category);
    await new Promise((resolve) => subscription.once('confirmation', resolve));
    const events = 20; // more in all than an embedded store keeps in memory
    await writeConcurrently(store.client, category, events);
    const positions = (await takeAll(category, WRITERS * APPENDS * events, subscription)).map(({ position }) => position);
    expect(positions).toEqual([...new Set(positions)].toSorted((x, y) => (x < y ? -1 : 1)));
    expect(positions).toHaveLength(WRITERS * APPENDS * events);
  });
});

describe('a subscriber that has caught up', () => {
  it('is notified after the existing events and before new ones', async () => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatsClaimed(4));
    const steps: unknown[] = [];
    const subscription = store.client.subscribeToStream(stream);
    subscription.on('caughtUp', () => steps.push('caught up'));
    subscription.on('data', (event) => steps.push(...seats([event])));
    await until(() => steps.includes('caught up'));
    await store.client.appendToStream(stream, seatClaimed(4));
    await until(() => steps.includes(4));
    await subscription.unsubscribe();
    expect(steps).toEqual([0, 1, 2, 3, 'caught up', 4]);
  });
});

describe('a subscription to a stream without readable events', () => {
  it.each(['deleted', 'truncated'] as const)('gets only what is written later, if the stream is %s', async (how) => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatsClaimed(3));
    if (how === 'deleted') await store.client.deleteStream(stream);
    else await store.client.setStreamMetadata(stream, { truncateBefore: 3 });
    const taken: unknown[] = [];
    const subscription = store.client.subscribeToStream(stream, { fromRevision: START });
    subscription.on('data', (event) => taken.push(...seats([event])));
    // EventStoreDB 23.10 reports that it has caught up with a deleted stream only after the next event.
    await new Promise<void>((resolve) => subscription.once('confirmation', () => resolve()));
    await store.client.appendToStream(stream, seatClaimed(3));
    await until(() => taken.includes(3));
    await subscription.unsubscribe();
    expect(taken).toEqual([3]);
  });
});

describe('a live subscription to a stream with a maximum count', () => {
  it('gets every event, also those that a read no longer returns', async () => {
    const stream = newStream();
    await store.client.setStreamMetadata(stream, { maxCount: 2 });
    await store.client.appendToStream(stream, seatsClaimed(3));
    const taken: unknown[] = [];
    const subscription = store.client.subscribeToStream(stream);
    subscription.on('data', (event) => taken.push(...seats([event])));
    await until(() => taken.length === 2);
    await store.client.appendToStream(stream, seatsClaimed(1, 3));
    await until(() => taken.length === 3);
    await store.client.appendToStream(stream, seatsClaimed(5, 4));
    await until(() => taken.length === 8);
    await subscription.unsubscribe();
    expect(taken).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await readSeats(store.client, stream)).toEqual([7, 8]);
  });
});
