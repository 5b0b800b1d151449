import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { closeClient } from '../src/eventstore/client.ts';
import { clientOf } from '../src/eventstore/connect.ts';
import { startEmbeddedStore } from './support/embeddedStore.ts';
import { report, reportRatio } from './support/figures.ts';
import { settings } from './support/settings.ts';

/**
 * Appends to the embedded event store by the official client; with EVENTSTORE_URL also to that store, alternating, with the ratio.
 * Put the data of both on the same disk.
 */

const { seconds } = settings({ seconds: 5 });
const WARM_UP_MS = 1_000;

/** `writers` append `batch` events at a time, each to its own stream. */
type Shape = Readonly<{ name: string; writers: number; batch: number }>;

const SHAPES: readonly Shape[] = [
  { name: 'events in batches of 100, 15 at a time', writers: 15, batch: 100 },
  { name: 'single appends, 32 at a time', writers: 32, batch: 1 },
  { name: 'single appends, one at a time', writers: 1, batch: 1 },
];

const eventOf = (index: number) =>
  jsonEvent({
    type: 'CustomerDetailsChanged',
    data: { index, company: 'A company of that name, somewhere', text: 'x'.repeat(120) },
  });

/** Events a second. */
const appendRate = async (client: EventStoreDBClient, { writers, batch }: Shape): Promise<number> => {
  let appended = 0;
  let isStopped = false;
  const write = async (): Promise<void> => {
    const stream = `bench-${randomUUID()}`;
    while (!isStopped) {
      await client.appendToStream(
        stream,
        Array.from({ length: batch }, (_, index) => eventOf(index)),
      );
      appended += batch;
    }
  };
  const writing = Promise.all(Array.from({ length: writers }, write));
  await Promise.race([writing, delay(WARM_UP_MS)]);
  const [before, begun] = [appended, performance.now()];
  await Promise.race([writing, delay(seconds * 1000)]);
  const rate = ((appended - before) * 1000) / (performance.now() - begun);
  isStopped = true;
  await writing;
  return rate;
};

const mean = (rates: readonly number[]): number => rates.reduce((sum, rate) => sum + rate, 0) / rates.length;

const givenUrl = process.env.EVENTSTORE_URL;
const embedded = await startEmbeddedStore();
const own = clientOf(embedded.url);
const given = givenUrl ? clientOf(givenUrl) : null;
try {
  for (const shape of SHAPES) {
    if (!given) {
      report(`${shape.name}, embedded`, await appendRate(own, shape), 'events/s');
      continue;
    }
    const rates = { own: [await appendRate(own, shape)], given: [await appendRate(given, shape), await appendRate(given, shape)] };
    rates.own.push(await appendRate(own, shape));
    reportRatio(`${shape.name}, embedded`, mean(rates.own), 'EVENTSTORE_URL', mean(rates.given), 'events/s');
  }
} finally {
  await closeClient(own);
  if (given) await closeClient(given);
  await embedded.stop();
}
