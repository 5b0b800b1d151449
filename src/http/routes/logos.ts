import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { httpsUrl } from '../../contracts/fields.ts';
import type { Logo } from '../../outbound/logo.ts';
import type { App, HttpDeps } from '../deps.ts';
import type { Logos } from '../logos.ts';
import { HttpProblem } from '../problems/problems.ts';
import { problems } from '../replies.ts';
import { hostNameOf } from '../requests/origins.ts';

const tags = ['Branding'];
const description = 'PNG, JPEG, GIF, WebP, AVIF or SVG of at most 256 KiB, fetched by the server and cached for an hour.';
/** A picture that is opened as a page runs no script and loads nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const MAX_AGE_S = 300;

const send = (reply: FastifyReply, logo: Logo | null): FastifyReply => {
  if (!logo) throw new HttpProblem('logo_unavailable');
  return reply
    .type(logo.type)
    .header('cache-control', `private, max-age=${MAX_AGE_S}`)
    .header('content-security-policy', POLICY)
    .header('content-disposition', 'inline')
    .send(logo.body);
};

/** Logos of service integrators, so that no browser has to ask the hosts that these chose. */
export const logoRoutes = (app: App, { systemQueries, logos }: HttpDeps & { logos: Logos }): void => {
  app.get(
    '/api/branding/logo',
    {
      config: { audience: ['public'] },
      schema: {
        summary: 'Get the logo of the service integrator that owns the host name',
        description,
        tags,
        response: problems(404),
      },
    },
    async (request, reply) => {
      const host = hostNameOf(request.host);
      const brand = host === null ? null : await systemQueries.integrators.byDomain(host);
      const isShown = brand?.verified && brand.whiteLabelEnabled && brand.status !== 'churned';
      return send(reply, isShown && brand.logoUrl !== null ? await logos.get(brand.logoUrl) : null);
    },
  );

  app.get(
    '/api/service-integrator/logo',
    {
      config: { audience: ['integrator'], permission: 'settings:write' },
      schema: {
        summary: 'Get the image at an address, to preview it as a logo',
        description,
        tags,
        querystring: z.strictObject({ url: httpsUrl }),
        response: problems(400, 401, 403, 404),
      },
    },
    async ({ query }, reply) => send(reply, await logos.get(query.url)),
  );
};
