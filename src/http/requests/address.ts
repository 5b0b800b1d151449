import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { MAX_ADDRESS, MAX_HEADERS } from '../limits.ts';
import { HttpProblem } from '../problems/problems.ts';

/** Stands for an address that is too long, so that the router neither searches nor parses it. */
const TOO_LONG = '/';

/** Fastify's `rewriteUrl`. */
export const routableAddress = ({ url = '/' }: { url?: string | undefined }): string => (url.length > MAX_ADDRESS ? TOO_LONG : url);

/** Whether a request has more headers than any client and its proxies send. */
export const hasTooManyHeaders = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean =>
  rawHeaders.length > 2 * MAX_HEADERS;

/** Rejects addresses that are longer, and headers that are more, than any call needs. */
export const boundAddresses = (app: FastifyInstance): void => {
  app.server.maxHeadersCount = MAX_HEADERS + 1;
  app.addHook('onRequest', (request, _reply, next) => {
    if (hasTooManyHeaders(request.raw)) return next(new HttpProblem('invalid_request'));
    next(request.originalUrl.length > MAX_ADDRESS ? new HttpProblem('address_too_long') : undefined);
  });
};
