import { StreamDeletedError, WrongExpectedVersionError } from '@eventstore/db-client';
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
} from './support.ts';

const isEmbedded = !sharesOneEventStore(process.env);

let store: EventStoreUnderTest;
beforeAll(async () => {
  store = await openEventStore();
});
afterAll(() => store.close());

const tombstoned = async (): Promise<string> => {
  const stream = newStream();
  await store.client.appendToStream(stream, seatsClaimed(3));
  await store.client.tombstoneStream(stream);
  return stream;
};

describe('a tombstoned stream', () => {
  it('cannot be read', async () => {
    const stream = await tombstoned();
    const failure = await failureOf(readSeats(store.client, stream));
    expect(failure).toBeInstanceOf(StreamDeletedError);
    expect(failure).toMatchObject({ streamName: stream });
  });

  it('accepts no new events', async () => {
    const stream = await tombstoned();
    const failure = await failureOf(store.client.appendToStream(stream, seatClaimed(1)));
    expect(failure).toBeInstanceOf(StreamDeletedError);
    expect(failure).toMatchObject({ streamName: stream });
  });

  it.each([
    ['deleted', 'deleteStream'],
    ['tombstoned', 'tombstoneStream'],
  ] as const)('cannot be %s', async (_, call) => {
    expect(await failureOf(store.client[call](await tombstoned()))).toBeInstanceOf(StreamDeletedError);
  });
});

describe('the metadata of a tombstoned stream', () => {
  it.each(['without', 'with'] as const)('can be neither read nor set on a stream %s former metadata', async (former) => {
    const stream = newStream();
    if (former === 'with') await store.client.setStreamMetadata(stream, { maxCount: 3 });
    await store.client.tombstoneStream(stream);
    expect(await failureOf(collect(store.client.readStream(`$$${stream}`)))).toBeInstanceOf(StreamDeletedError);
    // EventStoreDB 23.10 writes an event that nothing can read.
    if (former === 'with' && !isEmbedded) return;
    expect(await failureOf(store.client.setStreamMetadata(stream, { maxCount: 4 }))).toBeInstanceOf(StreamDeletedError);
  });
});

describe('tombstoning a stream', () => {
  it('is refused when another revision is expected', async () => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatsClaimed(3));
    const failure = await failureOf(store.client.tombstoneStream(stream, { expectedRevision: 7n }));
    expect(failure).toBeInstanceOf(WrongExpectedVersionError);
    expect(failure).toMatchObject({ expectedVersion: 7n });
    expect(await readSeats(store.client, stream)).toEqual([0, 1, 2]);
  });

  it('works on a stream that never existed', async () => {
    const stream = newStream();
    const { position } = await store.client.tombstoneStream(stream);
    expect(position?.commit).toBeGreaterThan(0n);
    expect(await failureOf(store.client.appendToStream(stream, seatClaimed(1)))).toBeInstanceOf(StreamDeletedError);
  });

  it('appends a $streamDeleted event to $all', async () => {
    const stream = newStream();
    const { position } = await store.client.tombstoneStream(stream);
    if (!position) throw new Error('The tombstone returned no position');
    for await (const { event } of store.client.readAll({ fromPosition: position, maxCount: 1 })) {
      expect(event).toMatchObject({ streamId: stream, type: '$streamDeleted', revision: 9223372036854775807n });
    }
  });
});
