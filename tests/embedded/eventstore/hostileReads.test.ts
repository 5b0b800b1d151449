import { once } from 'node:events';
import { binaryEvent, type EventStoreDBClient, eventTypeFilter } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningEventStore } from '../../../src/embedded/eventstore/server.ts';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { collect, failureOf, newStream, seatClaimed, seatsClaimed } from '../../eventstore/support.ts';
import { openServerFixture, type ServerFixture } from './serverSupport.ts';

let fixture: ServerFixture;
let server: RunningEventStore;
let client: EventStoreDBClient;
const stream = newStream();
beforeAll(async () => {
  fixture = await openServerFixture();
  server = await fixture.start();
  client = clientOf(server.connectionString);
  await client.appendToStream(stream, seatsClaimed(3));
});
afterAll(async () => {
  await client.dispose();
  await server.close();
  await fixture.close();
});

const LARGEST = 2n ** 63n - 1n;

describe('an impossible position or revision', () => {
  it.each([2n ** 53n, 2n ** 60n, LARGEST])('of %s is after the last event', async (number) => {
    const position = { commit: number, prepare: number };
    const { length } = await collect(client.readAll());
    expect(await collect(client.readAll({ fromPosition: position }))).toEqual([]);
    expect(await collect(client.readAll({ fromPosition: position, direction: 'backwards' }))).toHaveLength(length);
    expect(await collect(client.readStream(stream, { fromRevision: number }))).toEqual([]);
    expect(await collect(client.readStream(stream, { fromRevision: number, direction: 'backwards' }))).toHaveLength(3);
  });

  it('is a bad request above 2^63', async () => {
    const number = LARGEST + 2n ** 62n;
    const position = { commit: number, prepare: number };
    for (const read of [client.readAll({ fromPosition: position }), client.readStream(stream, { fromRevision: number })]) {
      expect(await failureOf(collect(read))).toMatchObject({ code: 3 });
    }
  });
});

describe('a link to an impossible revision', () => {
  it.each([2n ** 62n, 2n ** 64n, 10n ** 30n])('of %s does not end a reader', async (revision) => {
    const links = newStream('links');
    await client.appendToStream(links, binaryEvent({ type: '$>', data: Buffer.from(`${revision}@${stream}`) }));
    expect(await collect(client.readStream(links, { resolveLinkTos: true }))).toHaveLength(1);
    const all = await collect(client.readAll({ resolveLinkTos: true }));
    expect(all.some((event) => (event.link ?? event.event)?.streamId === links)).toBe(true);
  });
});

describe('a filter with a regular expression', () => {
  const subscribe = (regex: string) => client.subscribeToAll({ filter: eventTypeFilter({ regex }) });

  it('takes linear time, even if a backtracking engine takes exponential time', async () => {
    const isLong = { ...seatClaimed(1), type: `${'a'.repeat(1_000)}b` };
    const isShort = { ...seatClaimed(2), type: 'aa' };
    await client.appendToStream(newStream(), [isLong, isShort]);
    const subscription = subscribe('^(a+)+$');
    const [first] = await once(subscription, 'data');
    expect(first.event.type).toBe('aa');
    await subscription.unsubscribe();
  });

  it.each(['(a)\\1', '(?=a)', '(?<!a)b', `(${'a{100}'.repeat(20)})`, 'a'.repeat(1_001)])(
    'of %s is a bad request',
    async (regex) => {
      expect(await failureOf(collect(subscribe(regex)))).toMatchObject({ code: 3 });
    },
  );
});
