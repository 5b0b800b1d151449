import { BACKWARDS, binaryEvent, END, FORWARDS, jsonEvent, START, StreamNotFoundError } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect, type EventStoreUnderTest, failureOf, newStream, openEventStore, readSeats, seatsClaimed } from './support.ts';

let store: EventStoreUnderTest;
const stream = newStream();
const COUNT = 1_200; // more than a page
const all = Array.from({ length: COUNT }, (_, seat) => seat);

beforeAll(async () => {
  store = await openEventStore();
  await store.client.appendToStream(stream, seatsClaimed(COUNT));
});
afterAll(() => store.close());

describe('a stream, read forwards', () => {
  it('begins with its first event and ends with its last', async () => {
    expect(await readSeats(store.client, stream)).toEqual(all);
  });

  it('begins at a revision and with it', async () => {
    expect(await readSeats(store.client, stream, { fromRevision: 1_190n })).toEqual(all.slice(1_190));
  });

  it.each([1, 7, 600])('stops after %i events when so many were asked for', async (maxCount) => {
    expect(await readSeats(store.client, stream, { maxCount, fromRevision: 3n })).toEqual(all.slice(3, 3 + maxCount));
  });

  it.each([
    ['its end', END],
    ['past its end', 5_000n],
  ] as const)('has nothing from %s on', async (_, fromRevision) => {
    expect(await readSeats(store.client, stream, { fromRevision, direction: FORWARDS })).toEqual([]);
  });
});

describe('a stream, read backwards', () => {
  const reversed = all.toReversed();

  it('begins with its last event and ends with its first', async () => {
    expect(await readSeats(store.client, stream, { direction: BACKWARDS, fromRevision: END })).toEqual(reversed);
  });

  it('begins at a revision and with it', async () => {
    expect(await readSeats(store.client, stream, { direction: BACKWARDS, fromRevision: 4n })).toEqual([4, 3, 2, 1, 0]);
  });

  it('has only its first event from its start on', async () => {
    expect(await readSeats(store.client, stream, { direction: BACKWARDS, fromRevision: START })).toEqual([0]);
  });

  it.each([1, 600])('stops after %i events when so many were asked for', async (maxCount) => {
    const options = { direction: BACKWARDS, fromRevision: END, maxCount } as const;
    expect(await readSeats(store.client, stream, options)).toEqual(reversed.slice(0, maxCount));
  });
});

describe('an event', () => {
  it('is read as it was written', async () => {
    const name = newStream('größe');
    const event = jsonEvent({
      type: 'SeatClaimed',
      data: { who: 'Łukasz 🙂', nested: [1, null, { a: '"\\' }] },
      metadata: { actor: 'ada' },
    });
    const before = Date.now();
    const appended = await store.client.appendToStream(name, event);
    const [read] = await collect(store.client.readStream(name));
    expect(read?.event).toMatchObject({
      streamId: name,
      id: event.id,
      revision: 0n,
      type: 'SeatClaimed',
      isJson: true,
      data: event.data,
      metadata: event.metadata,
      position: appended.position,
    });
    expect(read?.event?.created.getTime()).toBeGreaterThanOrEqual(before - 60_000);
  });

  it('may hold any bytes', async () => {
    const name = newStream();
    const data = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    await store.client.appendToStream(name, binaryEvent({ type: 'LogoStored', data, metadata: Uint8Array.of(0, 255, 1) }));
    const [read] = await collect(store.client.readStream(name));
    expect(read?.event).toMatchObject({ isJson: false, type: 'LogoStored' });
    expect(Buffer.from(read?.event?.data as Uint8Array).equals(data)).toBe(true);
    expect(Buffer.from(read?.event?.metadata as Uint8Array).equals(Uint8Array.of(0, 255, 1))).toBe(true);
  });

  it('may be as large as an append', async () => {
    const name = newStream();
    const text = 'é'.repeat(500_000);
    await store.client.appendToStream(name, jsonEvent({ type: 'ReportStored', data: { text } }));
    const [read] = await collect(store.client.readStream(name));
    expect(read?.event?.data).toEqual({ text });
  });
});

describe('a stream that does not exist', () => {
  it.each([FORWARDS, BACKWARDS] as const)('is not found, read %s', async (direction) => {
    const name = newStream();
    const failure = await failureOf(
      collect(store.client.readStream(name, { direction, fromRevision: direction === FORWARDS ? START : END })),
    );
    expect(failure).toBeInstanceOf(StreamNotFoundError);
    expect(failure).toMatchObject({ streamName: name });
  });
});

describe('a link', () => {
  const linked = async (revision: number) => {
    const [origin, links] = [newStream(), newStream('links')];
    await store.client.appendToStream(origin, seatsClaimed(2));
    await store.client.appendToStream(links, binaryEvent({ type: '$>', data: Buffer.from(`${revision}@${origin}`) }));
    return { origin, links };
  };

  it('is read as it is', async () => {
    const { links } = await linked(1);
    const [read] = await collect(store.client.readStream(links));
    expect(read?.event).toMatchObject({ streamId: links, type: '$>' });
    expect(read?.link).toBeUndefined();
  });

  it('is followed when that is asked for', async () => {
    const { origin, links } = await linked(1);
    const [read] = await collect(store.client.readStream(links, { resolveLinkTos: true }));
    expect(read?.event).toMatchObject({ streamId: origin, revision: 1n, data: { seat: 1 } });
    expect(read?.link).toMatchObject({ streamId: links, type: '$>' });
  });

  const expectUnresolved = async (links: string): Promise<void> => {
    const [read] = await collect(store.client.readStream(links, { resolveLinkTos: true }));
    expect(read?.event).toBeUndefined();
    expect(read?.link).toMatchObject({ streamId: links });
  };

  it('is read without an event when it leads nowhere', async () => {
    const { links } = await linked(7);
    await expectUnresolved(links);
  });

  it.each([
    ['truncated', (origin: string) => store.client.setStreamMetadata(origin, { truncateBefore: 1 })],
    ['beyond the maximum count', (origin: string) => store.client.setStreamMetadata(origin, { maxCount: 1 })],
    ['in a deleted stream', (origin: string) => store.client.deleteStream(origin)],
    ['in a tombstoned stream', (origin: string) => store.client.tombstoneStream(origin)],
  ])('is read without an event when the event is %s', async (_, hide) => {
    const { origin, links } = await linked(0);
    await hide(origin);
    await expectUnresolved(links);
  });

  it.each(['7', '9223372036854775807@', '-5@', '5@\0'])('of %j leads nowhere', async (target) => {
    const links = newStream('links');
    await store.client.appendToStream(links, binaryEvent({ type: '$>', data: Buffer.from(target) }));
    await expectUnresolved(links);
  });

  it.each(['first@stream', '18446744073709551616@stream', '1e3@stream'])('of %j is an event like any other', async (target) => {
    const links = newStream('links');
    await store.client.appendToStream(links, binaryEvent({ type: '$>', data: Buffer.from(target) }));
    const [read] = await collect(store.client.readStream(links, { resolveLinkTos: true }));
    expect(read?.event).toMatchObject({ streamId: links, type: '$>' });
    expect(read?.link).toBeUndefined();
  });

  it('to revision -1 leads to the last event', async () => {
    const { origin, links } = await linked(-1);
    const [read] = await collect(store.client.readStream(links, { resolveLinkTos: true }));
    expect(read?.event).toMatchObject({ streamId: origin, revision: 1n });
  });
});
