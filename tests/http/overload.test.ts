import Fastify, { type FastifyInstance } from 'fastify';
import { Pool } from 'undici';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { boundLoad, type Load } from '../../src/http/requests/overload.ts';
import { eventually } from '../support/eventually.ts';

const FEWEST = 40;

let app: FastifyInstance;
let pool: Pool;
let load: Load;
let now: number;
let answerSlow: () => void;

beforeEach(async () => {
  app = Fastify();
  now = 1_000_000;
  load = boundLoad(app, { now: () => now, fewest: FEWEST });
  const held = new Promise<void>((resolve) => {
    answerSlow = resolve;
  });
  app.post('/slow', async () => held.then(() => ({ success: true })));
  for (const path of ['/quick', '/healthz']) app.get(path, async () => ({ success: true }));
  pool = new Pool(await app.listen({ host: '127.0.0.1', port: 0 }), { connections: 2 * FEWEST });
});

afterEach(async () => {
  answerSlow();
  await pool.close();
  await app.close();
});

type Answer = { status: number; retryAfter: string | string[] | undefined; body: unknown };

const ask = async (path: string, method: 'GET' | 'POST' = 'GET'): Promise<Answer> => {
  const json = { headers: { 'content-type': 'application/json' }, body: '{"calls": []}' };
  const { statusCode, headers, body } = await pool.request({ path, method, ...(method === 'POST' && json) });
  return { status: statusCode, retryAfter: headers['retry-after'], body: await body.json() };
};

const askTogether = (count: number): Promise<Answer>[] => Array.from({ length: count }, () => ask('/slow', 'POST'));
const isHolding = (count: number) => eventually(load.inFlight, (inFlight) => inFlight === count);

it('always accepts some concurrent requests, and rejects the others with Retry-After', async () => {
  const taken = askTogether(FEWEST);
  await isHolding(FEWEST);
  const refused = await Promise.all(askTogether(10));
  const problem = { success: false, error: 'The server is busy. Try again in a moment.', code: 'overloaded' };
  expect(refused.map(({ status, body }) => ({ status, body }))).toEqual(refused.map(() => ({ status: 503, body: problem })));
  expect(new Set(refused.map(({ retryAfter }) => Number(retryAfter)))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
  expect((await ask('/quick')).status).toBe(503);
  expect((await ask('/healthz')).status).toBe(200);

  answerSlow();
  expect(new Set((await Promise.all(taken)).map(({ status }) => status))).toEqual(new Set([200]));
  await isHolding(0);
  expect((await ask('/quick')).status).toBe(200);
});

it('accepts as many more as it answered in the last two seconds', async () => {
  for (let answered = 0; answered < FEWEST + 20; answered += 1) await ask('/quick');
  await isHolding(0);
  now += 1_000;
  const taken = askTogether(FEWEST + 20);
  await isHolding(FEWEST + 20);
  expect((await ask('/quick')).status).toBe(503);
  now += 3_000;
  expect((await ask('/quick')).status).toBe(503);
  answerSlow();
  expect(new Set((await Promise.all(taken)).map(({ status }) => status))).toEqual(new Set([200]));
});
