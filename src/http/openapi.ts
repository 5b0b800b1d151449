import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';

const transform = createJsonSchemaTransform({ zodToJsonConfig: { target: 'draft-2020-12' } });

/** Describes every route that follows from its contracts, at `/api/openapi.json`, with a reader at `/api/docs`. */
export const describeApi = async (app: FastifyInstance, { title, version }: { title: string; version: string }): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `${title} API`, version },
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'The token of a customer, a service integrator or a command-line tool',
          },
          admin: { type: 'apiKey', in: 'cookie', name: 'latchkey_admin', description: 'The session of an administrator' },
        },
      },
    },
    transform,
  });
  app.get('/api/openapi.json', { config: { audience: ['public'] }, schema: { hide: true } }, async () => app.swagger());
  await app.register(async (reader) => {
    reader.addHook('onRoute', (route) => {
      route.config = { ...route.config, audience: ['public'] };
    });
    await reader.register(swaggerUi, {
      routePrefix: '/api/docs',
      staticCSP: true,
      uiConfig: { url: '/api/openapi.json', validatorUrl: null },
    });
  });
};
