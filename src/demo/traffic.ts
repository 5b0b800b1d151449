import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import type { ApiCallsReply, RecordApiCalls } from '../contracts/apiCalls.ts';
import type { CliLogin, CliLoginReply } from '../contracts/cli.ts';
import { forEachConcurrently } from '../flow/concurrency.ts';
import { type Random, seededRandom } from './random.ts';
import type { SeededCustomer } from './seed.ts';
import type { UserSpec } from './specs.ts';
import { callAt } from './yearOfUsage.ts';

/** The interval at which each simulated developer records calls. */
const TICK_MS = 1_000;
/** How often a waiting task checks whether the demo ends. */
const CHECK_MS = 500;
const DEVELOPERS_PER_CUSTOMER = 4;

/** Concurrent sign-ins: few, so that a sign-in in the browser is not throttled. */
const SIGN_INS = 4;
/** The delay before a sign-in is retried. */
const RETRY_MS = 1_000;
/** Too many attempts from this address, and an overloaded server. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 503]);

type Identity = { customer: SeededCustomer; user: UserSpec; machineId: string };
type Developer = { customer: SeededCustomer; sourceId: string; nextSequence: number; token: string; random: Random };

const post = (url: string, body: unknown, token?: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });

/** The first developer of each active customer, then the second of each, so that all customers have connected tools early. */
const identitiesOf = (customers: readonly SeededCustomer[]): Identity[] => {
  const active = customers.filter(({ spec }) => spec.status === 'active');
  const developers = active.map((customer) =>
    customer.spec.users.flatMap((user): Identity[] => {
      const { status, role, machineId } = user;
      return status === 'active' && role !== 'stakeholder' && machineId !== null ? [{ customer, user, machineId }] : [];
    }),
  );
  return Array.from({ length: DEVELOPERS_PER_CUSTOMER }, (_, index) => developers.flatMap((some) => some[index] ?? [])).flat();
};

/** Null if the user may not sign in, for example since it was suspended in the console. */
const signIn = async (
  url: string,
  { customer, user, machineId }: Identity,
  { random, isStopped }: { random: Random; isStopped: () => boolean },
): Promise<Developer | null> => {
  const { username, email } = user;
  const login: CliLogin = { licenseKey: customer.licenseKey, username, email, machineId };
  while (!isStopped()) {
    const response = await post(`${url}/api/cli/login`, login);
    if (response.ok) {
      const { token } = (await response.json()) as CliLoginReply;
      return { customer, sourceId: `demo-${hostname()}-${username}-${Date.now()}`, nextSequence: 1, token, random };
    }
    await response.body?.cancel();
    if (!RETRYABLE.has(response.status)) return null;
    await pause(RETRY_MS, isStopped);
  }
  return null;
};

/** Waits, but at most until the demo ends. */
const pause = async (ms: number, isStopped: () => boolean): Promise<void> => {
  const until = Date.now() + ms;
  while (!isStopped() && Date.now() < until) await delay(Math.min(CHECK_MS, until - Date.now()));
};

/** Connects and disconnects a developer's tool at random intervals. Calls `onFirst` once the first socket is accepted or has failed. */
const holdPresence = async (
  url: string,
  { token, random }: Developer,
  { isStopped, onFirst }: { isStopped: () => boolean; onFirst: () => void },
): Promise<void> => {
  while (!isStopped()) {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/cli/connect`);
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', token, connectionId: crypto.randomUUID() })));
    socket.once('message', onFirst);
    socket.once('close', onFirst);
    socket.on('error', () => socket.terminate());
    await pause(random.between(20_000, 240_000), isStopped);
    socket.close();
    await pause(random.between(2_000, 60_000), isStopped);
  }
  onFirst();
};

const recordCalls = async (url: string, developer: Developer, isStopped: () => boolean): Promise<void> => {
  const { customer, random } = developer;
  const callRate = 0.02 + random.next() * 0.08;
  await delay(random.between(0, TICK_MS));
  for (let tick = random.between(0, 1_000); !isStopped(); tick++) {
    const wave = 1 + 0.6 * Math.sin(tick / 47) + 0.3 * Math.sin(tick / 11);
    const count = Math.floor(callRate * wave * 2 * random.next() + random.next()); // a fraction is a chance
    const at = new Date();
    const calls = Array.from({ length: count }, () => callAt(random, customer.spec, at));
    if (calls.length > 0) {
      const body: RecordApiCalls = { sourceId: developer.sourceId, firstSequence: developer.nextSequence, calls };
      const response = await post(`${url}/api/cli/api-calls`, body, developer.token).catch(() => null);
      if (response?.ok) developer.nextSequence = ((await response.json()) as ApiCallsReply).nextSequence;
      else await response?.body?.cancel();
    }
    await delay(TICK_MS);
  }
};

/** The simulated developers, who report API calls until they are ended. */
export type Traffic = Readonly<{
  /** Resolves once every developer who may sign in has done so and was connected. */
  connected: Promise<void>;
  /** Resolves once all of them have ended. */
  ended: Promise<void>;
}>;

/** Developers of every active customer sign in as the command-line tool does, connect, and record calls until `isStopped`. */
export const startTraffic = (url: string, customers: readonly SeededCustomer[], isStopped: () => boolean): Traffic => {
  const random = seededRandom(Date.now());
  const working: Promise<void>[] = [];
  const connecting: Promise<void>[] = [];
  const signedIn = forEachConcurrently(identitiesOf(customers), SIGN_INS, async (identity) => {
    const developer = await signIn(url, identity, { random, isStopped });
    if (!developer) return;
    working.push(recordCalls(url, developer, isStopped));
    connecting.push(
      new Promise((onFirst) => {
        working.push(holdPresence(url, developer, { isStopped, onFirst }));
      }),
    );
  });
  return {
    connected: signedIn.then(() => Promise.all(connecting)).then(() => undefined),
    ended: signedIn.then(() => Promise.all(working)).then(() => undefined),
  };
};
