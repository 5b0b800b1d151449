import { setTimeout as delay } from 'node:timers/promises';
import { cpuBetween, cpuOf } from './support/cpu.ts';
import { report, reportRatio } from './support/figures.ts';
import { startProduct } from './support/product.ts';
import { settings } from './support/settings.ts';

/** The CPU time of an idle server with embedded stores. */

const { seconds, rounds } = settings({ seconds: 20, rounds: 3 });
const SETTLE_MS = 5_000;
const LIMIT_PERCENT = 5;

const product = await startProduct();
await delay(SETTLE_MS);
for (let round = 0; round < rounds; round++) {
  const before = cpuOf(product.pid);
  await delay(seconds * 1_000);
  const { main, threads, postgres } = cpuBetween(before, cpuOf(product.pid));
  const percent = (used: number): number => (100 * used) / seconds;
  reportRatio('an idle server', percent(main + threads + postgres), 'a twentieth of a core', LIMIT_PERCENT, '%');
  report('  main thread', percent(main), '%');
  report('  other threads', percent(threads), '%');
  report('  PostgreSQL', percent(postgres), '%');
}
await product.stop();
