import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { App } from './deps.ts';
import type { Audience } from './principal.ts';

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
  const { $schema: _dialect, ...described } = z.toJSONSchema(side, { io, unrepresentable: 'any', override: describeSchema });
  Object.assign(jsonSchema, described);
};

const transform = createJsonSchemaTransform({ zodToJsonConfig: { target: 'draft-2020-12', override: describeSchema } });

const schemes: Record<Audience, readonly Record<string, string[]>[]> = {
  public: [],
  admin: [{ admin: [] }],
  customer: [{ customer: [] }],
  integrator: [{ integrator: [] }],
  cli: [{ tool: [] }],
};

const bearer = (whose: string) => ({ type: 'http' as const, scheme: 'bearer', description: `The token of ${whose}` });

/** The reader's own page needs inline styles; no other page may have any. */
const READER_CSP = {
  'default-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'object-src': ["'none'"],
};

/** Describes every route that follows from its contracts, at `/api/openapi.json`, with a reader at `/api/docs`. */
export const describeApi = async (app: App, { title, version }: { title: string; version: string }): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `${title} API`, version },
      components: {
        securitySchemes: {
          admin: { type: 'apiKey', in: 'cookie', name: 'latchkey_admin', description: 'The session of an administrator' },
          customer: bearer('a customer'),
          integrator: bearer('a service integrator'),
          tool: bearer('a command-line tool'),
        },
      },
    },
    transform: (document) => {
      const described = transform(document);
      const audience = document.route.config?.audience ?? [];
      return { ...described, schema: { ...described.schema, security: audience.flatMap((kind) => schemes[kind]) } };
    },
  });
  app.get('/api/openapi.json', { config: { audience: ['public'] }, schema: { hide: true } }, async () => app.swagger());
  await app.register(async (reader) => {
    reader.addHook('onRoute', (route) => {
      route.config = { ...route.config, audience: ['public'] };
    });
    await reader.register(swaggerUi, {
      routePrefix: '/api/docs',
      staticCSP: READER_CSP,
      uiConfig: { url: '/api/openapi.json' },
    });
  });
};
