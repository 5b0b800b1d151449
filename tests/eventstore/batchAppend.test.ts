import {
  binaryEvent,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
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
  seatsClaimed,
  withOwnClient,
} from './support.ts';

let store: EventStoreUnderTest;
beforeAll(async () => {
  store = await openEventStore();
});
afterAll(() => store.close());

const MAXIMUM = 1 << 20;

/** Events with a payload of about `bytes` in all. */
const payloadOf = (bytes: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    jsonEvent({ type: 'ReportStored', data: { index, text: 'x'.repeat(Math.floor(bytes / count)) } }),
  );

describe('a batch', () => {
  it('of almost the maximum append size is written completely and in order', async () => {
    const stream = newStream();
    await store.client.appendToStream(stream, payloadOf(MAXIMUM - 20_000, 100), { expectedRevision: NO_STREAM });
    const read = await collect(store.client.readStream<{ type: 'ReportStored'; data: { index: number } }>(stream));
    expect(read.map(({ event }) => event?.data.index)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  it.each([
    ['in one event', 1],
    ['in many events', 200],
  ])('above the maximum, %s, is refused and writes nothing', async (_, count) => {
    const stream = newStream();
    const failure = await failureOf(store.client.appendToStream(stream, payloadOf(MAXIMUM + 20_000, count)));
    expect(failure).toBeInstanceOf(MaxAppendSizeExceededError);
    expect(failure).toMatchObject({ maxAppendSize: MAXIMUM });
    expect(await failureOf(collect(store.client.readStream(stream)))).toBeInstanceOf(StreamNotFoundError);
  });

  it('is written completely if it is sent in many chunks', async () => {
    const stream = newStream();
    const appended = await store.client.appendToStream(stream, seatsClaimed(500), { batchAppendSize: 1_000 });
    expect(appended.nextExpectedRevision).toBe(499n);
    expect(await readSeats(store.client, stream)).toEqual(Array.from({ length: 500 }, (_, seat) => seat));
  });

  it('that is too large does not affect concurrent batches', async () => {
    const streams = Array.from({ length: 10 }, () => newStream());
    const appends = streams.map((stream, index) =>
      store.client.appendToStream(stream, index === 5 ? payloadOf(MAXIMUM + 1, 10) : seatsClaimed(10), { batchAppendSize: 2_000 }),
    );
    const results = await Promise.allSettled(appends);
    expect(results.map(({ status }) => status)).toEqual(streams.map((_, index) => (index === 5 ? 'rejected' : 'fulfilled')));
  });
});

describe('an append without events', () => {
  it('writes nothing and returns a position', async () => {
    const stream = newStream();
    const { position } = await store.client.appendToStream(stream, seatsClaimed(1));
    const appended = await store.client.appendToStream(newStream(), []);
    expect(appended.success).toBe(true);
    expect(appended.position?.commit).toBeGreaterThanOrEqual(position?.commit ?? 0n);
    const unknown = newStream();
    await store.client.appendToStream(unknown, []);
    expect(await failureOf(collect(store.client.readStream(unknown)))).toBeInstanceOf(StreamNotFoundError);
  });

  it('checks the expected revision', async () => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatsClaimed(3));
    const checked = await store.client.appendToStream(stream, [], { expectedRevision: 2n });
    expect(checked).toMatchObject({ success: true, nextExpectedRevision: 2n });
    for (const expectedRevision of [1n, 3n, NO_STREAM] as const) {
      const failure = await failureOf(store.client.appendToStream(stream, [], { expectedRevision }));
      expect(failure).toBeInstanceOf(WrongExpectedVersionError);
    }
  });

  it('ends the deletion of a stream, whose events stay unreadable', async () => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatsClaimed(3));
    await store.client.deleteStream(stream);
    await store.client.appendToStream(stream, []);
    expect(await readSeats(store.client, stream)).toEqual([]);
  });
});

describe('an event without a type', () => {
  it.each([undefined, { username: 'admin', password: 'changeit' }])('is refused (credentials: %j)', async (credentials) => {
    const stream = newStream();
    const event = { ...jsonEvent({ type: 'ReportStored', data: {} }), type: '' };
    await withOwnClient(store, (client) => failureOf(client.appendToStream(stream, event, credentials ? { credentials } : {})));
    expect(await failureOf(collect(store.client.readStream(stream)))).toBeInstanceOf(StreamNotFoundError);
  });
});

describe('many concurrent batches', () => {
  it('are all acknowledged, and each is contiguous in its stream', async () => {
    const stream = newStream();
    const batches = Array.from({ length: 100 }, (_, index) => seatsClaimed(10, index * 10));
    const answers = await Promise.all(batches.map((batch) => store.client.appendToStream(stream, batch)));
    const read = await readSeats(store.client, stream);
    expect(read).toHaveLength(1_000);
    for (const [index, { nextExpectedRevision }] of answers.entries()) {
      const last = Number(nextExpectedRevision);
      expect(read.slice(last - 9, last + 1)).toEqual(Array.from({ length: 10 }, (_, offset) => index * 10 + offset));
    }
  });

  it('are all written if there are more than the server accepts at a time', async () => {
    const data = new Uint8Array(1_000_000);
    const streams = Array.from({ length: 60 }, () => newStream());
    const appends = streams.map((stream) =>
      store.client.appendToStream(stream, binaryEvent({ type: 'LogoStored', data }), { deadline: 60_000 }),
    );
    expect((await Promise.all(appends)).every(({ success }) => success)).toBe(true);
  });
});

/** The client sends a call of its own for an append with credentials; without TLS it does not send the credentials themselves. */
describe('an append outside the batches', () => {
  const credentials = { username: 'admin', password: 'changeit' };

  it('is written', async () => {
    const stream = newStream();
    const appended = await store.client.appendToStream(stream, seatsClaimed(3), { credentials, expectedRevision: NO_STREAM });
    expect(appended).toMatchObject({ success: true, nextExpectedRevision: 2n });
    expect(await readSeats(store.client, stream)).toEqual([0, 1, 2]);
  });

  it('is refused when it expects another revision', async () => {
    const stream = newStream();
    await store.client.appendToStream(stream, seatsClaimed(3));
    const failure = await failureOf(
      store.client.appendToStream(stream, seatsClaimed(1), { credentials, expectedRevision: NO_STREAM }),
    );
    expect(failure).toMatchObject({ type: 'wrong-expected-version', expectedVersion: 'no_stream', actualVersion: 2n });
  });

  it('is refused above the maximum append size', async () => {
    const failure = await failureOf(store.client.appendToStream(newStream(), payloadOf(MAXIMUM + 20_000, 4), { credentials }));
    expect(failure).toMatchObject({ type: 'maximum-append-size-exceeded', maxAppendSize: MAXIMUM });
  });
});
