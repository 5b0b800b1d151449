import { BACKWARDS, binaryEvent, END, FORWARDS, jsonEvent, START, StreamNotFoundError, UnknownError } from '@eventstore/db-client';
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
  it('returns all events, the first one first', async () => {
    expect(await readSeats(store.client, stream)).toEqual(all);
  });

  it('starts with the event at a revision', async () => {
    expect(await readSeats(store.client, stream, { fromRevision: 1_190n })).toEqual(all.slice(1_190));
  });

  it.each([1, 7, 600])('stops after %i events if requested', async (maxCount) => {
    expect(await readSeats(store.client, stream, { maxCount, fromRevision: 3n })).toEqual(all.slice(3, 3 + maxCount));
  });

  it('has nothing past its end', async () => {
    expect(await readSeats(store.client, stream, { fromRevision: 5_000n, direction: FORWARDS })).toEqual([]);
  });

  it('has nothing from its end on, or fails as EventStoreDB 23.10 does', async () => {
    const read = readSeats(store.client, stream, { fromRevision: END, direction: FORWARDS });
    const outcome = await read.catch((error: unknown) => error);
    if (outcome instanceof UnknownError) expect(outcome.message).toContain('Unexpected ReadStreamResult');
    else expect(outcome).toEqual([]);
  });
});

describe('a stream, read backwards', () => {
  const reversed = all.toReversed();

  it('returns all events, the last one first', async () => {
    expect(await readSeats(store.client, stream, { direction: BACKWARDS, fromRevision: END })).toEqual(reversed);
  });

  it('starts with the event at a revision', async () => {
    expect(await readSeats(store.client, stream, { direction: BACKWARDS, fromRevision: 4n })).toEqual([4, 3, 2, 1, 0]);
  });

  it('returns only the first event from the start', async () => {
    expect(await readSeats(store.client, stream, { direction: BACKWARDS, fromRevision: START })).toEqual([0]);
  });

  it.each([1, 600])('stops after %i events if requested', async (maxCount) => {
    const options = { direction: BACKWARDS, fromRevision: END, maxCount } as const;
    expect(await readSeats(store.client, stream, options)).toEqual(reversed.slice(0, maxCount));
  });
});

describe('an event', () => {
  it('is returned as it was written', async () => {
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

  it('is returned unresolved by default', async () => {
    const { links } = await linked(1);
    const [read] = await collect(store.client.readStream(links));
    expect(read?.event).toMatchObject({ streamId: links, type: '$>' });
    expect(read?.link).toBeUndefined();
  });

  it('is resolved if requested', async () => {
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

  it('is returned without an event if its target does not exist', async () => {
    const { links } = await linked(7);
    await expectUnresolved(links);
  });

  it.each([
    ['truncated', (origin: string) => store.client.setStreamMetadata(origin, { truncateBefore: 1 })],
    ['beyond the maximum count', (origin: string) => store.client.setStreamMetadata(origin, { maxCount: 1 })],
    ['in a deleted stream', (origin: string) => store.client.deleteStream(origin)],
    ['in a tombstoned stream', (origin: string) => store.client.tombstoneStream(origin)],
  ])('is returned without an event if the target is %s', async (_, hide) => {
    const { origin, links } = await linked(0);
    await hide(origin);
    await expectUnresolved(links);
  });

  it.each(['7', '9223372036854775807@', '-5@', '5@\0'])('of %j has no target', async (target) => {
    const links = newStream('links');
    await store.client.appendToStream(links, binaryEvent({ type: '$>', data: Buffer.from(target) }));
    await expectUnresolved(links);
  });

  it.each(['first@stream', '18446744073709551616@stream', '1e3@stream'])('of %j is an ordinary event', async (target) => {
    const links = newStream('links');
    await store.client.appendToStream(links, binaryEvent({ type: '$>', data: Buffer.from(target) }));
    const [read] = await collect(store.client.readStream(links, { resolveLinkTos: true }));
    expect(read?.event).toMatchObject({ streamId: links, type: '$>' });
    expect(read?.link).toBeUndefined();
  });

  it('to revision -1 resolves to the last event', async () => {
    const { origin, links } = await linked(-1);
    const [read] = await collect(store.client.readStream(links, { resolveLinkTos: true }));
    expect(read?.event).toMatchObject({ streamId: origin, revision: 1n });
  });
});
