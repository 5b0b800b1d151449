import {
  BACKWARDS,
  END,
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

let store: EventStoreUnderTest;
beforeAll(async () => {
  store = await openEventStore();
});
afterAll(() => store.close());

const deletedStream = async (): Promise<string> => {
  const stream = newStream();
  await store.client.appendToStream(stream, seatsClaimed(3));
  await store.client.deleteStream(stream);
  return stream;
};

describe('deleting a stream', () => {
  it('makes reads fail as if it did not exist', async () => {
    const stream = await deletedStream();
    expect(await failureOf(readSeats(store.client, stream))).toBeInstanceOf(StreamNotFoundError);
    const backwards = readSeats(store.client, stream, { direction: BACKWARDS, fromRevision: END });
    expect(await failureOf(backwards)).toBeInstanceOf(StreamNotFoundError);
  });

  it('returns the position of the deletion', async () => {
    const stream = newStream();
    const appended = await store.client.appendToStream(stream, seatsClaimed(1));
    const { position } = await store.client.deleteStream(stream, { expectedRevision: 0n });
    expect(position?.commit).toBeGreaterThan(appended.position?.commit ?? 0n);
  });

  it('is refused when another revision is expected', async () => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatsClaimed(3));
    const failure = await failureOf(store.client.deleteStream(stream, { expectedRevision: 1n }));
    expect(failure).toBeInstanceOf(WrongExpectedVersionError);
    expect(failure).toMatchObject({ streamName: stream, expectedVersion: 1n });
    expect(await readSeats(store.client, stream)).toEqual([0, 1, 2]);
  });

  it('leaves its events in $all', async () => {
    const stream = newStream();
    const { position } = await store.client.appendToStream(stream, seatClaimed(5));
    await store.client.deleteStream(stream);
    if (!position) throw new Error('The append returned no position');
    const [first] = await collect(store.client.readAll({ fromPosition: position, maxCount: 1 }));
    expect(first?.event?.streamId).toBe(stream);
  });
});

describe('a deleted stream', () => {
  it('accepts new events, and its revisions continue', async () => {
    const stream = await deletedStream();
    const appended = await store.client.appendToStream(stream, seatsClaimed(2, 10), { expectedRevision: NO_STREAM });
    expect(appended.nextExpectedRevision).toBe(4n);
    const read = await collect(store.client.readStream(stream));
    expect(read.map(({ event }) => event?.revision)).toEqual([3n, 4n]);
    expect(await readSeats(store.client, stream, { direction: BACKWARDS, fromRevision: END })).toEqual([11, 10]);
  });

  it('accepts events that expect its former revision', async () => {
    const stream = await deletedStream();
    await store.client.appendToStream(stream, seatClaimed(10), { expectedRevision: 2n });
    expect(await readSeats(store.client, stream)).toEqual([10]);
  });

  it('accepts new events and can be deleted again', async () => {
    const stream = await deletedStream();
    await store.client.appendToStream(stream, seatClaimed(10));
    await store.client.deleteStream(stream);
    expect(await failureOf(readSeats(store.client, stream))).toBeInstanceOf(StreamNotFoundError);
    await store.client.appendToStream(stream, seatClaimed(11));
    expect(await readSeats(store.client, stream)).toEqual([11]);
  });

  it('does not count as existing', async () => {
    const stream = await deletedStream();
    const failure = await failureOf(store.client.appendToStream(stream, seatClaimed(9), { expectedRevision: STREAM_EXISTS }));
    expect(failure).toBeInstanceOf(StreamDeletedError);
  });

  it('returns only new events, and metadata that truncate the former ones', async () => {
    const stream = await deletedStream();
    await store.client.appendToStream(stream, seatClaimed(10));
    expect((await store.client.getStreamMetadata(stream)).metadata).toEqual({ truncateBefore: 3 });
  });
});

describe('a deleted stream whose metadata is set', () => {
  it('exists again without its former events', async () => {
    const stream = await deletedStream();
    await store.client.setStreamMetadata(stream, { maxCount: 5, purpose: 'audit' });
    expect(await readSeats(store.client, stream)).toEqual([]);
    await store.client.appendToStream(stream, seatClaimed(10), { expectedRevision: 2n });
    expect(await readSeats(store.client, stream)).toEqual([10]);
  });

  it('keeps the new metadata and the truncation', async () => {
    const stream = await deletedStream();
    await store.client.setStreamMetadata(stream, { maxCount: 5, truncateBefore: 1, purpose: 'audit' });
    const { metadata } = await store.client.getStreamMetadata(stream);
    expect(metadata).toEqual({ maxCount: 5, truncateBefore: 3, purpose: 'audit' });
    const [last] = await collect(store.client.readStream(`$$${stream}`));
    expect(last?.event?.revision).toBe(2n);
  });
});
