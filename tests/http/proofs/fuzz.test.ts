import fc from 'fast-check';
import { type Dispatcher, Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem } from '../../../src/contracts/replies.ts';
import { startHostileProvider } from '../../support/hostileProvider.ts';
import type { TestServer } from '../../support/server.ts';
import { createFuzzTargets, type FuzzTargets } from './fuzzTargets.ts';
import { CONFIGURED_ORIGIN, type Input, inputsOf, type Known } from './inputs.ts';
import { type LogoHost, startLogoHost } from './logoHost.ts';
import { nameOf, openServerWithRoutes, type Route } from './registeredRoutes.ts';

/** Inputs a route; FUZZ_RUNS=10000 for a night, FUZZ_ROUTES for those whose name matches, FUZZ_SEED for other inputs. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 1);
/** Of five inputs or more, after the first. */
const ROUNDS = 26;
const ROUTES = new RegExp(process.env.FUZZ_ROUTES ?? '');
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const AT_ONCE = 16;
/** Inputs to a thing that a route deletes. */
const INPUTS_A_THING = 25;
/**
 * A socket is opened by an upgrade: anything else is not found there. Passkeys have no IP address, and each call needs a new signature:
 * `tests/http/passkeys.test.ts` has those.
 */
const ALWAYS_REFUSED = [
  'GET /api/cli/connect',
  // A download is found by the cookie of its preparation only: tests/http/downloads.test.ts.
  'GET /api/downloads/:downloadId',
  'POST /api/auth/passkey/options',
  'POST /api/auth/admin/passkey-login',
  'POST /api/auth/service-integrator/passkey-login',
  'POST /api/auth/customer/passkey-login',
  'POST /api/auth/join/passkey-options',
  'POST /api/account/passkeys',
  'POST /api/account/passkeys/creation-options',
  'POST /api/account/passkeys/confirmation-options',
  'POST /api/account/passkeys/:passkeyId/remove',
  // A device code is accepted after an approval only: tests/http/deviceSignIn.test.ts.
  'POST /api/cli/device/token',
  'POST /api/auth/admin/openid/callback',
  'POST /api/auth/service-integrator/openid/callback',
  'POST /api/auth/customer/openid/callback',
  'POST /api/auth/reauthenticate/openid',
];
const METRICS_TOKEN = 'a-token-of-the-scraper';

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);

let server: TestServer;
let routes: Route[];
let identityProvider: Awaited<ReturnType<typeof startHostileProvider>>;
let targets: FuzzTargets;
let logoHost: LogoHost;
/** What proves custom domains, as TXT records by name. */
const txtRecords = new Map<string, string>();
/** Sends an address as it is, and costs less than fetch. */
let pool: Pool;

beforeAll(async () => {
  process.on('unhandledRejection', onUnhandled);
  logoHost = await startLogoHost();
  ({ server, routes } = await openServerWithRoutes(
    { TRUST_PROXY: 'loopback', PUBLIC_ORIGINS: CONFIGURED_ORIGIN, CREDENTIAL_TEST_ALLOW: '127.0.0.1/32', METRICS_TOKEN },
    { logoRoots: logoHost.roots, resolveTxt: async (name) => [[txtRecords.get(name) ?? 'another record']] },
  ));
  identityProvider = await startHostileProvider('any');
  targets = await createFuzzTargets(server, { metricsToken: METRICS_TOKEN, logoHost, txtRecords, issuer: identityProvider.url });
  pool = new Pool(server.url, { connections: AT_ONCE, headersTimeout: 60_000, bodyTimeout: 60_000 });
});

afterAll(async () => {
  process.off('unhandledRejection', onUnhandled);
  await pool.destroy();
  await server.close();
  await logoHost.close();
  await identityProvider.close();
});

const complaintOf = (status: number, type: string | string[] | undefined, text: string): string | null => {
  if (status >= 500) return `${status} ${text}`;
  if (status < 400) return null;
  if (type !== 'application/json; charset=utf-8') return `${status} of another type: ${text}`;
  const parsed = problem.strict().safeParse(JSON.parse(text));
  if (!parsed.success || parsed.data.error === '') return `${status} in another form: ${text}`;
  return /\n {4}at |node_modules|select |insert /.test(text) ? `${status} discloses internals: ${text}` : null;
};

/** The error in a reply, null if it is correct; and its status. */
const answerTo = async (route: Route, input: Input): Promise<{ status: number; complaint: string | null }> => {
  const { statusCode, headers, body } = await pool.request({
    path: `${input.path}${input.query}`,
    method: route.method as Dispatcher.HttpMethod,
    headers: { ...(await targets.headersFor(route)), ...input.headers },
    ...(input.body !== undefined && { body: input.body }),
  });
  return { status: statusCode, complaint: complaintOf(statusCode, headers['content-type'], await body.text()) };
};

