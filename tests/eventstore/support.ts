import { randomUUID } from 'node:crypto';
import { type AllStreamResolvedEvent, type EventStoreDBClient, jsonEvent, type ResolvedEvent } from '@eventstore/db-client';
import { clientOf } from '../../src/eventstore/connect.ts';
import { openStores } from '../support/stores.ts';

export type EventStoreUnderTest = { client: EventStoreDBClient; url: string; close: () => Promise<void> };

/** A client of the store that the run is pointed at. It may hold the events of others: only unique stream names are one's own. */
export const openEventStore = async (): Promise<EventStoreUnderTest> => {
  const stores = await openStores();
  const client = clientOf(stores.eventStoreUrl);
  return {
    client,
    url: stores.eventStoreUrl,
    close: async () => {
      await client.dispose();
      await stores.close();
    },
  };
};

/**
 * Runs `work` with a client that appends what the store refuses as invalid. EventStoreDB replies to that again after 2 s, with "Timeout":
 * the client's handler throws then, and its call reads no further replies. No other append of this process may be pending at the end,
 * because closing a client rejects those of all clients.
 */
export const withOwnClient = async <Result>(
  { url }: EventStoreUnderTest,
  work: (client: EventStoreDBClient) => Promise<Result>,
): Promise<Result> => {
  const client = clientOf(url);
  try {
    return await work(client);
  } finally {
    await client.dispose();
  }
};

export const newStream = (category = 'license'): string => `${category}-${randomUUID()}`;

export type SeatClaimed = { type: 'SeatClaimed'; data: { seat: number } };

export const seatClaimed = (seat: number, id: string = randomUUID()) =>
  jsonEvent<SeatClaimed>({ id, type: 'SeatClaimed', data: { seat } });

/** Events with the seats `first`, `first` + 1, … */
export const seatsClaimed = (count: number, first = 0) => Array.from({ length: count }, (_, index) => seatClaimed(first + index));

export const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
};

const seatOf = (data: unknown): unknown => (typeof data === 'object' && data !== null && 'seat' in data ? data.seat : undefined);

/** The seats of `SeatClaimed` events, in the order they were read. */
export const seats = (events: readonly (ResolvedEvent | AllStreamResolvedEvent)[]): unknown[] =>
  events.map(({ event }) => seatOf(event?.data));

export const readSeats = async (
  client: EventStoreDBClient,
  stream: string,
  options?: Parameters<EventStoreDBClient['readStream']>[1],
): Promise<unknown[]> => seats(await collect(client.readStream(stream, options)));

/** What the promise rejects with. */
export const failureOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It was expected to fail');
};
