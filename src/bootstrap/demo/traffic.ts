import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import type { ApiCallsReply, RecordApiCalls } from '../../contracts/apiCalls.ts';
import type { CliLogin, CliLoginReply } from '../../contracts/cli.ts';
import { type Random, seededRandom } from './random.ts';
import type { SeededCustomer } from './seed.ts';
import { callAt } from './yearOfUsage.ts';

/** A tick of every simulated developer; spread, so that the charts have a shape. */
const TICK_MS = 1_000;
/** How often who waits looks whether the demo ends. */
const LOOK_MS = 500;
const DEVELOPERS_A_CUSTOMER = 4;

type Developer = { customer: SeededCustomer; sourceId: string; nextSequence: number; token: string; random: Random };

const post = async <Reply>(url: string, body: unknown, token?: string): Promise<Reply | null> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  return response.ok ? ((await response.json()) as Reply) : null;
};

const signIn = async (url: string, customer: SeededCustomer, index: number, random: Random): Promise<Developer | null> => {
  const user = customer.cast.users.filter(({ status, role }) => status === 'active' && role !== 'stakeholder')[index];
  if (!user || user.machineId === null) return null;
  const login: CliLogin = {
    licenseKey: customer.licenseKey,
    username: user.username,
    email: user.email,
    machineId: user.machineId,
  };
  const reply = await post<CliLoginReply>(`${url}/api/cli/login`, login);
  if (!reply) return null;
  return { customer, sourceId: `demo-${hostname()}-${user.username}-${Date.now()}`, nextSequence: 1, token: reply.token, random };
};

/** Waits, though not beyond the demo's end. */
const pause = async (ms: number, isStopped: () => boolean): Promise<void> => {
  const until = Date.now() + ms;
  while (!isStopped() && Date.now() < until) await delay(Math.min(LOOK_MS, until - Date.now()));
};

/** A developer comes and goes: some hold presence for minutes, some look in. */
const holdPresence = async (url: string, { token, random }: Developer, isStopped: () => boolean): Promise<void> => {
  while (!isStopped()) {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/cli/connect`);
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', token, connectionId: crypto.randomUUID() })));
    socket.on('error', () => socket.terminate());
    await pause(random.between(20_000, 240_000), isStopped);
    socket.close();
    await pause(random.between(2_000, 60_000), isStopped);
  }
};

const recordCalls = async (url: string, developer: Developer, isStopped: () => boolean): Promise<void> => {
  const { customer, random } = developer;
  const busyness = 0.05 + random.next() * 0.3;
  await delay(random.between(0, TICK_MS));
  for (let tick = random.between(0, 1_000); !isStopped(); tick++) {
    const wave = 1 + 0.6 * Math.sin(tick / 47) + 0.3 * Math.sin(tick / 11);
    const count = Math.floor(busyness * wave * 2 * random.next() + random.next()); // a fraction is a chance
    const at = new Date();
    const calls = Array.from({ length: count }, () => callAt(random, customer.cast, at)).filter((call) => call !== null);
    if (calls.length > 0) {
      const body: RecordApiCalls = { sourceId: developer.sourceId, firstSequence: developer.nextSequence, calls };
      const reply = await post<ApiCallsReply>(`${url}/api/cli/api-calls`, body, developer.token).catch(() => null);
      if (reply) developer.nextSequence = reply.nextSequence;
    }
    await delay(TICK_MS);
  }
};

/** Developers of every active customer sign in as the command-line tool does, come and go, and record calls until told to stop. */
export const runTraffic = async (url: string, customers: readonly SeededCustomer[], isStopped: () => boolean): Promise<void> => {
  const random = seededRandom(Date.now());
  const developers: Developer[] = [];
  for (const customer of customers.filter(({ cast }) => cast.status === 'active')) {
    for (let index = 0; index < DEVELOPERS_A_CUSTOMER; index++) {
      const developer = await signIn(url, customer, index, random);
      if (developer) developers.push(developer);
    }
  }
  await Promise.all(
    developers.flatMap((developer) => [recordCalls(url, developer, isStopped), holdPresence(url, developer, isStopped)]),
  );
};
