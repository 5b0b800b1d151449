import fc from 'fast-check';
import { z } from 'zod';
import { csvOf } from '../../../src/contracts/csv.ts';
import type { Route } from './registeredRoutes.ts';
import { MISSING } from './testAccounts.ts';

/** What one request sends. `path` is percent-encoded; `body` is sent as it is. */
export type Input = { path: string; query: string; headers: Record<string, string>; body: string | undefined };

/** For each parameter of an address: own ids, and foreign or missing ones. */
export type Ids = Readonly<Record<string, Readonly<{ right: readonly string[]; wrong: readonly string[] }>>>;

/** Known values by parameter of an address and by field, which reach further than random ones. */
export type Known = Readonly<{
  ids: Ids;
  values: Readonly<Record<string, readonly unknown[]>>;
}>;

type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
};

const nasty: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 250 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\u0007',
    '\ud800',
    'a\udc00b',
    '\u202e',
    '\u2028',
    '\ufeff',
    'İ',
    'ß',
    'ﬀ',
    '𝕏',
    'x'.repeat(201),
    'x'.repeat(5_000),
    "'; drop table read.customer; --",
    '%',
    '_',
    '\\',
    '%%%___',
    '{{7*7}}',
    '=cmd()',
    '<script>alert(1)</script>',
    '-1',
    '0',
    '1e309',
    'NaN',
    'Infinity',
    '9'.repeat(400),
    '0x10',
    'true',
    'null',
    '[]',
    '{}',
    'undefined',
    '__proto__',
    'constructor',
    '2026-02-30T00:00:00Z',
    '2026-02-28T24:00:00Z',
    '99999-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '2026-01-31T12:00:00+02:00',
    'https://[::1',
    'https://exa mple',
    'https://127.0.0.1:99999',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user:pass@127.0.0.1',
    'a@b',
    'a@b.co',
    '"a b"@c.de',
    '#0070AD',
    '#GGGGGG',
    '../../etc/passwd',
    MISSING,
    MISSING.toUpperCase(),
  ),
);

const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  nasty,
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, true, false, [], {}, [[]], 2 ** 53, -(2 ** 31) - 1, 1e308),
);

const instant = fc
  .date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2030-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const email = fc
  .tuple(fc.integer({ min: 0, max: 500 }), fc.constantFrom('Example.com', 'a.example'))
  .map(([n, host]) => `u${n}@${host}`);
const words = fc.stringMatching(/^[A-Za-z0-9 äß<>&'"=+-]{1,40}$/);
/** Nothing leaves this machine: these addresses are refused before they are called. */
const address = fc.constantFrom(
  'https://127.0.0.1:1',
  'http://10.1.2.3/jira',
  'https://[::1]:9/',
  'https://169.254.169.254/latest',
);

/** What a field holds that its contract cannot describe, or that leads further than chance would. */
const byName: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  contactEmail: email,
  billingEmail: email,
  email,
  instanceUrl: address,
  logoUrl: fc.constantFrom(null, '', 'https://127.0.0.1/logo.png'),
  customDomain: fc.integer({ min: 0, max: 50 }).map((n) => `d${n}.fuzz.example`),
  company: fc.oneof(words, fc.constantFrom(null, '')),
  theme: fc.oneof(fc.constantFrom('aurora', 'plain', null, ''), words),
  themeName: fc.stringMatching(/^[a-z0-9_-]{1,20}$/),
  primaryColor: fc.stringMatching(/^#[0-9a-f]{6}$/),
  secondaryColor: fc.oneof(fc.stringMatching(/^#[0-9a-f]{6}$/), fc.constantFrom('', null)),
  accentColor: fc.oneof(fc.stringMatching(/^#[0-9a-f]{6}$/), fc.constantFrom('', null)),
  apiToken: fc.oneof(words, fc.constantFrom('', null)),
  expiresAt: fc.oneof(instant, fc.constant(null)),
  startsAt: fc.constantFrom(undefined, '2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z'),
  at: instant,
  compareTo: instant,
  from: instant,
  to: instant,
  until: instant,
  receivedFrom: instant,
  receivedTo: instant,
  limit: fc.integer({ min: 1, max: 500 }),
  cursor: fc.oneof(
    { weight: 8, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: nasty },
    { weight: 1, arbitrary: fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')) },
  ),
  firstSequence: fc.integer({ min: 1, max: 1_000 }),
  calls: fc.array(
    fc.oneof(
      fc.record(
        {
          service: fc.constantFrom('jira', 'azdo', 'confluence', 'github'),
          instanceUrl: fc.oneof(address, nasty),
          operation: fc.oneof(words, nasty),
          status: fc.oneof(fc.integer({ min: 50, max: 650 }), nasty),
          ok: fc.oneof(fc.boolean(), fc.constant(null)),
          durationMs: fc.oneof(fc.integer({ min: -1, max: 90_000_000 }), fc.double()),
          at: fc.oneof(instant, nasty),
        },
        { requiredKeys: ['service', 'instanceUrl', 'operation', 'durationMs'] },
      ),
      anyJson,
    ),
    { minLength: 1, maxLength: 20 },
  ),
};

/** Values that a contract accepts, as far as JSON Schema describes them. */
const validOf = (schema: Schema, name: string, known: Known): fc.Arbitrary<unknown> => {
  const { right = [], wrong = [] } = known.ids[name] ?? {};
  const values = known.values[name] ?? [...right, ...wrong];
  if (values.length > 0) return fc.constantFrom(...values);
  const usual = byName[name];
  if (usual) return usual;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return fc.oneof(...either.map((one) => validOf(one, name, known)));
  switch (schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, field]) => [key, validOf(field, key, known)])),
        { requiredKeys: [...(schema.required ?? [])] },
      );
    case 'array':
      return fc.array(validOf(schema.items ?? {}, '', known), { maxLength: 5 });
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1, max: Math.min(schema.maximum ?? 100, 100) });
    case 'number':
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      if (schema.format === 'uuid') return fc.constant(MISSING);
      return fc.string({
        unit: 'grapheme-ascii',
        minLength: schema.minLength ?? 1,
        maxLength: Math.min(schema.maxLength ?? 60, 60),
      });
    default:
      return words;
  }
};

