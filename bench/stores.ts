import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { closeClient } from '../src/eventstore/client.ts';
import { clientOf } from '../src/eventstore/connect.ts';
import { startEmbeddedStore } from './support/embeddedStore.ts';
import { reportRatio } from './support/figures.ts';
import { rawInsertRate, startBarePostgres } from './support/rawInsert.ts';
import { settings } from './support/settings.ts';

/**
 * Appends to the embedded event store by the official client, and with EVENTSTORE_URL also to that store, alternating in `rounds`, with
 * the ratio.
 * The limit of each shape is the event store's statement with a commit, for as many events as are appended at a time. Put the data of
 * all on the same disk.
 */

const { seconds, rounds } = settings({ seconds: 5, rounds: 1 });
const WARM_UP_MS = 1_000;

/** `writers` append `batch` events at a time, each to its own stream. */
type Shape = Readonly<{ name: string; writers: number; batch: number }>;

const SHAPES: readonly Shape[] = [
  { name: 'events in batches of 100, 15 at a time', writers: 15, batch: 100 },
  { name: 'single appends, 32 at a time', writers: 32, batch: 1 },
  { name: 'single appends, one at a time', writers: 1, batch: 1 },
];

const dataOf = (index: number) => ({ index, company: 'A company of that name, somewhere', text: 'x'.repeat(120) });
const eventOf = (index: number) => jsonEvent({ type: 'CustomerDetailsChanged', data: dataOf(index) });
const payloads = [Buffer.from(JSON.stringify(dataOf(1)))];

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
const [embedded, bare] = [await startEmbeddedStore(), await startBarePostgres()];
const own = clientOf(embedded.url);
const given = givenUrl ? clientOf(givenUrl) : null;
try {
  for (const shape of SHAPES) {
    const raw = () => rawInsertRate(bare.url, { payloads, group: shape.writers * shape.batch, seconds });
    const limits: number[] = [];
    const rates: number[] = [];
    const others: number[] = [];
    for (let round = 0; round < rounds; round++) {
      limits.push(await raw());
      rates.push(await appendRate(own, shape));
      if (given) others.push(await appendRate(given, shape), await appendRate(given, shape));
      rates.push(await appendRate(own, shape));
      limits.push(await raw());
    }
    reportRatio(`${shape.name}, embedded`, mean(rates), 'INSERT with commit', mean(limits), 'events/s');
    if (given) reportRatio('  … and', mean(rates), 'EVENTSTORE_URL', mean(others), 'events/s');
  }
} finally {
  await closeClient(own);
  if (given) await closeClient(given);
  await embedded.stop();
  await bare.stop();
}
