import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { clientOf } from '../support/apiClient.ts';
import type { TestServer } from '../support/server.ts';
import { nameOf, openServerWithRoutes, type Route } from './proofs/registeredRoutes.ts';

let server: TestServer;
let routes: Route[];
let paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: unknown }> } }>>;

beforeAll(async () => {
  ({ server, routes } = await openServerWithRoutes());
  paths = (await clientOf(server.url).get('/api/openapi.json')).body.paths;
});

afterAll(() => server.close());

/** Bytes of a character that is escaped in JSON. */
const ESCAPED = 6;
/** A number, a word or a time. */
const SHORT = 40;

const described = z.looseObject({
  maxLength: z.int().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
});

/** Bytes of the longest value that a JSON schema accepts. */
const longest = (given: unknown): number => {
  const { properties, anyOf, oneOf, maxLength } = described.parse(given);
  if (properties) return Object.entries(properties).reduce((sum, [name, field]) => sum + name.length + 4 + longest(field), 2);
  const choices = anyOf ?? oneOf;
  if (choices) return Math.max(...choices.map(longest));
  return maxLength === undefined ? SHORT : 2 + ESCAPED * maxLength;
};

it('the longest body of every contract fits its route, which reads 4 to 64 kB, or more for recorded calls and imported files', () => {
  const withBody = routes.filter(({ body }) => body !== null);
  expect(withBody.length).toBeGreaterThan(20);
  for (const route of withBody) {
    const operation = paths[route.url.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
    const bytes = longest(operation?.requestBody?.content['application/json']?.schema ?? {});
    if (nameOf(route).endsWith('/import')) continue;
    const isOfCalls = nameOf(route) === 'POST /api/cli/api-calls';
    expect([nameOf(route), bytes <= route.bodyLimit]).toEqual([nameOf(route), true]);
    expect([nameOf(route), route.bodyLimit >= 4096 && route.bodyLimit <= 65_536]).toEqual([nameOf(route), !isOfCalls]);
  }
  const imports = routes.filter((route) => nameOf(route).endsWith('/import'));
  expect(imports.map(({ bodyLimit }) => bodyLimit)).toEqual(imports.map(() => 16 * 1024 * 1024));
  const calls = routes.find((route) => nameOf(route) === 'POST /api/cli/api-calls');
  expect(calls?.bodyLimit).toBe(1024 * 1024);
});
