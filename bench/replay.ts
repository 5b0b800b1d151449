import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { openProduct, type Product } from '../src/bootstrap/product.ts';
import { rebuild } from '../src/projections/engine/rebuild.ts';
import { projectionGroupsOf } from '../src/projections/projector.ts';
import { cpuBetween, cpuOf, type ServerCpu } from './support/cpu.ts';
import { startEmbeddedStore } from './support/embeddedStore.ts';
import { emmettProjectionRate, INSTALL_EMMETT } from './support/emmett.ts';
import { report } from './support/figures.ts';
import { seedEvents } from './support/seedEvents.ts';
import { settings } from './support/settings.ts';

/** A rebuild of the read models from a full event store. */

const { customers, batches, batch } = settings({ customers: 5_000, batches: 20_000, batch: 500 });

const EMMETT_EVENTS = 10_000;

const store = await startEmbeddedStore();
const masterSecret = randomBytes(32);
const log = pino({ level: 'warn' });
const openServer = (): Promise<Product> =>
  openProduct({ databaseUrl: store.databaseUrl, eventStoreUrl: store.url, masterSecret, log });

/** Rebuilds a projection group, as the operator's command and a new version do. The CPU of `threads` includes the event store's thread. */
const replay = async (product: Product, group: 'main' | 'usage'): Promise<{ seconds: number; cpu: ServerCpu }> => {
  const begun = performance.now();
  const before = cpuOf(process.pid);
  const swapped = await rebuild(
    projectionGroupsOf(product)[group],
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
  report("  … of the event store's thread and V8's threads", (threads * 1e6) / count, unit);
  report('  … of PostgreSQL', (postgres * 1e6) / count, unit);
};

const seeder = await openServer();
const seeded = await seedEvents(seeder.events, { customers, batches, batch });
await seeder.close();

// A new instance, whose cache of data keys is empty.
const product = await openServer();
const main = await replay(product, 'main');
const usage = await replay(product, 'usage');
await product.close();
const emmett = await emmettProjectionRate(store.databaseUrl, EMMETT_EVENTS);
await store.stop();

console.log(`\n${seeded.plainEvents} events of ${customers} customers, ${seeded.callBatches} batches of ${batch} API calls`);
report('read models of customers and users', seeded.plainEvents / main.seconds, 'events/s');
reportCpu(main.cpu, seeded.plainEvents, 'µs an event');
report('read models of usage', seeded.calls / usage.seconds, 'calls/s');
reportCpu(usage.cpu, seeded.calls, 'µs a call');
if (emmett === null) console.log(INSTALL_EMMETT);
else report('for comparison: a row a stream by emmett', emmett, 'events/s');