const jsonSchemaOf = (schema: z.ZodType): Schema => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;

type Fields = Record<string, unknown>;

/** Valid inputs with one error after the other. */
const brokenFrom = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(valid, fc.nat(), anyJson, fc.constantFrom('drop', 'replace', 'add', 'add', 'replace', 'swap'))
    .map(([value, at, junk, how]) => {
      if (typeof value !== 'object' || value === null) return junk;
      const fields: Fields = { ...value };
      const keys = Object.keys(fields);
      const key = keys[at % Math.max(keys.length, 1)] ?? 'unknown';
      const other = keys[(at + 1) % Math.max(keys.length, 1)] ?? 'unknown';
      if (how === 'drop') delete fields[key];
      else if (how === 'add') fields[`${key}X`] = junk;
      else if (how === 'swap') [fields[key], fields[other]] = [fields[other], fields[key]];
      else fields[key] = junk;
      return fields;
    });

const bodyOf = (schema: z.ZodType, known: Known): fc.Arbitrary<string> => {
  const valid = validOf(jsonSchemaOf(schema), '', known);
  return fc.oneof(
    { weight: 6, arbitrary: valid.map((value) => JSON.stringify(value)) },
    { weight: 8, arbitrary: brokenFrom(valid).map((value) => JSON.stringify(value) ?? '') },
    { weight: 2, arbitrary: anyJson.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: nasty },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '{',
        '{"a":1,"a":2}',
        '{"__proto__":{"a":1}}',
        '['.repeat(2_000),
        '"\\ud800"',
        '{"name":"\\u0000"}',
      ),
    },
  );
};

const COLUMNS = [
  'id',
  'name',
  'username',
  'contact_email',
  'email',
  'external_id',
  'tags',
  'developer_seats',
  'role',
  'status',
  'other',
];

/** A CSV file with some of the columns of imports, or anything else. */
const csvFile: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        columns: fc.subarray(COLUMNS.slice(0, -1), { minLength: 1 }),
        rows: fc.array(fc.array(fc.oneof(nasty, fc.constantFrom('', '7', 'active', 'ada@x.example')), { maxLength: 11 }), {
          maxLength: 4,
        }),
      })
      .map(({ columns, rows }) => [columns, ...rows].map(csvOf).join('')),
  },
  { weight: 1, arbitrary: fc.subarray(COLUMNS).map((columns) => columns.join(';')) },
  { weight: 1, arbitrary: nasty },
);

