import { startBareFastify } from './support/bareFastify.ts';
import { reportRatio } from './support/figures.ts';
import { CALLS_PATH, measureIngestion, reportIngestion } from './support/ingestion.ts';
import { runLoad } from './support/load.ts';
import { settings } from './support/settings.ts';

/** One API call a request: the load of command-line tools that do not batch. */

const { seconds, connections, limits } = settings({ seconds: 30, connections: 64, limits: 10 });
const CUSTOMERS = 8;

const bare = await startBareFastify();
const sources = Array.from({ length: connections }, (_, index) => ({ token: 'none', sourceId: `source-${index}` }));
const parsing = await runLoad({ url: bare.url, path: CALLS_PATH, sources, batch: 1, seconds: limits, warmUp: 1 });
await bare.stop();
const ingestion = await measureIngestion({ customers: CUSTOMERS, tools: connections / CUSTOMERS, batch: 1, seconds, warmUp: 5 });

console.log(`\n${connections} connections, one call a request, ${seconds} s`);
reportIngestion(ingestion);
reportRatio('against a bare Fastify', ingestion.load.requestsPerSecond, 'the same bodies', parsing.requestsPerSecond, 'requests/s');
