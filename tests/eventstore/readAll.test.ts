import { type AllStreamResolvedEvent, BACKWARDS, END, FORWARDS, START } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect, type EventStoreUnderTest, newStream, openEventStore, seats, seatsClaimed } from './support.ts';

let store: EventStoreUnderTest;
const streams = [newStream(), newStream(), newStream()];
/** Positions of the events of our streams, in the order they were appended. */
const positions: bigint[] = [];

const ours = (events: readonly AllStreamResolvedEvent[]) => events.filter(({ event }) => event && streams.includes(event.streamId));
const positionAt = (index: number) => {
  const position = positions[index];
  if (position === undefined) throw new Error(`Nothing was appended at ${index}`);
  return { commit: position, prepare: position };
};

beforeAll(async () => {
  store = await openEventStore();
  for (const seat of Array.from({ length: 30 }, (_, index) => index)) {
    const stream = streams[seat % streams.length] ?? '';
    const { position } = await store.client.appendToStream(stream, seatsClaimed(1, seat));
    positions.push(position?.commit ?? 0n);
  }
});
afterAll(() => store.close());

const reversed = Array.from({ length: 30 }, (_, index) => 29 - index);

describe('$all, read forwards', () => {
  it('returns the events of all streams in the order of their appends', async () => {
    const read = await collect(store.client.readAll({ fromPosition: positionAt(0) }));
    expect(seats(ours(read))).toEqual(reversed.toReversed());
    expect(ours(read).map(({ event }) => event?.position?.commit)).toEqual(positions);
  });

  it('starts with the event at the position', async () => {
    const read = await collect(store.client.readAll({ fromPosition: positionAt(20), direction: FORWARDS }));
    expect(seats(ours(read))).toEqual([20, 21, 22, 23, 24, 25, 26, 27, 28, 29]);
  });

  it('starts with the first event of the store', async () => {
    const [first, ...rest] = await collect(store.client.readAll({ fromPosition: START, maxCount: 5 }));
    expect(rest).toHaveLength(4);
    const [again] = await collect(store.client.readAll({ maxCount: 1 }));
    expect(again?.event?.id).toBe(first?.event?.id);
  });

  it('returns nothing from the end', async () => {
    expect(await collect(store.client.readAll({ fromPosition: END }))).toEqual([]);
  });
});

describe('$all, read backwards', () => {
  it('starts with the last event of the store', async () => {
    const read = await collect(store.client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 500 }));
    expect(seats(ours(read))).toEqual(reversed);
  });

  it('starts before the event at the position', async () => {
    const read = await collect(store.client.readAll({ direction: BACKWARDS, fromPosition: positionAt(3), maxCount: 500 }));
    expect(seats(ours(read))).toEqual([2, 1, 0]);
  });

  it('stops after the requested number of events', async () => {
    const read = await collect(store.client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 4 }));
    expect(read).toHaveLength(4);
  });

  it('returns nothing from the start', async () => {
    expect(await collect(store.client.readAll({ direction: BACKWARDS, fromPosition: START, maxCount: 5 }))).toEqual([]);
  });
});
