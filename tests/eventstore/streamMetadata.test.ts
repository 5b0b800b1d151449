import { BACKWARDS, END, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/eventually.ts';
import { collect, type EventStoreUnderTest, failureOf, newStream, openEventStore, readSeats, seatsClaimed } from './support.ts';

let store: EventStoreUnderTest;
beforeAll(async () => {
  store = await openEventStore();
});
afterAll(() => store.close());

const streamOf = async (count: number): Promise<string> => {
  const stream = newStream();
  await store.client.appendToStream(stream, seatsClaimed(count));
  return stream;
};

describe('the metadata of a stream', () => {
  it('is absent until it is set', async () => {
    const stream = newStream();
    expect(await store.client.getStreamMetadata(stream)).toEqual({ streamName: stream });
  });

  it('is read as it was set, the last time', async () => {
    const stream = newStream();
    await store.client.setStreamMetadata(stream, { maxCount: 1 });
    const metadata = {
      maxAge: 3600,
      maxCount: 20,
      cacheControl: 5,
      truncateBefore: 2,
      acl: { readRoles: ['$all'] },
      purpose: 'audit',
    };
    await store.client.setStreamMetadata(stream, metadata);
    expect((await store.client.getStreamMetadata(stream)).metadata).toEqual(metadata);
    expect(await collect(store.client.readStream(`$$${stream}`))).toHaveLength(1);
  });

  it('has revisions of its own to be expected', async () => {
    const stream = newStream();
    await store.client.setStreamMetadata(stream, { maxCount: 1 }, { expectedRevision: NO_STREAM });
    const failure = await failureOf(store.client.setStreamMetadata(stream, { maxCount: 2 }, { expectedRevision: NO_STREAM }));
    expect(failure).toBeInstanceOf(WrongExpectedVersionError);
  });
});

describe('a stream with a maximum count', () => {
  it('reads as its last events only', async () => {
    const stream = await streamOf(10);
    await store.client.setStreamMetadata(stream, { maxCount: 3 });
    expect(await readSeats(store.client, stream)).toEqual([7, 8, 9]);
    expect(await readSeats(store.client, stream, { direction: BACKWARDS, fromRevision: END })).toEqual([9, 8, 7]);
    await store.client.appendToStream(stream, seatsClaimed(1, 10));
    expect(await readSeats(store.client, stream)).toEqual([8, 9, 10]);
  });
});

describe('a stream that is truncated', () => {
  it('begins at that revision', async () => {
    const stream = await streamOf(10);
    await store.client.setStreamMetadata(stream, { truncateBefore: 8 });
    expect(await readSeats(store.client, stream)).toEqual([8, 9]);
    expect(await readSeats(store.client, stream, { fromRevision: 2n, maxCount: 1 })).toEqual([8]);
    expect(await readSeats(store.client, stream, { direction: BACKWARDS, fromRevision: END })).toEqual([9, 8]);
  });

  it('is empty when all of it is', async () => {
    const stream = await streamOf(3);
    await store.client.setStreamMetadata(stream, { truncateBefore: 3 });
    expect(await readSeats(store.client, stream)).toEqual([]);
  });
});

describe('a stream with a maximum age', () => {
  it('drops what is older', async () => {
    const stream = await streamOf(3);
    await store.client.setStreamMetadata(stream, { maxAge: 1 });
    await until(async () => (await readSeats(store.client, stream)).length === 0);
    await store.client.setStreamMetadata(stream, { maxAge: 3600 });
    expect(await readSeats(store.client, stream)).toEqual([0, 1, 2]);
  });
});
