import { type EventStoreDBClient, FORWARDS, jsonEvent, START } from '@eventstore/db-client';
import { expect, onTestFinished } from 'vitest';
import type { RunningEventStore } from '../../../src/embedded/eventstore/server.ts';
import { closeClient } from '../../../src/eventstore/client.ts';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { copyEvents } from '../../../src/eventstore/copy/copyEvents.ts';
import { collect } from '../../eventstore/support.ts';
import { openServerFixture } from './serverSupport.ts';

export type Opened = { store: RunningEventStore; url: string; client: EventStoreDBClient };

export const openStore = async (): Promise<Opened> => {
  const fixture = await openServerFixture();
  onTestFinished(fixture.close);
  const store = await fixture.start();
  onTestFinished(store.close);
  const client = clientOf(store.connectionString);
  onTestFinished(() => closeClient(client));
  return { store, url: store.connectionString, client };
};

/** A source that a server has used. */
export const openSource = async (): Promise<Opened> => {
  const opened = await openStore();
  const identity = jsonEvent({ type: 'StoreIdentified', data: { identity: 'source' } });
  await opened.client.appendToStream('storeIdentity', identity);
  return opened;
};

const at = '2026-01-02T03:04:05.000Z';
export const eventOf = (seat: number) => ({
  ...jsonEvent({ type: 'SeatClaimed', data: { seat, name: 'sealed:ä' } }),
  metadata: { at },
});

const CONCURRENT = 32;

/** Appends `count` events to streams of customers, in batches of up to three, while it runs. */
export const fill = async (client: EventStoreDBClient, count: number, first = 0): Promise<void> => {
  const appends: Promise<unknown>[] = [];
  for (let seat = first; seat < first + count; ) {
    const from = seat;
    seat += Math.min(1 + (seat % 3), first + count - seat);
    const events = Array.from({ length: seat - from }, (_, index) => eventOf(from + index));
    appends.push(client.appendToStream(`customer-${from % 7}`, events));
    if (appends.length === CONCURRENT) await Promise.all(appends.splice(0));
  }
  await Promise.all(appends);
};

const ALTERNATING_STREAMS = 150;

/** Appends `count` events, each of another stream than the ones before it. */
export const fillAlternating = async (client: EventStoreDBClient, count: number): Promise<void> => {
  for (let seat = 0; seat < count; seat += CONCURRENT) {
    const seats = Array.from({ length: Math.min(CONCURRENT, count - seat) }, (_, index) => seat + index);
    await Promise.all(seats.map((each) => client.appendToStream(`customer-${each % ALTERNATING_STREAMS}`, eventOf(each))));
  }
};

type Copied = { position: string; revision: string; storedAt: string };

/** The product's events of a store, in order, with the metadata about the originals. */
export const contentOf = async (client: EventStoreDBClient) => {
  const read = await collect(client.readAll({ direction: FORWARDS, fromPosition: START }));
  return read.flatMap(({ event }) => {
    if (!event?.streamId.startsWith('customer-')) return [];
    const { copied, ...metadata } = event.metadata as { copied?: Copied };
    const { id, type, streamId, data, revision, position, created } = event;
    return [{ event: { id, type, streamId, data, metadata }, revision, position: position.commit, created, copied }];
  });
};

export const copy = (from: Opened, to: Opened, options: { signal?: AbortSignal; onProgress?: (events: number) => void } = {}) =>
  copyEvents({
    from: from.url,
    to: to.url,
    categories: ['customer'],
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...options,
  });

export const expectEqual = async (from: Opened, to: Opened): Promise<void> => {
  const [originals, copies] = [await contentOf(from.client), await contentOf(to.client)];
  expect(copies.map(({ event }) => event)).toEqual(originals.map(({ event }) => event));
  expect(copies.map(({ copied }) => copied)).toEqual(
    originals.map(({ position, revision, created }) => ({
      position: String(position),
      revision: String(revision),
      storedAt: created.toISOString(),
    })),
  );
};
