import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
} from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';

/** Inputs a call; FUZZ_RUNS=10000 for a night. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 15);

type Kind = 'nobody' | 'admin' | 'integrator' | 'customer' | 'tool';
type Schema = { properties?: Record<string, Schema>; enum?: string[]; type?: string | string[]; anyOf?: Schema[] };
type Operation = {
  security?: Record<string, unknown>[];
  parameters?: { in: string; name: string; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
};

let server: TestServer;
let as: Record<Kind, Client>;
let ids: string[];
let paths: Record<string, Record<string, Operation>>;

beforeAll(async () => {
  server = await openServer();
  const admin = await asAdmin(server.url);
  const integrator = await newIntegrator(admin);
  const customer = await newCustomer(admin, integrator.id);
  as = {
    nobody: clientOf(server.url),
    admin,
    integrator: await asIntegrator(server.url, integrator),
    customer: await asCustomer(server.url, customer),
    tool: await asTool(server.url, customer),
  };
  const spare = await newIntegrator(admin, { companyName: 'Spare' });
  ids = [(await newCustomer(admin, spare.id)).id, spare.id, (await asTool(server.url, await newCustomer(admin, spare.id))).userId];
  paths = (await as.nobody.get('/api/openapi.json')).body.paths;
});

afterAll(() => server.close());

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    "'; drop table read.customer; --",
    '%',
    '_',
    '\\',
    '{{7*7}}',
    '-1',
    '1e309',
    'NaN',
    '9'.repeat(400),
    'x'.repeat(3_000),
    '2026-02-30T00:00:00Z',
    '99999-01-01T00:00:00Z',
    'https://[::1',
    'https://exa mple',
    'a@b.co',
    '#0070AD',
    'true',
    'null',
    '../../etc/passwd',
    '\u202e',
  ),
);
const anyJson = fc.oneof(nasty, fc.jsonValue(), fc.integer(), fc.double(), fc.constantFrom(null, true, [], {}, [[]], 2 ** 53, -0));

const valuesOf = ({ enum: values, anyOf = [] }: Schema): fc.Arbitrary<unknown> =>
  fc.oneof(...(values ? [fc.constantFrom(...values)] : []), ...anyOf.map(valuesOf), anyJson, fc.constantFrom(...ids));

const bodyOf = (schema: Schema): fc.Arbitrary<unknown> => {
  const fields = Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, valuesOf(field)]));
  return fc.oneof({ weight: 5, arbitrary: fc.record(fields, { requiredKeys: [] }) }, { weight: 1, arbitrary: anyJson });
};

/** Half characters cannot be part of an address. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

/** What would end a session that the others need. */
const FATAL = /logout|rotate-key/;

it(`no call answers any of ${RUNS} inputs with an error of its own`, async () => {
  const worst: string[] = [];
  for (const [path, methods] of Object.entries(paths)) {
    if (FATAL.test(path)) continue;
    for (const [method, { security = [], parameters = [], requestBody }] of Object.entries(methods)) {
      const kind = (security.flatMap((scheme) => Object.keys(scheme))[0] ?? 'nobody') as Kind;
      const queries = parameters.filter((parameter) => parameter.in === 'query');
      const input = fc.record({
        place: fc.oneof(fc.constantFrom(...ids), nasty),
        query: fc.record(Object.fromEntries(queries.map(({ name, schema }) => [name, valuesOf(schema)])), { requiredKeys: [] }),
        body: requestBody ? bodyOf(requestBody.content['application/json'].schema) : fc.constant(undefined),
        headers: fc.record(
          {
            'if-match': fc.constantFrom('*', '"1"', 'x', '"99999999999999999999"'),
            'idempotency-key': fc.constantFrom('k', 'k 2', 'é'),
            accept: fc.constantFrom('text/csv', '*/*', 'text/html'),
          },
          { requiredKeys: [] },
        ),
      });
      for (const { place, query, body, headers } of fc.sample(input, { numRuns: RUNS, seed: 42 })) {
        const search = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));
        const url = `${path.replace(/\{\w+\}/g, encodeURIComponent(wellFormed(String(place))) || '-')}?${search}`;
        const reply = await as[kind].send(method.toUpperCase(), url, {
          headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        if (reply.status >= 500)
          worst.push(`${method} ${url} ${JSON.stringify(body)}: ${reply.status} ${JSON.stringify(reply.body)}`);
        if (reply.status >= 400) expect([url, typeof reply.body.code]).toEqual([url, 'string']);
      }
    }
  }
  expect(worst).toEqual([]);
}, 3_600_000);
