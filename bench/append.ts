import { setTimeout as delay } from 'node:timers/promises';
import { type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { closeClient } from '../src/eventstore/client.ts';
import { clientOf } from '../src/eventstore/connect.ts';
import { startEmbeddedStore } from './support/embeddedStore.ts';
import { reportRatio } from './support/figures.ts';
import { rawInsertRate, startBarePostgres } from './support/rawInsert.ts';
import { settings } from './support/settings.ts';

/** Events by the client and the embedded event store, against the same rows by a bare INSERT. */

const { seconds, batch, lanes, group } = settings({ seconds: 10, batch: 100, lanes: 15, group: 1000 });
const WARM_UP_MS = 2_000;

const METADATA = { commandId: '00000000-0000-4000-8000-000000000001', at: '2026-01-31T12:00:00.000Z', codec: 1 };

/** Some two hundred bytes, as most events are. */
const dataOf = (index: number) => ({
  customerId: 'd1320b76-d9c9-4989-813e-14362f8209f1',
  name: `Customer number ${index}`,
  contactEmail: `person-${index}@acme.example`,
  company: 'A company of that name, somewhere',
  developerSeats: index % 100,
});

type Progress = { batches: number; isOver: boolean };

/** Appends batches to a stream, one after the other, until told to stop. */
const fill = async (client: EventStoreDBClient, lane: number, progress: Progress): Promise<void> => {
  for (let index = 0; !progress.isOver; index += batch) {
    const events = Array.from({ length: batch }, (_, at) =>
      jsonEvent({ type: 'CustomerDetailsChanged', data: dataOf(index + at), metadata: METADATA }),
    );
    await client.appendToStream(`customer-${lane}`, events);
    progress.batches += 1;
  }
};

const measureClient = async (): Promise<number> => {
  const store = await startEmbeddedStore();
  const client = clientOf(store.url);
  try {
    const progress = { batches: 0, isOver: false };
    const filling = Promise.all(Array.from({ length: lanes }, (_, lane) => fill(client, lane, progress)));
    await Promise.race([filling, delay(WARM_UP_MS)]);
    const before = progress.batches;
    const begun = performance.now();
    await Promise.race([filling, delay(seconds * 1000)]);
    const rate = ((progress.batches - before) * batch) / ((performance.now() - begun) / 1000);
    progress.isOver = true;
    await filling;
    return rate;
  } finally {
    await closeClient(client);
    await store.stop();
  }
};

const measureInsert = async (): Promise<number> => {
  const { url, stop } = await startBarePostgres();
  try {
    const payloads = Array.from({ length: 1000 }, (_, index) => Buffer.from(JSON.stringify(dataOf(index))));
    return await rawInsertRate(url, { payloads, group, seconds });
  } finally {
    await stop();
  }
};

const limit = await measureInsert();
reportRatio(
  `events in batches of ${batch}, ${lanes} at a time`,
  await measureClient(),
  `${group} rows an INSERT`,
  limit,
  'events/s',
);
