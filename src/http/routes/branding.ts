import { brandingReply } from '../../contracts/branding.ts';
import type { App, HttpDeps } from '../deps.ts';
import { hostNameOf } from '../requests/origins.ts';

/** The brand of a host: that of the product, or of an integrator at its verified custom domain. */
export const brandingRoutes = (app: App, { systemQueries, settings: { productName, portalHost, keyPrefix } }: HttpDeps): void => {
  app.get(
    '/api/branding',
    {
      config: { audience: ['public'] },
      schema: { summary: 'Get the name, logo and color', tags: ['Branding'], response: { 200: brandingReply } },
    },
    async (request) => {
      const host = hostNameOf(request.host);
      const brand = host === null ? null : await systemQueries.integrators.byDomain(host);
      const isShown = brand?.verified && brand.whiteLabelEnabled && brand.status !== 'churned';
      return {
        success: true as const,
        branding: {
          productName,
          companyName: isShown ? brand.companyName : null,
          logoUrl: isShown ? brand.logoUrl : null,
          primaryColor: isShown ? brand.primaryColor : null,
          portalHost,
          keyPrefix,
        },
      };
    },
  );
};
