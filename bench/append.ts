import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventData, EventStoreDBClient } from '@eventstore/db-client';
import { createAppendRpc } from '../src/eventstore/appendRpc.ts';
import { closeClient } from '../src/eventstore/client.ts';
import { clientOf } from '../src/eventstore/connect.ts';
import { cpuBetween, cpuOf, type ServerCpu } from './support/cpu.ts';
import { startEmbeddedStore } from './support/embeddedStore.ts';
import { emmettAppendRate, INSTALL_EMMETT } from './support/emmett.ts';
import { report, reportRatio } from './support/figures.ts';
import { rawInsertRate, startBarePostgres } from './support/rawInsert.ts';
import { settings } from './support/settings.ts';

/** Appends to the embedded event store by the product and by the client, compared with a bare INSERT of the same rows and with emmett on the same PostgreSQL. */

const { seconds, batch, concurrency, group } = settings({ seconds: 10, batch: 100, concurrency: 15, group: 1000 });
const WARM_UP_MS = 3_000;
const DEADLINE_MS = 10_000;

const METADATA = new TextEncoder().encode(
  JSON.stringify({ commandId: '00000000-0000-4000-8000-000000000001', at: '2026-01-31T12:00:00.000Z', codec: 1 }),
);

/** About two hundred bytes, the size of most events. */
const dataOf = (index: number) => ({
  customerId: 'd1320b76-d9c9-4989-813e-14362f8209f1',
  name: `Customer number ${index}`,
  contactEmail: `person-${index}@acme.example`,
  company: 'A company of that name, somewhere',
  developerSeats: index % 100,
});

/** The event in the form that the product passes to the client. */
const eventOf = (index: number): EventData => ({
  id: randomUUID(),
  type: 'CustomerDetailsChanged',
  contentType: 'application/json',
  data: dataOf(index),
  metadata: METADATA,
});

type Measured = { rate: number; cpu: ServerCpu; events: number };
type Progress = { batches: number; isStopped: boolean };

type Append = (client: EventStoreDBClient, stream: string, events: EventData[]) => Promise<unknown>;

/** Appends batches to a stream sequentially until `progress.isStopped`. */
const fill = async (append: Append, client: EventStoreDBClient, writer: number, progress: Progress): Promise<void> => {
  for (let index = 0; !progress.isStopped; index += batch) {
    const events = Array.from({ length: batch }, (_, at) => eventOf(index + at));
    await append(client, `customer-${writer}`, events);
    progress.batches += 1;
  }
};

const measureAppends = async (append: Append): Promise<Measured> => {
  const store = await startEmbeddedStore();
  const client = clientOf(store.url);
  try {
    const progress = { batches: 0, isStopped: false };
    const filling = Promise.all(Array.from({ length: concurrency }, (_, writer) => fill(append, client, writer, progress)));
    await Promise.race([filling, delay(WARM_UP_MS)]);
    const [before, cpu, begun] = [progress.batches, cpuOf(process.pid), performance.now()];
    await Promise.race([filling, delay(seconds * 1000)]);
    const events = (progress.batches - before) * batch;
    const measured = { rate: (events * 1000) / (performance.now() - begun), cpu: cpuBetween(cpu, cpuOf(process.pid)), events };
    progress.isStopped = true;
    await filling;
    return measured;
  } finally {
    await closeClient(client);
    await store.stop();
  }
};

const withBarePostgres = async <T>(work: (url: string) => Promise<T>): Promise<T> => {
  const { url, stop } = await startBarePostgres();
  try {
    return await work(url);
  } finally {
    await stop();
  }
};

const measureInsert = (): Promise<Measured> =>
  withBarePostgres(async (url) => {
    const payloads = Array.from({ length: 1000 }, (_, index) => Buffer.from(JSON.stringify(dataOf(index))));
    const cpu = cpuOf(process.pid);
    const rate = await rawInsertRate(url, { payloads, group, seconds });
    return { rate, cpu: cpuBetween(cpu, cpuOf(process.pid)), events: rate * seconds };
  });

const total = ({ main, threads, postgres }: ServerCpu): number => main + threads + postgres;
const perEvent = (cpuSeconds: number, { events }: Measured): number => (cpuSeconds * 1e6) / events;

const inserted = await measureInsert();
const appendEvents = createAppendRpc();
const appended = await measureAppends((client, stream, events) =>
  appendEvents(client, stream, events, { expected: 'any', deadlineMs: DEADLINE_MS }),
);
const byClient = await measureAppends((client, stream, events) => client.appendToStream(stream, events));
const limit = `${group} rows an INSERT`;
const reportAppends = (writer: string, measured: Measured): void => {
  reportRatio(
    `events in batches of ${batch}, ${concurrency} at a time, by ${writer}`,
    measured.rate,
    limit,
    inserted.rate,
    'events/s',
  );
  report('  CPU of the client', perEvent(measured.cpu.main, measured), 'µs an event');
  report('  CPU of the event store', perEvent(measured.cpu.threads, measured), 'µs an event');
  report('  CPU of PostgreSQL', perEvent(measured.cpu.postgres, measured), 'µs an event');
};
reportAppends('the product', appended);
reportAppends('the client', byClient);
report('limit: CPU of the INSERT and PostgreSQL', perEvent(total(inserted.cpu), inserted), 'µs an event');

const emmett = await withBarePostgres((url) => emmettAppendRate(url, { seconds, batch, concurrency }));
if (emmett === null) console.log(INSTALL_EMMETT);
else {
  report('  for comparison: emmett', emmett, 'events/s');
  report('  times emmett', appended.rate / emmett, '');
}