/** Half characters cannot be sent as UTF-8. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

const inAddress = (value: unknown): string => wellFormed(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const queryOf = (schema: z.ZodType, known: Known): fc.Arbitrary<string> => {
  const fields = Object.entries(jsonSchemaOf(schema).properties ?? {});
  const valid = fc.record(Object.fromEntries(fields.map(([name, field]) => [name, validOf(field, name, known)])), {
    requiredKeys: [],
  });
  return fc.oneof(valid, valid, brokenFrom(valid)).map((value) => {
    const pairs =
      typeof value === 'object' && value !== null ? Object.entries(value).filter(([, each]) => each !== undefined) : [['q', value]];
    return new URLSearchParams(pairs.map(([name, each]): [string, string] => [String(name), inAddress(each)])).toString();
  });
};

/** The server under test is configured to trust this origin. */
export const CONFIGURED_ORIGIN = 'http://console.example';

const headers: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    accept: fc.constantFrom('*/*', 'text/csv', 'application/x-ndjson', 'text/html', 'image/png;q=0'),
    'if-match': fc.constantFrom('*', '"0"', '"1"', 'W/"3"', 'x', '"99999999999999999999"', ''),
    'idempotency-key': fc.oneof(fc.stringMatching(/^k[0-9]{1,3}$/), fc.constantFrom('', 'k 2', 'é', 'x'.repeat(201))),
    'x-forwarded-for': fc.constantFrom('203.0.113.1', 'not an address', '::1, 10.0.0.1'),
    'x-forwarded-host': fc.constantFrom('localhost', 'localhost:8080', '127.0.0.1', 'evil.example', '[::1'),
    'x-forwarded-proto': fc.constantFrom('https', 'http', 'gopher'),
    origin: fc.constantFrom('null', 'https://evil.example', 'http://localhost', CONFIGURED_ORIGIN),
    'accept-encoding': fc.constantFrom('br', 'identity;q=0', '*;q=0'),
    range: fc.constantFrom('bytes=0-', 'bytes=9-1', 'lines=1'),
    cookie: fc.constantFrom('latchkey_admin=x', 'a=b; latchkey_admin=%ff', ';;;='),
  },
  { requiredKeys: [] },
);

const contentType = fc.oneof(
  { weight: 12, arbitrary: fc.constant('application/json') },
  { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'application/problem+json', 'x', '') },
);

const PARAMETER = /:\w+|\*/g;

/** Parts of an address that are sent as they are. */
const RAW_SEGMENTS = ['%', '%zz', '%E0%A4%A', '%00', '%ff', '..%2f..%2fetc%2fpasswd', '%2e%2e', 'a%2fb', ';a=b', '%25', '*', ':id'];

const encoded = (text: string): string => encodeURIComponent(wellFormed(text)) || '-';

const segmentOf = ({ right, wrong }: Ids[string] = { right: [MISSING], wrong: [] }): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...right).map(encoded) },
    { weight: 4, arbitrary: fc.constantFrom(...right, ...wrong).map(encoded) },
    { weight: 3, arbitrary: nasty.map(encoded) },
    { weight: 1, arbitrary: fc.constantFrom(...RAW_SEGMENTS) },
  );

/** Inputs for a route, from its contracts: right ones and broken ones. */
export const inputsOf = (route: Route, known: Known): fc.Arbitrary<Input> => {
  const isImport = route.url.endsWith('/import');
  const params = [...route.url.matchAll(PARAMETER)].map(([name]) => name.slice(1) || 'file');
  return fc
    .record({
      segments: fc.tuple(...params.map((name) => segmentOf(known.ids[name]))),
      query: route.query
        ? queryOf(route.query, known)
        : fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constant('?a=b&a=c&%') }),
      headers,
      hasHeaders: fc.nat({ max: 3 }),
      type: isImport ? fc.oneof({ weight: 12, arbitrary: fc.constant('text/csv') }, contentType) : contentType,
      body: isImport
        ? csvFile
        : route.body
          ? bodyOf(route.body, known)
          : fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: nasty }),
    })
    .map(({ segments, query, headers: chosen, hasHeaders, type, body }) => {
      const rest = [...segments];
      const path = route.url.replace(PARAMETER, () => rest.shift() ?? '-');
      const sendsBody = body !== undefined && route.method !== 'GET' && route.method !== 'HEAD';
      return {
        path,
        query: query === '' ? '' : `?${query}`,
        headers: { ...(hasHeaders === 0 && chosen), ...(sendsBody && type !== '' && { 'content-type': type }) },
        body: sendsBody ? wellFormed(body) : undefined,
      };
    });
};
