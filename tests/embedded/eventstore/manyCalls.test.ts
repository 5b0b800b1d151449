import { once } from 'node:events';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningEventStore } from '../../../src/embedded/eventstore/server.ts';
import { limited } from '../../../src/embedded/eventstore/storage/limited.ts';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { newStream, seatClaimed } from '../../eventstore/support.ts';
import { until } from '../../support/eventually.ts';
import { openServerFixture, type ServerFixture } from './serverSupport.ts';

let fixture: ServerFixture;
let server: RunningEventStore;
let client: EventStoreDBClient;
beforeAll(async () => {
  fixture = await openServerFixture();
  server = await fixture.start();
  client = clientOf(server.connectionString);
});
afterAll(async () => {
  await client.dispose();
  await server.close();
  await fixture.close();
});

/** A longer run is `npm run test:proofs -- manyCalls`. */
const SUBSCRIPTIONS = Number(process.env.SUBSCRIPTIONS ?? 150);

describe(`${SUBSCRIPTIONS} concurrent subscriptions`, () => {
  it('wait for a connection to PostgreSQL, and all start', async () => {
    const streams = Array.from({ length: SUBSCRIPTIONS }, () => newStream());
    const last = streams.at(-1) ?? '';
    await client.appendToStream(last, seatClaimed(7));
    const subscriptions = streams.map((stream) => client.subscribeToStream(stream));
    const confirmed = Promise.all(subscriptions.map((subscription) => once(subscription, 'confirmation')));
    const delivered = new Promise<{ event?: { data: unknown } }>((resolve) => subscriptions.at(-1)?.once('data', resolve));
    await confirmed;
    const { event } = await delivered;
    expect(event?.data).toEqual({ seat: 7 });
    await Promise.all(subscriptions.map((subscription) => subscription.unsubscribe()));
  });
});

describe('limited tasks', () => {
  it('run in order and within the limit, also after a failure', async () => {
    const run = limited(2);
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const tasks = [0, 1, 2, 3].map((task) =>
      run(async () => {
        started.push(task);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (task === 0) throw new Error('Task 0 failed');
        return task;
      }),
    );
    const results = Promise.allSettled(tasks);
    await until(() => started.length === 2);
    for (let task = 0; task < 4; task++) {
      ends[task]?.();
      await until(() => started.length === Math.min(4, task + 3));
    }
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    expect(started).toEqual([0, 1, 2, 3]);
  });
});
