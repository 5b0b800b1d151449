import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { GUESSES } from '../../src/security/signInPermits.ts';
import { asAdmin, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { ADMIN_KEY } from '../support/keys.ts';
import { openServer, type TestServer } from '../support/server.ts';

/** How long addresses guess, and the number of correct sign-ins in that time; GUESSING_MINUTES=10 for the long run. */
const MINUTES = Number(process.env.GUESSING_MINUTES ?? 0.1);
const SIGN_INS = Number(process.env.GUESSING_SIGN_INS ?? Math.min(1_000, Math.round(100 * MINUTES * 4)));
const ADDRESSES = 100;
/** Guesses that an address sends at the same time at first, and then every few seconds. */
const BURST = 12;
const EVERY_MS = 6_000;
const DURATION_MS = MINUTES * 60_000;
const WINDOW_MS = 60_000;

type Answer = { status: number; sentAt: number; answeredAt: number };

let server: TestServer;
/** Of those who guess, and of the others: their requests do not queue for the same connections. */
let guessing: Pool[];
let signingIn: Pool[];
let customer: Customer;
let integrator: ServiceIntegrator;

beforeAll(async () => {
  server = await openServer({ TRUST_PROXY: 'loopback' });
  const other = await server.openNode();
  [guessing, signingIn] = [100, 20].map((connections) => [server.url, other.url].map((url) => new Pool(url, { connections }))) as [
    Pool[],
    Pool[],
  ];
  const admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  customer = await newCustomer(admin, integrator.id, { developerSeats: -1 });
});

afterAll(async () => {
  await Promise.all([...guessing, ...signingIn].map((pool) => pool.destroy()));
  await server.close();
});

let sent = 0;
const post = async (pools: readonly Pool[], path: string, address: string, body: object): Promise<Answer> => {
  const pool = pools[sent++ % pools.length] as Pool;
  const sentAt = performance.now();
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
  const reply = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(body) });
  await reply.body.dump();
  return { status: reply.statusCode, sentAt, answeredAt: performance.now() };
};

const letters = (): string => Math.random().toString(32).slice(2, 7).toUpperCase().padEnd(5, '0');

/** Guesses of one address, in bursts, until the time is over. */
const guess = async (address: string, index: number, until: number): Promise<Answer[]> => {
  const answers: Answer[] = [];
  const pools = guessing;
  const guessOnce = (attempt: number): Promise<Answer> =>
    (index + attempt) % 4 === 0
      ? post(pools, '/api/auth/admin/login', address, { adminKey: `guess-${letters()}` })
      : post(pools, '/api/auth/customer/login', address, { licenseKey: `LK-ENT-${letters().slice(0, 4)}-${letters()}` });
  while (performance.now() < until) {
    answers.push(...(await Promise.all(Array.from({ length: BURST }, (_, attempt) => guessOnce(attempt)))));
    await sleep(Math.min(EVERY_MS, Math.max(0, until - performance.now())));
  }
  return answers;
};

const signIn = (index: number): Promise<Answer> => {
  const pools = signingIn;
  // Half of them share a /24 with those who guess.
  const address = index % 2 === 0 ? `198.51.100.${150 + (index % 100)}` : `203.0.${index % 250}.7`;
  const { licenseKey } = customer;
  const tool = { username: `user-${index % 20}`, email: `user-${index % 20}@acme.example`, machineId: `machine-${index % 20}` };
  switch (index % 4) {
    case 0:
      return post(pools, '/api/auth/admin/login', address, { adminKey: ADMIN_KEY });
    case 1:
      return post(pools, '/api/auth/customer/login', address, { licenseKey });
    case 2:
      return post(pools, '/api/auth/service-integrator/login', address, { masterLicenseKey: integrator.masterLicenseKey });
    default:
      return post(pools, '/api/cli/login', address, { licenseKey, ...tool });
  }
};

const signInEvenly = async (startedAt: number): Promise<Answer[]> =>
  Promise.all(
    Array.from({ length: SIGN_INS }, async (_, index) => {
      await sleep(Math.max(0, startedAt + (index * DURATION_MS) / SIGN_INS - performance.now()));
      return signIn(index);
    }),
  );

/** Most guesses that were evaluated within any minute: a reply comes after its permit was spent, a request before its permit was taken. */
const mostWithinAMinute = (answers: readonly Answer[]): number => {
  const evaluated = answers.filter(({ status }) => status === 401).sort((one, other) => one.sentAt - other.sentAt);
  let most = 0;
  evaluated.forEach((first, from) => {
    most = Math.max(most, evaluated.slice(from).filter(({ answeredAt }) => answeredAt - first.sentAt < WINDOW_MS).length);
  });
  return most;
};

const quantile = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);

it(
  `${ADDRESSES} addresses that guess for ${MINUTES} min have at most ten guesses a minute evaluated, and none of ${SIGN_INS} correct sign-ins is rejected`,
  async () => {
    const startedAt = performance.now();
    const until = startedAt + DURATION_MS;
    const [signIns, ...guesses] = await Promise.all([
      signInEvenly(startedAt),
      ...Array.from({ length: ADDRESSES }, (_, index) => guess(`198.51.100.${index}`, index, until)),
    ]);
    const all = guesses.flat();
    const evaluated = guesses.map((answers) => answers.filter(({ status }) => status === 401).length);
    const most = Math.max(...guesses.map(mostWithinAMinute));
    const took = signIns.map(({ sentAt, answeredAt }) => answeredAt - sentAt).sort((one, other) => one - other);
    const minutes = (performance.now() - startedAt) / 60_000;
    process.stderr.write(
      `${minutes.toFixed(1)} min, ${ADDRESSES} addresses: ${all.length} guesses, ${evaluated.reduce((sum, n) => sum + n, 0)} evaluated, ` +
        `at most ${most} of an address within a minute; ${signIns.length} correct sign-ins, ` +
        `${signIns.filter(({ status }) => status !== 200).length} rejected, p50 ${quantile(took, 0.5)} ms, p99 ${quantile(took, 0.99)} ms, ` +
        `longest ${quantile(took, 1)} ms\n`,
    );
    expect(signIns.filter(({ status }) => status !== 200)).toEqual([]);
    expect(all.filter(({ status }) => status !== 401 && status !== 429)).toEqual([]);
    expect(Math.min(...evaluated)).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(GUESSES.address);
  },
  DURATION_MS + 300_000,
);