/** What only looks comes first, while streams are short; what may end a thing that others need, comes last. */
const turnOf = ({ method, url }: Route): number => {
  if (method === 'GET') return 0;
  if (url === '/api/service-integrator/rotate-key') return 3;
  if (url === '/api/sessions/revoke-others') return 4; // it ends all other sessions of the administration
  if (url === '/api/team/policy') return 5; // it can end the sessions of the key
  return method === 'DELETE' ? 2 : 1;
};

type Tally = { complaints: string[]; statuses: Map<number, number> };

/** Sends inputs that name what is known, and adds their answers to `tally`. */
const fuzz = async (
  route: Route,
  known: Known,
  { numRuns, seed }: { numRuns: number; seed: number },
  tally: Tally,
): Promise<void> => {
  const inputs = fc.sample(inputsOf(route, known), { numRuns, seed });
  const worker = async (): Promise<void> => {
    for (let input = inputs.pop(); input; input = inputs.pop()) {
      const sent = input;
      const answer = () =>
        answerTo(route, sent).catch((error: unknown) => ({ status: 0, complaint: `no answer: ${String(error)}` }));
      let { status, complaint } = await answer();
      if (status === 429) {
        await targets.forgetFailures();
        ({ status, complaint } = await answer());
      }
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      if (complaint) tally.complaints.push(`${complaint.slice(0, 300)} to ${JSON.stringify(sent).slice(0, 800)}`);
    }
  };
  // A tenant may have four connection tests at work, and two imports.
  const isTest = /^\/api\/(credentials|team\/identity-provider)(\/|$)/.test(route.url);
  const workers = route.url.endsWith('/import') ? 1 : isTest ? 3 : AT_ONCE;
  await Promise.all(Array.from({ length: workers }, worker));
};

/** As `GET /healthz: 200 x 190, 404 x 10`. */
const lineOf = (route: Route, { statuses }: Tally): string => {
  const counts = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${status} x ${count}`);
  return `${nameOf(route)}: ${counts.join(', ')}`;
};

const countOf = ({ statuses }: Tally, isMeant: (status: number) => boolean): number =>
  [...statuses].reduce((sum, [status, count]) => sum + (isMeant(status) ? count : 0), 0);
const shareOf = (tally: Tally, isMeant: (status: number) => boolean): number =>
  countOf(tally, isMeant) / countOf(tally, () => true);
const succeeded = (tally: Tally): boolean => countOf(tally, (status) => status < 400) > 0;

describe(`inputs of a route (${RUNS}, or more until one succeeds)`, () => {
  it('get a success or a problem of the standard form, never a server error', async () => {
    const chosen = routes.filter((route) => route.method !== 'HEAD' && ROUTES.test(nameOf(route)));
    const ordered = chosen.toSorted((one, other) => turnOf(one) - turnOf(other));
    const complaints: [route: string, count: number, first: string][] = [];
    const neverDone: string[] = [];
    const turnedAway: string[] = [];
    for (const route of ordered) {
      const tally: Tally = { complaints: [], statuses: new Map() };
      const isRefused = ALWAYS_REFUSED.includes(nameOf(route));
      // Some things can be made only once.
      const known = await targets.knownFor(route, Math.ceil(RUNS / INPUTS_A_THING));
      await fuzz(route, known, { numRuns: RUNS, seed: SEED }, tally);
      // Few inputs may all be invalid: more of them follow until one succeeds.
      for (let round = 1; round < (isRefused ? 1 : ROUNDS) && !succeeded(tally); round += 1) {
        await fuzz(route, known, { numRuns: Math.max(RUNS, 5), seed: SEED + round - 1 }, tally);
      }
      const [first] = tally.complaints;
      if (first) complaints.push([nameOf(route), tally.complaints.length, first]);
      if (!isRefused && !succeeded(tally)) neverDone.push(nameOf(route));
      if (shareOf(tally, (status) => status === 429 || status === 503) > 0.2) turnedAway.push(lineOf(route, tally));
      process.stderr.write(`${lineOf(route, tally)}${first ? `; wrong: ${first}` : ''}\n`);
    }
    expect(complaints).toEqual([]);
    expect(unhandled).toEqual([]);
    expect(turnedAway).toEqual([]);
    expect(neverDone).toEqual([]);
    expect((await targets.accounts.anonymous.get('/readyz')).status).toBe(200);
    process.stderr.write(`Fuzzed ${ordered.length} routes with ${RUNS} inputs each\n`);
  }, 7_200_000);
});
