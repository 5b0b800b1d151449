import type { FastifyRequest } from 'fastify';

/** The paths that probes and scrapers of a machine request. */
export const probePaths = { alive: '/healthz', ready: '/readyz', metrics: '/metrics' } as const;

const PATHS: ReadonlySet<string> = new Set(Object.values(probePaths));

/** Whether a request is a probe: it is answered whatever its Host header and however high the load. */
export const isProbe = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean => PATHS.has(routeOptions.url ?? '');
