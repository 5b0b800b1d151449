import { ANY, NO_STREAM, STREAM_EXISTS, WrongExpectedVersionError } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventStoreUnderTest, failureOf, newStream, openEventStore, readSeats, seatClaimed, seatsClaimed } from './support.ts';

let store: EventStoreUnderTest;
beforeAll(async () => {
  store = await openEventStore();
});
afterAll(() => store.close());

describe('an append that expects no stream', () => {
  it('starts the stream at revision 0', async () => {
    const appended = await store.client.appendToStream(newStream(), seatClaimed(1), { expectedRevision: NO_STREAM });
    expect(appended).toMatchObject({ success: true, nextExpectedRevision: 0n });
    expect(appended.position?.commit).toBe(appended.position?.prepare);
  });

  it('is rejected with the current revision if the stream exists', async () => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatsClaimed(3));
    const failure = await failureOf(store.client.appendToStream(stream, seatClaimed(9), { expectedRevision: NO_STREAM }));
    expect(failure).toBeInstanceOf(WrongExpectedVersionError);
    expect(failure).toMatchObject({ streamName: stream, expectedVersion: 'no_stream', actualVersion: 2n });
    expect(await readSeats(store.client, stream)).toEqual([0, 1, 2]);
  });
});

describe('an append that expects an exact revision', () => {
  it('continues from that revision', async () => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatsClaimed(2));
    const appended = await store.client.appendToStream(stream, seatClaimed(2), { expectedRevision: 1n });
    expect(appended.nextExpectedRevision).toBe(2n);
    expect(await readSeats(store.client, stream)).toEqual([0, 1, 2]);
  });

  it.each([
    ['behind', 0n],
    ['ahead of', 5n],
  ])('is refused when that is %s the last one', async (_, expectedRevision) => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatsClaimed(3));
    const failure = await failureOf(store.client.appendToStream(stream, seatClaimed(9), { expectedRevision }));
    expect(failure).toBeInstanceOf(WrongExpectedVersionError);
    expect(failure).toMatchObject({ expectedVersion: expectedRevision, actualVersion: 2n });
    expect(await readSeats(store.client, stream)).toEqual([0, 1, 2]);
  });

  it('is refused on a stream that does not exist', async () => {
    const failure = await failureOf(store.client.appendToStream(newStream(), seatClaimed(9), { expectedRevision: 0n }));
    expect(failure).toMatchObject({ type: 'wrong-expected-version', expectedVersion: 0n, actualVersion: 'no_stream' });
  });

  it('accepts one of many concurrent appends', async () => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatClaimed(0));
    const attempts = seatsClaimed(40, 1).map((event) => store.client.appendToStream(stream, event, { expectedRevision: 0n }));
    const results = await Promise.allSettled(attempts);
    const winners = results.flatMap(({ status }, index) => (status === 'fulfilled' ? [index + 1] : []));
    expect(winners).toHaveLength(1);
    expect(await readSeats(store.client, stream)).toEqual([0, ...winners]);
  });
});

describe('an append that expects the stream to exist', () => {
  it('is written if it exists', async () => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatClaimed(0));
    const appended = await store.client.appendToStream(stream, seatClaimed(1), { expectedRevision: STREAM_EXISTS });
    expect(appended.nextExpectedRevision).toBe(1n);
  });

  it('is refused if it does not', async () => {
    const failure = await failureOf(store.client.appendToStream(newStream(), seatClaimed(0), { expectedRevision: STREAM_EXISTS }));
    expect(failure).toMatchObject({ type: 'wrong-expected-version', expectedVersion: 'stream_exists', actualVersion: 'no_stream' });
  });
});

describe('an append that expects any revision', () => {
  it('is written whether or not the stream exists', async () => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatClaimed(0), { expectedRevision: ANY });
    await store.client.appendToStream(stream, seatClaimed(1), { expectedRevision: ANY });
    expect(await readSeats(store.client, stream)).toEqual([0, 1]);
  });
});
