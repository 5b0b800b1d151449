import { setTimeout as delay } from 'node:timers/promises';
import { asAdmin, type Caller, populate } from './apiClients.ts';
import { cpuBetween, cpuOf, type ServerCpu } from './cpu.ts';
import { quantile, report } from './figures.ts';
import { type LoadResult, runLoad } from './load.ts';
import { startProbe } from './probe.ts';
import { startProduct } from './product.ts';

export const CALLS_PATH = '/api/cli/api-calls';

const DRAIN_TIMEOUT_MS = 60_000;
/** Enough for a duplicate to be counted as well. */
const SETTLE_MS = 1_000;

export type Ingestion = {
  load: LoadResult;
  /** The rate of the read model during the measurement. */
  countedPerSecond: number;
  /** ms from the reply to a recording until a GET of the customer's usage includes its calls. */
  lags: number[];
  /** The projection lag in ms of each second in the timeline of the live charts. */
  timelineLags: number[];
  /** ms from the last reply until all calls are counted. */
  drainMs: number;
  /** Counted calls minus acknowledged calls. */
  difference: number;
  /** The sum of the absolute differences of each customer. */
  miscounted: number;
  cpu: ServerCpu;
  seconds: number;
};

export type Shape = { customers: number; tools: number; batch: number; seconds: number; warmUp: number };

const totalOf = async (admin: Caller): Promise<number> => (await admin('GET', '/monitoring/metrics')).apiCalls.total;

const drained = async (admin: Caller, calls: number): Promise<number> => {
  const begun = performance.now();
  while ((await totalOf(admin)) < calls && performance.now() - begun < DRAIN_TIMEOUT_MS) await delay(10);
  return performance.now() - begun;
};

const miscountedOf = async (admin: Caller, acknowledged: ReadonlyMap<string, number>): Promise<number> => {
  let sum = 0;
  for (const [customerId, calls] of acknowledged) {
    const { customer } = await admin('GET', `/api/admin/customers/${customerId}`);
    sum += Math.abs(customer.totalApiCalls - calls);
  }
  return sum;
};

/** Starts a server, records calls, and verifies that the read models count each call exactly once. */
export const measureIngestion = async ({ customers, tools, batch, seconds, warmUp }: Shape): Promise<Ingestion> => {
  const product = await startProduct();
  try {
    const admin = await asAdmin(product.url);
    const signedIn = await populate(product.url, admin, { customers, tools });
    const [probeTool] = await populate(product.url, admin, { customers: 1, tools: 1 });
    if (!probeTool) throw new Error('There is no tool for the probe');
    const begun = new Date().toISOString();
    const probe = await startProbe(product.url, probeTool);
    const marks: { cpu: ServerCpu; total: Promise<number> }[] = [];
    const sources = signedIn.map(({ token }, index) => ({ token, sourceId: `source-${index}` }));
    const load = await runLoad({ url: product.url, path: CALLS_PATH, sources, batch, seconds, warmUp }, () =>
      marks.push({ cpu: cpuOf(product.pid), total: totalOf(admin) }),
    );
    const probed = await probe.stop();
    const acknowledged = new Map([[probeTool.customerId, probed.recorded]]);
    for (const [index, { customerId }] of signedIn.entries())
      acknowledged.set(customerId, (acknowledged.get(customerId) ?? 0) + (load.acknowledged[index] ?? 0));
    const all = [...acknowledged.values()].reduce((sum, calls) => sum + calls, 0);
    const drainMs = await drained(admin, all);
    await delay(SETTLE_MS);
    const [first, last] = marks;
    if (!first || !last) throw new Error('The load did not say when it counted');
    const { points }: { points: { at: string; projectionLagMs: number | null }[] } = await admin(
      'GET',
      '/monitoring/timeline?window=15m',
    );
    return {
      load,
      countedPerSecond: ((await last.total) - (await first.total)) / seconds,
      lags: probed.lags,
      timelineLags: points.flatMap(({ at, projectionLagMs }) => (at >= begun && projectionLagMs !== null ? [projectionLagMs] : [])),
      drainMs,
      difference: (await totalOf(admin)) - all,
      miscounted: await miscountedOf(admin, acknowledged),
      cpu: cpuBetween(first.cpu, last.cpu),
      seconds,
    };
  } finally {
    await product.stop();
  }
};

export const reportIngestion = ({ load, cpu, seconds, ...ingestion }: Ingestion): void => {
  report('acknowledged', load.callsPerSecond, 'calls/s');
  report('  size', load.bytesPerCall, 'bytes a call');
  report('  until acknowledged, p50', load.latency.p50, 'ms');
  report('  until acknowledged, p99', load.latency.p99, 'ms');
  report('  rejected with Retry-After', load.refused, 'requests');
  report('counted', ingestion.countedPerSecond, 'calls/s');
  report('  from acknowledged to shown, p50', quantile(ingestion.lags, 0.5), 'ms');
  report('  from acknowledged to shown, p99', quantile(ingestion.lags, 0.99), 'ms');
  report('  lag of the timeline, p50', quantile(ingestion.timelineLags, 0.5), 'ms');
  report('  lag of the timeline, p99', quantile(ingestion.timelineLags, 0.99), 'ms');
  report('  after the load, until all are counted', ingestion.drainMs, 'ms');
  report('  minus acknowledged', ingestion.difference, 'calls');
  report('  minus acknowledged, by customer', ingestion.miscounted, 'calls');
  const perCall = (cpuSeconds: number): number => (cpuSeconds * 1e6) / (load.callsPerSecond * seconds);
  const busy = (cpuSeconds: number): string => `µs a call (${Math.round((cpuSeconds / seconds) * 100)} % of a core)`;
  report("CPU of the server's main thread", perCall(cpu.main), busy(cpu.main));
  report('  its other threads', perCall(cpu.threads), busy(cpu.threads));
  report('  its PostgreSQL', perCall(cpu.postgres), busy(cpu.postgres));
  report('  the load generator', perCall(load.cpuSeconds), busy(load.cpuSeconds));
};
