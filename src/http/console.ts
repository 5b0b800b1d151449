import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from './problems/problems.ts';

const YEAR_S = 31_536_000;
/** Addresses that never show a screen of the console. */
const PROGRAMS = /^\/(api|monitoring|assets|socket\.io|healthz|readyz|metrics)(\/|$)/;

/** The page that loads just what an address needs; the plain one shows every screen too. */
export const pageOf = (path: string): string => {
  if (/\/login\/?$/.test(path)) return 'login.html';
  if (/^\/admin(\/|$)/.test(path)) return 'admin.html';
  if (/^\/portal(\/|$)/.test(path)) return 'portal.html';
  if (/^\/service-integrator(\/|$)/.test(path)) return 'integrator.html';
  return 'index.html';
};

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

const wantsPage = (request: FastifyRequest): boolean =>
  request.method === 'GET' && (request.headers.accept ?? '').includes('text/html') && !PROGRAMS.test(pathOf(request));

/**
 * Serves the built console: assets for ever, pages never from a cache, precompressed. Whatever is no file and wants a page gets
 * the one of its area; whatever else is not there is a 404 problem.
 */
export const serveConsole = async (app: FastifyInstance, { webRoot }: { webRoot: string | null }): Promise<void> => {
  const isBuilt = webRoot !== null && existsSync(join(webRoot, 'index.html'));
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: webRoot,
      serve: false,
      preCompressed: true,
      cacheControl: false,
      dotfiles: 'ignore',
      index: false,
    });
    app.get('/assets/*', { config: { audience: ['public'] }, schema: { hide: true } }, async (request, reply) => {
      reply.header('cache-control', `public, max-age=${YEAR_S}, immutable`);
      return reply.sendFile(decodeURI(pathOf(request)));
    });
    app.get('/:file', { config: { audience: ['public'] }, schema: { hide: true } }, async (request, reply) => {
      const path = pathOf(request);
      return /\.(?!html)[a-z0-9]+$/i.test(path)
        ? reply.header('cache-control', 'no-cache').sendFile(decodeURI(path))
        : page(request, reply);
    });
  }

  const page = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!isBuilt || !wantsPage(request)) throw new HttpProblem('not_found');
    const file = pageOf(pathOf(request));
    reply.header('cache-control', 'no-cache');
    return reply.sendFile(existsSync(join(webRoot, file)) ? file : 'index.html');
  };
  app.setNotFoundHandler(page);
};
