import { startBareFastify } from './support/bareFastify.ts';
import { callsJson } from './support/calls.ts';
import { reportRatio } from './support/figures.ts';
import { CALLS_PATH, measureIngestion, reportIngestion } from './support/ingestion.ts';
import { type LoadResult, runLoad } from './support/load.ts';
import { rawInsertRate, startBarePostgres } from './support/rawInsert.ts';
import { settings } from './support/settings.ts';

/** Batches of API calls from HTTP to durable events and to the read models, with all processes on this machine. */

const { seconds, batch, customers, tools, limits } = settings({ seconds: 60, batch: 500, customers: 8, tools: 4, limits: 10 });
const GROUP = 32;

const measureParsing = async (): Promise<LoadResult> => {
  const { url, stop } = await startBareFastify();
  try {
    const sources = Array.from({ length: customers * tools }, (_, index) => ({ token: 'none', sourceId: `source-${index}` }));
    return await runLoad({ url, path: CALLS_PATH, sources, batch, seconds: limits, warmUp: 1 });
  } finally {
    await stop();
  }
};

/** Calls a second if the same bytes are only inserted. */
const measureInserting = async (): Promise<number> => {
  const { url, stop } = await startBarePostgres();
  try {
    const payloads = Array.from({ length: 16 }, (_, variant) => Buffer.from(callsJson(batch, { variant, until: Date.now() })));
    return (await rawInsertRate(url, { payloads, group: GROUP, seconds: limits })) * batch;
  } finally {
    await stop();
  }
};

const inserting = await measureInserting();
const parsing = await measureParsing();
const ingestion = await measureIngestion({ customers, tools, batch, seconds, warmUp: 5 });
const { callsPerSecond } = ingestion.load;

console.log(`\n${customers * tools} sources of ${customers} customers, ${batch} calls a request, ${seconds} s`);
reportIngestion(ingestion);
reportRatio('against a Fastify that only parses them', callsPerSecond, 'the same bodies', parsing.callsPerSecond, 'calls/s');
reportRatio('against PostgreSQL alone', callsPerSecond, `the same bodies, ${GROUP} an INSERT`, inserting, 'calls/s');
