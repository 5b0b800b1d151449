import { ANY, type AppendResult, DeadlineExceededError, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventStoreUnderTest, failureOf, newStream, openEventStore, readSeats, seatClaimed, seatsClaimed } from './support.ts';

let store: EventStoreUnderTest;
beforeAll(async () => {
  store = await openEventStore();
});
afterAll(() => store.close());

describe.each([
  ['no stream', NO_STREAM],
  ['any revision', ANY],
] as const)('repeating an append that expects %s', (_, expectedRevision) => {
  it('writes nothing and returns the first result again', async () => {
    const stream = newStream();
    const events = seatsClaimed(3);
    const first = await store.client.appendToStream(stream, events, { expectedRevision });
    expect(await store.client.appendToStream(stream, events, { expectedRevision })).toEqual(first);
    expect(await readSeats(store.client, stream)).toEqual([0, 1, 2]);
  });

  it('is recognized while the first one is in progress', async () => {
    const stream = newStream();
    const events = seatsClaimed(3);
    // EventStoreDB 23.10 replies "Timeout" to an append that it receives while the same one is in progress.
    const append = (): Promise<AppendResult> =>
      store.client.appendToStream(stream, events, { expectedRevision }).catch((error: unknown) => {
        if (error instanceof DeadlineExceededError) return append();
        throw error;
      });
    const answers = await Promise.all(Array.from({ length: 8 }, append));
    expect(new Set(answers.map(({ position }) => position?.commit)).size).toBe(1);
    expect(await readSeats(store.client, stream)).toEqual([0, 1, 2]);
  });

  it('is recognized after other appends', async () => {
    const stream = newStream();
    const events = seatsClaimed(2);
    const first = await store.client.appendToStream(stream, events, { expectedRevision });
    await store.client.appendToStream(stream, seatsClaimed(2, 2));
    const again = await store.client.appendToStream(stream, events, { expectedRevision });
    expect(again).toMatchObject({ success: true, nextExpectedRevision: 1n, position: first.position });
    expect(await readSeats(store.client, stream)).toEqual([0, 1, 2, 3]);
  });
});

describe('repeating an append that expects an exact revision', () => {
  it('writes nothing and returns the first result again', async () => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatsClaimed(2));
    const events = seatsClaimed(2, 2);
    const first = await store.client.appendToStream(stream, events, { expectedRevision: 1n });
    expect(await store.client.appendToStream(stream, events, { expectedRevision: 1n })).toEqual(first);
    expect(await readSeats(store.client, stream)).toEqual([0, 1, 2, 3]);
  });

  it('is refused when other events were written there', async () => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatsClaimed(3));
    const failure = await failureOf(store.client.appendToStream(stream, seatClaimed(1), { expectedRevision: 0n }));
    expect(failure).toBeInstanceOf(WrongExpectedVersionError);
  });
});

describe('an append with some events that are already written', () => {
  it.each([
    ['any revision', ANY],
    ['no stream', NO_STREAM],
  ] as const)('is refused when it expects %s', async (_, expectedRevision) => {
    const stream = newStream();
    const events = seatsClaimed(2);
    await store.client.appendToStream(stream, events);
    const failure = await failureOf(store.client.appendToStream(stream, [...events, seatClaimed(2)], { expectedRevision }));
    expect(failure).toBeInstanceOf(WrongExpectedVersionError);
    expect(await readSeats(store.client, stream)).toEqual([0, 1]);
  });
});

describe('an event id that another stream holds', () => {
  it.each([
    ['no stream', 0, NO_STREAM],
    ['an exact revision', 2, 1n],
  ] as const)('does not hide the repetition of an append that expects %s', async (_, length, expectedRevision) => {
    const [one, other] = [newStream(), newStream()];
    const events = seatsClaimed(2, length);
    for (const stream of [one, other]) if (length > 0) await store.client.appendToStream(stream, seatsClaimed(length));
    const first = await store.client.appendToStream(one, events, { expectedRevision });
    await store.client.appendToStream(other, events, { expectedRevision });
    expect(await store.client.appendToStream(one, events, { expectedRevision })).toEqual(first);
  });

  it('does not count as a repetition', async () => {
    const [one, other] = [newStream(), newStream()];
    const event = seatClaimed(7);
    await store.client.appendToStream(one, event);
    await store.client.appendToStream(other, event);
    expect(await readSeats(store.client, one)).toEqual([7]);
    expect(await readSeats(store.client, other)).toEqual([7]);
  });
});
