import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { openProduct, type Product } from '../src/bootstrap/product.ts';
import { rebuild } from '../src/projections/engine/rebuild.ts';
import { plansOf } from '../src/projections/projector.ts';
import { cpuBetween, cpuOf, type ServerCpu } from './support/cpu.ts';
import { startEmbeddedStore } from './support/embeddedStore.ts';
import { emmettProjectionRate, INSTALL_EMMETT } from './support/emmett.ts';
import { report } from './support/figures.ts';
import { writePast } from './support/past.ts';
import { settings } from './support/settings.ts';

/** The read models from nothing, out of an event store that is full: what a rebuild takes. */

const { customers, batches, batch } = settings({ customers: 5_000, batches: 20_000, batch: 500 });

const EMMETT_EVENTS = 10_000;

const store = await startEmbeddedStore();
const masterSecret = randomBytes(32);
const log = pino({ level: 'warn' });
const open = (): Promise<Product> => openProduct({ databaseUrl: store.databaseUrl, eventStoreUrl: store.url, masterSecret, log });

/** Seconds that a rebuild of a group takes, as operators start it and as a new version does; the event store's thread is among the threads. */
const replay = async (product: Product, group: 'main' | 'usage'): Promise<{ seconds: number; cpu: ServerCpu }> => {
  const begun = performance.now();
  const before = cpuOf(process.pid);
  const swapped = await rebuild(
    plansOf(product.digest)[group],
    {
      ...product,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onParked: (event) => {
        throw new Error(JSON.stringify(event));
      },
    },
    { afresh: true },
  );
  if (!swapped) throw new Error(`${group} was not rebuilt`);
  const seconds = (performance.now() - begun) / 1000;
  return { seconds, cpu: cpuBetween(before, cpuOf(process.pid)) };
};

const reportCpu = ({ main, threads, postgres }: ServerCpu, count: number, unit: string): void => {
  report('  CPU of the main thread', (main * 1e6) / count, unit);
  report("  … of the event store's thread and V8's own", (threads * 1e6) / count, unit);
  report('  … of PostgreSQL', (postgres * 1e6) / count, unit);
};

const filling = await open();
const past = await writePast(filling.events, { customers, batches, batch });
await filling.close();

// Another one, which has opened no data key yet.
const product = await open();
const main = await replay(product, 'main');
const usage = await replay(product, 'usage');
await product.close();
const emmett = await emmettProjectionRate(store.databaseUrl, EMMETT_EVENTS);
await store.stop();

console.log(`\n${past.plainEvents} events of ${customers} customers, ${past.callBatches} batches of ${batch} API calls`);
report('read models of customers and users', past.plainEvents / main.seconds, 'events/s');
reportCpu(main.cpu, past.plainEvents, 'µs an event');
report('read models of usage', past.calls / usage.seconds, 'calls/s');
reportCpu(usage.cpu, past.calls, 'µs a call');
if (emmett === null) console.log(INSTALL_EMMETT);
else report('for comparison: a row a stream by emmett', emmett, 'events/s');
