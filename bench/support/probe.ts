import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { bearer, callerOf, type Tool } from './apiClients.ts';
import { callsJson } from './calls.ts';

const BATCH = 100;
const INTERVAL_MS = 500;
const POLL_MS = 20;

/** `lags`: ms from the reply to a recording until a GET of the customer's usage includes its calls. `recorded`: number of calls. */
export type ProbeResult = { lags: number[]; recorded: number };

/** Records a batch at intervals with its own tool, and polls the customer's usage until it includes the batch. */
export const startProbe = async (url: string, { token, licenseKey }: Tool): Promise<{ stop: () => Promise<ProbeResult> }> => {
  const agent = new Agent({ connections: 1 });
  const { token: portal } = await callerOf(url, {})('POST', '/api/auth/customer/login', { licenseKey });
  const lags: number[] = [];
  let recorded = 0;
  let isStopped = false;

  const shown = async (): Promise<number> => {
    const reply = await agent.request({ origin: url, path: '/api/customer/usage?days=7', method: 'GET', headers: bearer(portal) });
    const { usage } = (await reply.body.json()) as { usage: { totalApiCalls: number } };
    return usage.totalApiCalls;
  };

  const record = async (): Promise<void> => {
    const body = `{"sourceId":"probe","firstSequence":${recorded + 1},"calls":${callsJson(BATCH, { variant: 0, until: Date.now() })}}`;
    const headers = { ...bearer(token), 'content-type': 'application/json' };
    const reply = await agent.request({ origin: url, path: '/api/cli/api-calls', method: 'POST', headers, body });
    await reply.body.text();
    if (reply.statusCode !== 202) return; // rejected; the next interval retries
    const acknowledged = performance.now();
    recorded += BATCH;
    while ((await shown()) < recorded) await delay(POLL_MS);
    lags.push(performance.now() - acknowledged);
  };

  const run = async (): Promise<void> => {
    while (!isStopped) {
      const begun = performance.now();
      await record();
      await delay(Math.max(0, INTERVAL_MS - (performance.now() - begun)));
    }
  };

  const running = run();
  return {
    stop: async () => {
      isStopped = true;
      await running;
      await agent.close();
      return { lags, recorded };
    },
  };
};
