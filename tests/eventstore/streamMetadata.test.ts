import { randomUUID } from 'node:crypto';
import { BACKWARDS, binaryEvent, END, jsonEvent, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client';
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

  it('is returned as it was set last', async () => {
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

  it('has its own expected revisions', async () => {
    const stream = newStream();
    await store.client.setStreamMetadata(stream, { maxCount: 1 }, { expectedRevision: NO_STREAM });
    const failure = await failureOf(store.client.setStreamMetadata(stream, { maxCount: 2 }, { expectedRevision: NO_STREAM }));
    expect(failure).toBeInstanceOf(WrongExpectedVersionError);
  });
});

describe('a stream with a maximum count', () => {
  it('returns only its last events', async () => {
    const stream = await streamOf(10);
    await store.client.setStreamMetadata(stream, { maxCount: 3 });
    expect(await readSeats(store.client, stream)).toEqual([7, 8, 9]);
    expect(await readSeats(store.client, stream, { direction: BACKWARDS, fromRevision: END })).toEqual([9, 8, 7]);
    await store.client.appendToStream(stream, seatsClaimed(1, 10));
    expect(await readSeats(store.client, stream)).toEqual([8, 9, 10]);
  });
});

describe('a stream that is truncated', () => {
  it('starts at that revision', async () => {
    const stream = await streamOf(10);
    await store.client.setStreamMetadata(stream, { truncateBefore: 8 });
    expect(await readSeats(store.client, stream)).toEqual([8, 9]);
    expect(await readSeats(store.client, stream, { fromRevision: 2n, maxCount: 1 })).toEqual([8]);
    expect(await readSeats(store.client, stream, { direction: BACKWARDS, fromRevision: END })).toEqual([9, 8]);
  });

  it('is empty if it is truncated completely', async () => {
    const stream = await streamOf(3);
    await store.client.setStreamMetadata(stream, { truncateBefore: 3 });
    expect(await readSeats(store.client, stream)).toEqual([]);
  });
});

describe('a stream with a maximum age', () => {
  it('does not return older events', async () => {
    const stream = await streamOf(3);
    await store.client.setStreamMetadata(stream, { maxAge: 1 });
    await until(async () => (await readSeats(store.client, stream)).length === 0);
    await store.client.setStreamMetadata(stream, { maxAge: 3600 });
    expect(await readSeats(store.client, stream)).toEqual([0, 1, 2]);
  });
});

describe('metadata that limits nothing', () => {
  /** Appends the fields as they are; `setStreamMetadata` renames the system properties. */
  const describe = (stream: string, data: object) =>
    store.client.appendToStream(`$$${stream}`, jsonEvent({ id: randomUUID(), type: '$metadata', data: { ...data } }));

  it.each([{ $maxCount: 0 }, { $maxCount: -3 }, { $maxAge: 0 }, { $maxAge: -60 }, { $tb: -1 }])(
    'of %j hides no event',
    async (metadata) => {
      const stream = await streamOf(3);
      await describe(stream, metadata);
      expect(await readSeats(store.client, stream)).toEqual([0, 1, 2]);
      expect(await readSeats(store.client, stream, { direction: BACKWARDS, fromRevision: END })).toEqual([2, 1, 0]);
    },
  );

  it.each([
    { $maxCount: '1' },
    { $maxCount: 1.5 },
    { $maxCount: null },
    { $maxAge: 1e12 },
    { $tb: 2 ** 64 },
    { $tb: 1, $maxCount: 'all' },
    { $tb: 1, $cacheControl: 'public' },
    { $tb: 1, $acl: 'everyone' },
  ])('as a whole is ignored when a system property has the wrong type: %j', async (metadata) => {
    const stream = await streamOf(3);
    await describe(stream, metadata);
    expect(await readSeats(store.client, stream)).toEqual([0, 1, 2]);
  });

  it('because it is not JSON is ignored', async () => {
    const stream = await streamOf(3);
    const event = binaryEvent({ id: randomUUID(), type: '$metadata', data: Buffer.from('{"$maxCount":1}') });
    await store.client.appendToStream(`$$${stream}`, event);
    expect(await readSeats(store.client, stream)).toEqual([0, 1, 2]);
  });

  it('leaves the other limits in force', async () => {
    const stream = await streamOf(3);
    await describe(stream, { $maxCount: 0, $maxAge: -1, $tb: 1, purpose: { $tb: 2 } });
    expect(await readSeats(store.client, stream)).toEqual([1, 2]);
  });
});
