import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { callsJson } from './calls.ts';
import { bearer, callerOf, type Tool } from './people.ts';

const BATCH = 100;
const EVERY_MS = 500;
const LOOK_EVERY_MS = 20;

/** `lags` in ms: from the answer that a batch is recorded until a GET of the customer's usage shows it. `recorded` in calls. */
export type Watch = { lags: number[]; recorded: number };

/** Records a batch now and then as a tool that nobody else is, and looks until the customer's usage shows it. */
export const startProbe = async (url: string, { token, licenseKey }: Tool): Promise<{ stop: () => Promise<Watch> }> => {
  const agent = new Agent({ connections: 1 });
  const { token: portal } = await callerOf(url, {})('POST', '/api/auth/customer/login', { licenseKey });
  const lags: number[] = [];
  let recorded = 0;
  let isOver = false;

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
    if (reply.statusCode !== 202) return; // told to come back, and does
    const acknowledged = performance.now();
    recorded += BATCH;
    while ((await shown()) < recorded) await delay(LOOK_EVERY_MS);
    lags.push(performance.now() - acknowledged);
  };

  const run = async (): Promise<void> => {
    while (!isOver) {
      const begun = performance.now();
      await record();
      await delay(Math.max(0, EVERY_MS - (performance.now() - begun)));
    }
  };

  const running = run();
  return {
    stop: async () => {
      isOver = true;
      await running;
      await agent.close();
      return { lags, recorded };
    },
  };
};
