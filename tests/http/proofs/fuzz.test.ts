import fc from 'fast-check';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem } from '../../../src/contracts/replies.ts';
import { asTool, type Client, newCustomer, newIntegrator } from '../../support/apiClient.ts';
import { ADMIN_KEY, type TestServer } from '../../support/server.ts';
import { type Cast, gather, MISSING } from './cast.ts';
import { type Input, inputsOf, type Known } from './inputs.ts';
import { nameOf, openServerWithRoutes, type Route } from './registeredRoutes.ts';

/** Inputs a route; FUZZ_RUNS=10000 for a night, FUZZ_ROUTES for those whose name matches, FUZZ_SEED for other inputs. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 200);
const ROUTES = new RegExp(process.env.FUZZ_ROUTES ?? '');
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const AT_ONCE = 16;

const agent = new Agent({ connections: AT_ONCE, headersTimeout: 60_000, bodyTimeout: 60_000 });
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);

let server: TestServer;
let routes: Route[];
let cast: Cast;
/** What may be changed and deleted without ending anybody's session here, and what is somebody else's or nobody's. */
let known: Known;

beforeAll(async () => {
  process.on('unhandledRejection', onUnhandled);
  ({ server, routes } = await openServerWithRoutes({ TRUST_PROXY: 'loopback' }));
  cast = await gather(server.url);
  const { admin, mine, theirs } = cast;
  const spare = await newCustomer(admin, mine.ids.integrator, { name: 'Spare', developerSeats: -1 });
  const user = await asTool(server.url, mine.customer, 'spare');
  const integrator = await newIntegrator(admin, { companyName: 'Spare' });
  const theme = await mine.partner.post('/api/service-integrator/themes', {
    themeName: 'spare',
    displayName: 'Spare',
    primaryColor: '#0070AD',
  });
  known = {
    ids: {
      customerId: [spare.id, theirs.ids.customer, MISSING],
      userId: [user.userId, theirs.ids.user, MISSING],
      integratorId: [integrator.id, MISSING],
      serviceIntegratorId: [mine.ids.integrator, MISSING],
      themeId: [theme.body.theme.id, theirs.ids.theme, MISSING],
      credentialId: [mine.ids.credential, theirs.ids.credential, MISSING],
      name: ['aurora', 'neon'],
      file: ['index.html', 'swagger-ui.css', '../package.json'],
    },
    values: {
      licenseKey: [spare.licenseKey, spare.licenseKey.toLowerCase(), 'LK-ENT-0000-00000'],
      masterLicenseKey: [mine.integrator.masterLicenseKey, 'LK-SI-0000-00000'],
      adminKey: [ADMIN_KEY, ` ${ADMIN_KEY} `],
      theme: ['aurora', 'spare', theme.body.theme.id, theirs.ids.theme, null],
      currentPassword: [mine.customer.licenseKey, 'a new password'],
      newPassword: ['a new password', mine.customer.licenseKey],
    },
  };
});

afterAll(async () => {
  process.off('unhandledRejection', onUnhandled);
  await agent.destroy();
  await server.close();
});

const clientFor = ({ audience }: Route): Client => {
  const { admin, mine, nobody } = cast;
  const [kind = 'public'] = audience;
  return { admin, integrator: mine.partner, customer: mine.portal, cli: mine.tool, public: nobody }[kind];
};

/** What is wrong with an answer; null when nothing is. */
const complaintOf = async (route: Route, input: Input): Promise<string | null> => {
  const response = await fetch(`${server.url}${input.path}${input.query}`, {
    method: route.method,
    headers: { ...clientFor(route).headers, ...input.headers },
    redirect: 'manual',
    dispatcher: agent,
    ...(input.body !== undefined && { body: input.body }),
  });
  const text = await response.text();
  const { status } = response;
  if (status >= 500) return `${status} ${text}`;
  if (status < 400 || route.method === 'HEAD') return null;
  if (response.headers.get('content-type') !== 'application/json; charset=utf-8') return `${status} of another type: ${text}`;
  const parsed = problem.strict().safeParse(JSON.parse(text));
  if (!parsed.success || parsed.data.error === '') return `${status} in another form: ${text}`;
  return /\n {4}at |node_modules|select |insert /.test(text) ? `${status} tells too much: ${text}` : null;
};

/** What ends a thing or a session that others need, comes last. */
const turnOf = ({ method, url }: Route): number => {
  if (url.endsWith('/logout')) return 3;
  if (url === '/api/service-integrator/rotate-key') return 2;
  return method === 'DELETE' ? 1 : 0;
};

const complaintsOf = async (route: Route): Promise<string[]> => {
  const inputs = fc.sample(inputsOf(route, known), { numRuns: RUNS, seed: SEED });
  const complaints: string[] = [];
  const worker = async (): Promise<void> => {
    for (let input = inputs.pop(); input; input = inputs.pop()) {
      const complaint = await complaintOf(route, input).catch((error: unknown) => `no answer: ${String(error)}`);
      if (complaint) complaints.push(`${complaint.slice(0, 300)} to ${JSON.stringify(input).slice(0, 800)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return complaints;
};

describe(`${RUNS} inputs a route`, () => {
  it('are answered by what they lead to or by a problem of the one form, and by no error of the server', async () => {
    const chosen = routes.filter((route) => route.method !== 'HEAD' && ROUTES.test(nameOf(route)));
    const ordered = chosen.toSorted((one, other) => turnOf(one) - turnOf(other));
    const complaints: [route: string, count: number, first: string][] = [];
    for (const route of ordered) {
      const found = await complaintsOf(route);
      if (found[0]) complaints.push([nameOf(route), found.length, found[0]]);
    }
    expect(complaints).toEqual([]);
    expect(unhandled).toEqual([]);
    expect((await cast.nobody.get('/readyz')).status).toBe(200);
    process.stderr.write(`Fuzzed ${ordered.length} routes with ${RUNS} inputs each\n`);
  }, 7_200_000);
});
