import { setTimeout as delay } from 'node:timers/promises';
import { startBareFastify } from './support/bareFastify.ts';
import { callsJson } from './support/calls.ts';
import { cpuBetween, cpuOf, type ServerCpu } from './support/cpu.ts';
import { quantile, report, reportRatio } from './support/figures.ts';
import { type LoadResult, runLoad } from './support/load.ts';
import { asAdmin, type Caller, populate, type Tool } from './support/people.ts';
import { startProbe } from './support/probe.ts';
import { startProduct } from './support/product.ts';
import { rawInsertRate, startBarePostgres } from './support/rawInsert.ts';
import { settings } from './support/settings.ts';

const { seconds, batch, customers, tools, limits } = settings({ seconds: 60, batch: 500, customers: 8, tools: 4, limits: 10 });
const WARM_UP = 3;
const DRAIN_MS = 60_000;

const totalOf = async (admin: Caller): Promise<number> => (await admin('GET', '/monitoring/metrics')).apiCalls.total;

/** Resolves to how long it took until all calls were counted, in ms. */
const drained = async (admin: Caller, calls: number): Promise<number> => {
  const begun = performance.now();
  while ((await totalOf(admin)) < calls && performance.now() - begun < DRAIN_MS) await delay(10);
  return performance.now() - begun;
};

/** What each customer was told less what its usage shows; all zero when every call was counted once. */
const miscounted = async (admin: Caller, told: ReadonlyMap<string, number>): Promise<number> => {
  let wrong = 0;
  for (const [customerId, calls] of told) {
    const { customer } = await admin('GET', `/api/admin/customers/${customerId}`);
    wrong += Math.abs(customer.totalApiCalls - calls);
  }
  return wrong;
};

const measureProduct = async () => {
  const product = await startProduct();
  try {
    const admin = await asAdmin(product.url);
    const signedIn = await populate(product.url, admin, { customers, tools });
    const [watched] = await populate(product.url, admin, { customers: 1, tools: 1 });
    if (!watched) throw new Error('Nobody to watch');
    const probe = await startProbe(product.url, watched);
    const marks: ServerCpu[] = [];
    const begun = new Date().toISOString();
    const result = await runLoad(
      {
        url: product.url,
        path: '/api/cli/api-calls',
        sources: signedIn.map(({ token }, index) => ({ token, sourceId: `source-${index}` })),
        batch,
        seconds,
        warmUp: WARM_UP,
      },
      () => marks.push(cpuOf(product.pid)),
    );
    const watch = await probe.stop();
    const told = new Map([[watched.customerId, watch.recorded]]);
    signedIn.forEach(({ customerId }: Tool, index) => {
      told.set(customerId, (told.get(customerId) ?? 0) + (result.acknowledged[index] ?? 0));
    });
    const all = [...told.values()].reduce((sum, calls) => sum + calls, 0);
    const drainMs = await drained(admin, all);
    await delay(1_000); // whatever is counted twice comes late
    const [before, after] = marks;
    const { points } = await admin('GET', '/monitoring/timeline?window=15m');
    const lags: number[] = points
      .filter(({ at }: { at: string }) => at >= begun)
      .map((point: { projectionLagMs: number }) => point.projectionLagMs);
    return {
      result,
      watch,
      lags,
      drainMs,
      difference: (await totalOf(admin)) - all,
      miscounted: await miscounted(admin, told),
      cpu: before && after ? cpuBetween(before, after) : null,
    };
  } finally {
    await product.stop();
  }
};

const measureParsing = async (): Promise<LoadResult> => {
  const { url, stop } = await startBareFastify();
  try {
    const sources = Array.from({ length: customers * tools }, (_, index) => ({ token: 'none', sourceId: `source-${index}` }));
    return await runLoad({ url, path: '/api/cli/api-calls', sources, batch, seconds: limits, warmUp: 1 });
  } finally {
    await stop();
  }
};

const measureInserting = async (): Promise<number> => {
  const { url, stop } = await startBarePostgres();
  try {
    const payloads = Array.from({ length: 16 }, (_, variant) => Buffer.from(callsJson(batch, { variant, until: Date.now() })));
    return (await rawInsertRate(url, { payloads, group: 32, seconds: limits })) * batch;
  } finally {
    await stop();
  }
};

const inserting = await measureInserting();
const parsing = await measureParsing();
const { result, watch, lags, drainMs, difference, miscounted: wrong, cpu } = await measureProduct();

console.log(`\n${customers * tools} sources of ${customers} customers, ${batch} calls a request, ${seconds} s`);
report('acknowledged', result.callsPerSecond, 'calls/s');
report('  of a request', result.bytesPerCall, 'bytes a call');
report('  until acknowledged, p50', result.latency.p50, 'ms');
report('  until acknowledged, p99', result.latency.p99, 'ms');
report('  told to come back', result.refused, 'requests');
report('acknowledged until its usage shows it, p50', quantile(watch.lags, 0.5), 'ms');
report('acknowledged until its usage shows it, p99', quantile(watch.lags, 0.99), 'ms');
report("the timeline's own lag, p50", quantile(lags, 0.5), 'ms');
report("the timeline's own lag, p99", quantile(lags, 0.99), 'ms');
report('after the end until all was counted', drainMs, 'ms');
report('counted less acknowledged', difference, 'calls');
report('  summed over customers', wrong, 'calls');
if (cpu) {
  report('CPU of the server, main thread', (cpu.main / seconds) * 100, '% of a core');
  report('  its other threads', (cpu.threads / seconds) * 100, '% of a core');
  report('  its PostgreSQL', (cpu.postgres / seconds) * 100, '% of a core');
  report('CPU of the load', (result.cpuSeconds / seconds) * 100, '% of a core');
}
reportRatio(
  'against the same bodies only parsed',
  result.callsPerSecond,
  'Fastify that answers 202',
  parsing.callsPerSecond,
  'calls/s',
);
reportRatio(
  'against the same bytes only inserted',
  result.callsPerSecond,
  'grouped INSERT, 32 batches a transaction',
  inserting,
  'calls/s',
);
