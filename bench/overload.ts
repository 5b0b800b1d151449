import { asAdmin, populate } from './support/apiClients.ts';
import { residentBytes } from './support/cpu.ts';
import { report, reportRatio } from './support/figures.ts';
import { CALLS_PATH } from './support/ingestion.ts';
import { type LoadResult, runLoad } from './support/load.ts';
import { startProduct } from './support/product.ts';
import { settings } from './support/settings.ts';

/** The goodput with many times more concurrent clients than at the peak. The server must reject the excess with `Retry-After`. */

const { seconds, connections, times } = settings({ seconds: 20, connections: 640, times: 10 });
const TOOLS = 64;
const MEGABYTE = 2 ** 20;

const product = await startProduct();
try {
  const admin = await asAdmin(product.url);
  const tools = await populate(product.url, admin, { customers: 8, tools: TOOLS / 8 });

  /** Runs a load of `clients` connections, each with its own source, and samples the server's peak memory. */
  const measure = async (name: string, clients: number): Promise<LoadResult & { bytes: number }> => {
    const sources = Array.from({ length: clients }, (_, index) => ({
      token: tools[index % TOOLS]?.token ?? '',
      sourceId: `${name}-${index}`,
    }));
    let bytes = 0;
    const sampling = setInterval(() => {
      bytes = Math.max(bytes, residentBytes(product.pid));
    }, 250);
    const load = { url: product.url, path: CALLS_PATH, sources, batch: 1, seconds, warmUp: 5, onRefusal: 'wait' } as const;
    const result = await runLoad(load);
    clearInterval(sampling);
    return { ...result, bytes };
  };

  const peak = await measure('peak', connections);
  const flood = await measure('flood', connections * times);
  const acknowledged = [...peak.acknowledged, ...flood.acknowledged].reduce((sum, calls) => sum + calls, 0);
  const counted = async (): Promise<number> => (await admin('GET', '/monitoring/metrics')).apiCalls.total;
  for (const deadline = Date.now() + 60_000; (await counted()) < acknowledged && Date.now() < deadline; );

  console.log(`\n${connections} connections, then ${connections * times}, one call a request, ${seconds} s each`);
  for (const [name, result] of Object.entries({ peak, flood })) {
    report(`${name}: acknowledged`, result.requestsPerSecond, 'requests/s');
    report('  refused, each with Retry-After', result.refusedPerSecond, 'requests/s');
    report('  until acknowledged, p50', result.latency.p50, 'ms');
    report('  until acknowledged, p99', result.latency.p99, 'ms');
    report('  peak memory of the server', result.bytes / MEGABYTE, 'MiB');
  }
  reportRatio('goodput under overload', flood.requestsPerSecond, 'at its peak', peak.requestsPerSecond, 'requests/s');
  report('counted minus acknowledged', (await counted()) - acknowledged, 'calls');
} finally {
  await product.stop();
}
