import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { openProduct, type Product } from '../src/bootstrap/product.ts';
import { plansOf } from '../src/projections/projector.ts';
import { rebuild } from '../src/projections/rebuild.ts';
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

/** Seconds that a rebuild of a group takes, as operators start it and as a new version does. */
const replay = async (product: Product, group: 'main' | 'usage'): Promise<{ seconds: number; cpuSeconds: number }> => {
  const begun = performance.now();
  const cpu = process.cpuUsage();
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
  const { user, system } = process.cpuUsage(cpu);
  return { seconds, cpuSeconds: (user + system) / 1e6 };
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
report('  CPU of this process', (main.cpuSeconds * 1e6) / past.plainEvents, 'µs an event');
report('read models of usage', past.calls / usage.seconds, 'calls/s');
report('  CPU of this process', (usage.cpuSeconds * 1e6) / past.calls, 'µs a call');
if (emmett === null) console.log(INSTALL_EMMETT);
else report('for comparison: a row a stream by emmett', emmett, 'events/s');
