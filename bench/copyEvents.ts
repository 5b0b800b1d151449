import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { openProduct } from '../src/bootstrap/product.ts';
import { STREAM_CATEGORIES } from '../src/domain/events.ts';
import { copyEvents } from '../src/eventstore/copy/copyEvents.ts';
import { cpuBetween, cpuOf } from './support/cpu.ts';
import { startEmbeddedStore } from './support/embeddedStore.ts';
import { report } from './support/figures.ts';
import { seedEvents } from './support/seedEvents.ts';
import { settings } from './support/settings.ts';

/**
 * Copies events from one embedded event store to another over TCP. With `customers`, 19 events of a stream follow each other; with
 * `batches`, each event is of another stream than the one before, which makes it an append of its own.
 */

const { customers, batches, rounds } = settings({ customers: 5_000, batches: 60_000, rounds: 2 });

const reportCopy = async (name: string, from: string, count: number): Promise<void> => {
  const target = await startEmbeddedStore();
  try {
    const [begun, before] = [performance.now(), cpuOf(process.pid)];
    const signal = new AbortController().signal;
    const copied = await copyEvents({ from, to: target.url, categories: STREAM_CATEGORIES, signal, onProgress: () => undefined });
    if (copied !== count) throw new Error(`${copied} events were copied instead of ${count}`);
    report(name, (copied * 1000) / (performance.now() - begun), 'events/s');
    const { main, threads, postgres } = cpuBetween(before, cpuOf(process.pid));
    report('  CPU of the main thread', (main * 1e6) / copied, 'µs an event');
    report("  … of both stores' threads and V8's threads", (threads * 1e6) / copied, 'µs an event');
    report('  … of PostgreSQL', (postgres * 1e6) / copied, 'µs an event');
  } finally {
    await target.stop();
  }
};

const measure = async (name: string, seeds: { customers: number; batches: number }): Promise<void> => {
  const source = await startEmbeddedStore();
  try {
    const masterSecret = randomBytes(32);
    const log = pino({ level: 'warn' });
    const product = await openProduct({ databaseUrl: source.databaseUrl, eventStoreUrl: source.url, masterSecret, log });
    await product.events.identity();
    const { plainEvents, callBatches } = await seedEvents(product.events, { ...seeds, batch: 5 });
    await product.close();
    for (let round = 0; round < rounds; round++) {
      await reportCopy(name, source.url, plainEvents + callBatches);
    }
  } finally {
    await source.stop();
  }
};

await measure('copy of customers, 19 events of a stream in a row', { customers, batches: 0 });
await measure('copy of recorded calls, one event of a stream in a row', { customers: 100, batches });
