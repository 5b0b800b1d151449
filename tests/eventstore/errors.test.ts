import { type EventData, jsonEvent, streamNameFilter } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharesOneEventStore } from '../support/storeChoice.ts';
import {
  collect,
  type EventStoreUnderTest,
  failureOf,
  newStream,
  openEventStore,
  readSeats,
  seatClaimed,
  seatsClaimed,
  withOwnClient,
} from './support.ts';

const isEmbedded = !sharesOneEventStore(process.env);

let store: EventStoreUnderTest;
beforeAll(async () => {
  store = await openEventStore();
});
afterAll(() => store.close());

describe('an invalid append', () => {
  const bad: readonly [string, () => { stream: string; event: EventData }][] = [
    ['an event id that is no UUID', () => ({ stream: newStream(), event: { ...seatClaimed(1), id: 'not-a-uuid' } })],
    ['an empty stream name', () => ({ stream: '', event: seatClaimed(1) })],
  ];

  it.each(bad)('is refused for %s', async (_, append) => {
    const { stream, event } = append();
    expect(await withOwnClient(store, (client) => failureOf(client.appendToStream(stream, event)))).toHaveProperty('type');
  });

  it('does not affect concurrent appends', async () => {
    const stream = newStream();
    await withOwnClient(store, (client) =>
      Promise.all([
        ...seatsClaimed(20).map((event) => client.appendToStream(stream, event)),
        ...bad.map(([, append]) => {
          const { stream: name, event } = append();
          return failureOf(client.appendToStream(name, event));
        }),
        ...seatsClaimed(20, 20).map((event) => client.appendToStream(stream, event)),
      ]),
    );
    expect((await readSeats(store.client, stream)).toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 40 }, (_, seat) => seat),
    );
  });
});

describe('an append whose deadline has passed', () => {
  // EventStoreDB 23.10 replies twice to it, which the client does not expect.
  it.runIf(isEmbedded)('is refused with deadline-exceeded, and not written', async () => {
    const stream = newStream();
    const events = Array.from({ length: 3_000 }, () => jsonEvent({ type: 'SeatClaimed', data: { text: 'x'.repeat(200) } }));
    expect(await failureOf(store.client.appendToStream(stream, events, { deadline: 1 }))).toMatchObject({
      type: 'deadline-exceeded',
    });
    expect(await failureOf(collect(store.client.readStream(stream)))).toMatchObject({ type: 'stream-not-found' });
  });
});

describe('an invalid subscription', () => {
  it('fails when its filter is not a valid regular expression', async () => {
    const subscription = store.client.subscribeToAll({ filter: streamNameFilter({ regex: '(' }) });
    expect(await failureOf(collect(subscription))).toHaveProperty('type');
  });

  // EventStoreDB 23.10 never replies.
  it.runIf(isEmbedded)('fails when its stream is tombstoned', async () => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatClaimed(1));
    await store.client.tombstoneStream(stream);
    expect(await failureOf(collect(store.client.subscribeToStream(stream)))).toMatchObject({
      type: 'stream-deleted',
      streamName: stream,
    });
  });
});
