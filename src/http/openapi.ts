import swagger from '@fastify/swagger';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { problem } from '../contracts/replies.ts';
import type { Permission } from '../domain/permissions.ts';
import type { App } from './deps.ts';
import type { Audience, ConditionalProof } from './principal.ts';
import { isUnsafe } from './requests/guard.ts';
import { IDEMPOTENCY_KEY_PATTERN } from './requests/meta.ts';

type Described = { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema };

/** What JSON Schema does not see by itself: both sides of a transformation, and fields that may be left out. */
const describeSchema = ({ zodSchema, jsonSchema }: Described): void => {
  const { def } = zodSchema._zod;
  if (def.type === 'object' && jsonSchema.required) {
    const isNeeded = (field: string): boolean => {
      const schema = def.shape[field];
      return !schema || !z.core.safeParse(schema, undefined).success;
    };
    jsonSchema.required = jsonSchema.required.filter(isNeeded);
  }
  if (def.type !== 'pipe' || Object.keys(jsonSchema).some((key) => key !== 'default')) return;
  const [side, io] = def.in._zod.def.type === 'transform' ? [def.out, 'input' as const] : [def.in, 'output' as const];
  Object.assign(jsonSchema, jsonSchemaOf(side, io));
};

const jsonSchemaOf = (contract: z.core.$ZodType, io: 'input' | 'output'): z.core.JSONSchema.BaseSchema => {
  const { $schema: _dialect, ...described } = z.toJSONSchema(contract, { io, unrepresentable: 'any', override: describeSchema });
  return described;
};

const transform = createJsonSchemaTransform({ zodToJsonConfig: { target: 'draft-2020-12', override: describeSchema } });

type Document = Parameters<typeof transform>[0];

/** The description of a failure, which every route refers to: a copy in each would be three quarters of the document. */
const PROBLEM = 'Problem';
const problemReference = { $ref: `#/components/schemas/${PROBLEM}` };

/** Stands for the status of a reply: what a contract looks like does not depend on it. */
const ANY_STATUS = '200';

/** The library's `transform` converts a contract for every route; this one converts each contract once. */
const createTransform = (): typeof transform => {
  const known = { input: new Map<unknown, unknown>(), output: new Map<unknown, unknown>() };
  const remembered = (io: keyof typeof known, contract: unknown, convert: () => unknown): unknown => {
    if (!known[io].has(contract)) known[io].set(contract, convert());
    return structuredClone(known[io].get(contract)); // what reads them changes them
  };
  return (document) => {
    const { schema, url } = document;
    if (!schema || schema.hide) return transform(document);
    const { headers, querystring, body, params, response, ...rest } = schema;
    const of = (part: Partial<Document['schema']>) => transform({ ...document, schema: part } as Document).schema;
    const inputs = Object.entries({ headers, querystring, body, params }).flatMap(([part, contract]) =>
      contract ? [[part, remembered('input', contract, () => of({ body: contract })?.body)]] : [],
    );
    const replies = Object.entries(response ?? {}).map(([status, contract]) => [
      status,
      contract === problem
        ? problemReference
        : remembered('output', contract, () => Object(of({ response: { [ANY_STATUS]: contract } })?.response)[ANY_STATUS]),
    ]);
    return { schema: { ...rest, ...Object.fromEntries(inputs), response: Object.fromEntries(replies) }, url };
  };
};

const schemes: Record<Audience, readonly Record<string, string[]>[]> = {
  public: [],
  admin: [{ admin: [] }],
  customer: [{ customer: [] }],
  integrator: [{ integrator: [] }],
  cli: [{ tool: [] }],
};

const RECENT = {
  always: 'Asks for an authentication within the last 10 minutes.',
  contactEmail: 'Asks for an authentication within the last 10 minutes if the contact email changes.',
  role: 'Asks for an authentication within the last 10 minutes if the role changes.',
} as const;

/** The part of an operation that says which permission it needs, and whether the user must have authenticated recently. */
const needing = (
  permission: Permission,
  reauthentication: true | ConditionalProof | undefined,
  { description }: { description?: string } = {},
) => {
  const recent = reauthentication === true ? 'always' : reauthentication;
  const sentences = [description, `Requires the permission \`${permission}\`.`, recent && RECENT[recent]];
  return {
    'x-permission': permission,
    ...(recent && { 'x-reauthentication': recent }),
    description: sentences.filter(Boolean).join(' '),
  };
};

const IDEMPOTENCY_KEY = {
  type: 'string',
  pattern: IDEMPOTENCY_KEY_PATTERN.source,
  description:
    'A text that names this request. If it is sent again with the same key and body within a day, it runs once and gets the first reply; ' +
    'another request with the key gets `idempotency_key_reused`.',
};
const IF_MATCH = {
  type: 'string',
  description: 'The `ETag` of the version that was read: the change is refused with `revision_changed` if there is a newer one.',
};

/** The headers that change what a request does, beside those of its contract. */
const headersOf = ({ method, response, isIdempotent }: { method: unknown; response: object; isIdempotent: boolean }) => {
  const headers = {
    ...([method].flat().some((one) => isUnsafe(String(one))) && isIdempotent && { 'idempotency-key': IDEMPOTENCY_KEY }),
    ...('412' in response && { 'if-match': IF_MATCH }),
  };
  return Object.keys(headers).length > 0 && { headers: { type: 'object', properties: headers } };
};

const bearer = (whose: string) => ({ type: 'http' as const, scheme: 'bearer', description: `The token of ${whose}` });

/** Collects a description of every route that follows, from its contracts: `app.swagger()` once the app is ready. */
export const describeApi = async (app: App, { title, version }: { title: string; version: string }): Promise<void> => {
  const transformOnce = createTransform();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `${title} API`, version },
      components: {
        schemas: { [PROBLEM]: jsonSchemaOf(problem, 'output') as object },
        securitySchemes: {
          admin: { type: 'apiKey', in: 'cookie', name: 'latchkey_admin', description: 'The session of an administrator' },
          customer: bearer('a customer'),
          integrator: bearer('a service integrator'),
          tool: bearer('a command-line tool'),
        },
      },
    },
    transform: (document) => {
      const described = transformOnce(document);
      const { audience = [], permission, reauthentication, idempotent } = document.route.config ?? {};
      const security = audience.flatMap((kind) => schemes[kind]);
      const headers = headersOf({
        method: document.route.method,
        response: document.schema?.response ?? {},
        isIdempotent: idempotent !== false && !audience.includes('public'),
      });
      return {
        ...described,
        schema: {
          ...described.schema,
          security,
          ...headers,
          ...(permission && needing(permission, reauthentication, described.schema)),
        },
      };
    },
  });
};
