import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from './problems/problems.ts';

const YEAR_S = 31_536_000;
/** Addresses that never show a screen of the console. */
const PROGRAMS = /^\/(api|monitoring|assets|socket\.io|healthz|readyz|metrics|\.well-known)(\/|$)/;

/** The HTML file of each path pattern, from the build: `/admin/customers/:id` matches any id, `/admin/*` every path below. */
type Pages = readonly { paths: RegExp; file: string }[];

const readPages = (webRoot: string): Pages => {
  const file = join(webRoot, '.pages.json');
  const pages: Record<string, string> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return Object.entries(pages)
    .sort(([one], [other]) => Number(one.endsWith('*')) - Number(other.endsWith('*')))
    .map(([path, page]) => ({
      paths: new RegExp(`^${path.replace(/:[^/]+/g, '[^/]+').replace('*', '.*')}/?$`),
      file: page,
    }));
};

/** The page that names just the files that a path needs; the plain one shows every screen too. */
const pageOf = (path: string, pages: Pages): string => pages.find(({ paths }) => paths.test(path))?.file ?? 'index.html';

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

const wantsPage = (request: FastifyRequest): boolean =>
  request.method === 'GET' && (request.headers.accept ?? '').includes('text/html') && !PROGRAMS.test(pathOf(request));

/**
 * Serves the built console, precompressed: assets as immutable, pages uncached. `/` is the landing page for every client, so that
 * probes and crawlers get 200 for any `Accept`. Any other path that is not a file and accepts HTML gets the page of its path. Everything
 * else is a 404 problem.
 */
export const serveConsole = async (app: FastifyInstance, { webRoot }: { webRoot: string | null }): Promise<void> => {
  const isBuilt = webRoot !== null && existsSync(join(webRoot, 'index.html'));
  const pages = isBuilt ? readPages(webRoot) : [];
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
    app.get('/', { config: { audience: ['public'] }, schema: { hide: true } }, (_request, reply) =>
      reply.header('cache-control', 'no-cache').sendFile(pageOf('/', pages)),
    );
    app.get('/:file', { config: { audience: ['public'] }, schema: { hide: true } }, async (request, reply) => {
      const path = pathOf(request);
      return /\.(?!html)[a-z0-9]+$/i.test(path)
        ? reply.header('cache-control', 'no-cache').sendFile(decodeURI(path))
        : page(request, reply);
    });
  }

  const page = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!isBuilt || !wantsPage(request)) throw new HttpProblem('not_found');
    reply.header('cache-control', 'no-cache');
    return reply.sendFile(pageOf(pathOf(request), pages));
  };
  app.setNotFoundHandler(page);
};
