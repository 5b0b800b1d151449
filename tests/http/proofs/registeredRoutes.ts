import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { z } from 'zod';
import type { Permission } from '../../../src/domain/permissions.ts';
import { BODY_LIMIT } from '../../../src/http/limits.ts';
import type { Audience } from '../../../src/http/principal.ts';
import { openServer, type TestServer, type TestServerOptions } from '../../support/server.ts';

/** A route as the server registered it. Parts that its contract lacks are null. */
export type Route = {
  method: string;
  url: string;
  audience: readonly Audience[];
  permission: Permission | null;
  /** When it asks for a recent authentication; null for never. */
  reauthentication: 'always' | 'contactEmail' | 'role' | null;
  idempotent: boolean;
  /** In bytes. */
  bodyLimit: number;
  params: z.ZodType | null;
  query: z.ZodType | null;
  body: z.ZodType | null;
};

const schemaOf = (schema: unknown): z.ZodType | null => (schema instanceof z.ZodType ? schema : null);

const described = (route: RouteOptions): Route[] =>
  [route.method].flat().map((method) => ({
    method,
    url: route.url,
    audience: route.config?.audience ?? [],
    permission: route.config?.permission ?? null,
    reauthentication: route.config?.reauthentication === true ? 'always' : (route.config?.reauthentication ?? null),
    idempotent: route.config?.idempotent !== false,
    bodyLimit: route.bodyLimit ?? BODY_LIMIT.short,
    params: schemaOf(route.schema?.params),
    query: schemaOf(route.schema?.querystring),
    body: schemaOf(route.schema?.body),
  }));

/** Opens a server and listens in on what it registers, so that no route is forgotten that a person would have to list. */
export const openServerWithRoutes = async (
  env: NodeJS.ProcessEnv = {},
  options: TestServerOptions = {},
): Promise<{ server: TestServer; routes: Route[] }> => {
  const registered: RouteOptions[] = [];
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => void registered.push(route));
  };
  subscribe('fastify.initialization', listen);
  const server = await openServer({ API_DOCS: 'on', ...env }, options);
  unsubscribe('fastify.initialization', listen);
  return { server, routes: registered.flatMap(described) };
};

export const nameOf = ({ method, url }: Pick<Route, 'method' | 'url'>): string => `${method} ${url}`;
