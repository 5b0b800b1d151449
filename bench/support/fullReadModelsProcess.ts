import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { pino } from 'pino';
import { openProduct } from '../../src/bootstrap/product.ts';
import { startEmbeddedStore } from './embeddedStore.ts';
import type { FilledStore } from './filledStore.ts';
import { fillReadModels } from './fullReadModels.ts';

/** Runs the embedded stores with full read models of so many customers and integrators until its parent disconnects. */

const [customers, integrators] = process.argv.slice(2).map(Number);
if (!customers || !integrators) throw new Error('Name the number of customers and of integrators');

const store = await startEmbeddedStore();
const masterSecret = randomBytes(32);
const product = await openProduct({
  databaseUrl: store.databaseUrl,
  eventStoreUrl: store.url,
  masterSecret,
  log: pino({ level: 'error' }),
});
const keys = await fillReadModels(product, { customers, integrators });
await product.close();
const filled: Omit<FilledStore, 'stop'> = {
  databaseUrl: store.databaseUrl,
  url: store.url,
  masterSecret: masterSecret.toString('base64'),
  ...keys,
};
process.send?.(filled);
await once(process, 'disconnect');
await store.stop();
