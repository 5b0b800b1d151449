import type { EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningEventStore } from '../../../src/embedded/eventstore/server.ts';
import { clientFactoryOf, createReplaceableClient, type ReplaceableClient } from '../../../src/eventstore/client.ts';
import { AppendTimeout } from '../../../src/eventstore/outage.ts';
import { failureOf, newStream, seatsClaimed } from '../../eventstore/support.ts';
import { openServerFixture, type ServerFixture } from './serverSupport.ts';

const EVENTS = 2_000;

let fixture: ServerFixture;
let server: RunningEventStore;
let client: ReplaceableClient;

beforeAll(async () => {
  fixture = await openServerFixture();
  server = await fixture.start();
  client = createReplaceableClient(clientFactoryOf(server.connectionString));
});
afterAll(async () => {
  await client.close();
  await server.close();
  await fixture.close();
});

it('fails a read that ends early because of another call’s failure', async () => {
  const stream = newStream();
  await client.use((writing) => writing.appendToStream(stream, seatsClaimed(EVENTS)));
  let before = 0;
  const reading = client.read(async (reader) => {
    let count = 0;
    for await (const _ of reader.readStream(stream)) {
      if (count === 0) {
        before += 1;
        await failureOf(client.use(() => Promise.reject(new Error('The connection broke'))));
      }
      count += 1;
    }
    return count;
  });
  expect(await failureOf(reading)).toEqual(new Error('The client was replaced while it read'));
  expect(before).toBe(1);

  const again = await client.read(async (reader) => {
    let count = 0;
    for await (const _ of reader.readStream(stream)) count += 1;
    return count;
  });
  expect(again).toBe(EVENTS);
});

it('is replaced after a failed call, but not after one with the reply that an append was not committed in time', async () => {
  const failWith = (error: Error) => failureOf(client.use(() => Promise.reject(error)));
  const isSame = (other: EventStoreDBClient) => client.use(async (current) => current === other);
  const used = await client.use(async (current) => current);
  await failWith(new AppendTimeout('Not committed in time'));
  expect(await isSame(used)).toBe(true);
  await failWith(new Error('The connection broke'));
  expect(await isSame(used)).toBe(false);
});
