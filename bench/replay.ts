import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { openProduct, type Product } from '../src/bootstrap/product.ts';
import { plansOf } from '../src/projections/projector.ts';
import { startRunner } from '../src/projections/runner.ts';
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

/** Seconds until a group knows everything, beginning with empty read models. */
const replay = async (product: Product, group: 'main' | 'usage'): Promise<{ seconds: number; cpuSeconds: number }> => {
  const begun = performance.now();
  const cpu = process.cpuUsage();
  let runner: ReturnType<typeof startRunner> | undefined;
  await new Promise<void>((resolve, reject) => {
    runner = startRunner(plansOf(product.digest)[group], {
      ...product,
      onNotice: (notice) => {
        if (notice.kind === 'caughtUp') resolve();
        if (notice.kind === 'lost' || notice.kind === 'parked') reject(new Error(JSON.stringify(notice)));
      },
    });
  });
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await runner?.stop();
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
