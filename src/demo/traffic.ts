import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import type { ApiCallsReply, RecordApiCalls } from '../contracts/apiCalls.ts';
import type { CliLogin, CliLoginReply } from '../contracts/cli.ts';
import type { CastUser } from './cast.ts';
import { type Random, seededRandom } from './random.ts';
import type { SeededCustomer } from './seed.ts';
import { callAt } from './yearOfUsage.ts';

/** A tick of every simulated developer; spread, so that the charts have a shape. */
const TICK_MS = 1_000;
/** How often a waiting task checks whether the demo ends. */
const LOOK_MS = 500;
const DEVELOPERS_A_CUSTOMER = 4;

/** Developers that sign in at the same time: few, so that a user's own sign-in gets through. */
const SIGN_INS = 4;
/** How soon a sign-in is repeated that was refused for now. */
const RETRY_MS = 1_000;
/** Refusals that pass: too many attempts from this address, and too much to do. */
const PASSING: ReadonlySet<number> = new Set([429, 503]);

type Identity = { customer: SeededCustomer; user: CastUser; machineId: string };
type Developer = { customer: SeededCustomer; sourceId: string; nextSequence: number; token: string; random: Random };

const post = (url: string, body: unknown, token?: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });

/** The first developers of every active customer come first, so that no customer waits for another's last one. */
const identitiesOf = (customers: readonly SeededCustomer[]): Identity[] => {
  const active = customers.filter(({ cast }) => cast.status === 'active');
  const developers = active.map((customer) =>
    customer.cast.users.flatMap((user): Identity[] => {
      const { status, role, machineId } = user;
      return status === 'active' && role !== 'stakeholder' && machineId !== null ? [{ customer, user, machineId }] : [];
    }),
  );
  return Array.from({ length: DEVELOPERS_A_CUSTOMER }, (_, index) => developers.flatMap((some) => some[index] ?? [])).flat();
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
    if (!PASSING.has(response.status)) return null;
    await pause(RETRY_MS, isStopped);
  }
  return null;
};

/** Waits, though not beyond the demo's end. */
const pause = async (ms: number, isStopped: () => boolean): Promise<void> => {
  const until = Date.now() + ms;
  while (!isStopped() && Date.now() < until) await delay(Math.min(LOOK_MS, until - Date.now()));
};

/** A developer comes and goes: some hold presence for minutes, some look in. `onFirst` is called once the first socket is open, or has failed. */
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
  const busyness = 0.02 + random.next() * 0.08;
  await delay(random.between(0, TICK_MS));
  for (let tick = random.between(0, 1_000); !isStopped(); tick++) {
    const wave = 1 + 0.6 * Math.sin(tick / 47) + 0.3 * Math.sin(tick / 11);
    const count = Math.floor(busyness * wave * 2 * random.next() + random.next()); // a fraction is a chance
    const at = new Date();
    const calls = Array.from({ length: count }, () => callAt(random, customer.cast, at));
    if (calls.length > 0) {
      const body: RecordApiCalls = { sourceId: developer.sourceId, firstSequence: developer.nextSequence, calls };
      const response = await post(`${url}/api/cli/api-calls`, body, developer.token).catch(() => null);
      if (response?.ok) developer.nextSequence = ((await response.json()) as ApiCallsReply).nextSequence;
      else await response?.body?.cancel();
    }
    await delay(TICK_MS);
  }
};

export type Traffic = Readonly<{
  /** Resolves once every developer who may sign in has done so and was connected. */
  connected: Promise<void>;
  /** Resolves once all of them have ended. */
  ended: Promise<void>;
}>;

/** Developers of every active customer sign in as the command-line tool does, come and go, and record calls until `isStopped`. */
export const startTraffic = (url: string, customers: readonly SeededCustomer[], isStopped: () => boolean): Traffic => {
  const random = seededRandom(Date.now());
  const waiting = identitiesOf(customers);
  const working: Promise<void>[] = [];
  const connecting: Promise<void>[] = [];
  const signInNext = async (): Promise<void> => {
    for (let identity = waiting.shift(); identity; identity = waiting.shift()) {
      const developer = await signIn(url, identity, { random, isStopped });
      if (!developer) continue;
      working.push(recordCalls(url, developer, isStopped));
      connecting.push(
        new Promise((onFirst) => {
          working.push(holdPresence(url, developer, { isStopped, onFirst }));
        }),
      );
    }
  };
  const signedIn = Promise.all(Array.from({ length: SIGN_INS }, signInNext));
  return {
    connected: signedIn.then(() => Promise.all(connecting)).then(() => undefined),
    ended: signedIn.then(() => Promise.all(working)).then(() => undefined),
  };
};
