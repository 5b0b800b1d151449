import type { FastifyInstance } from 'fastify';
import { type RequestSpan, startRequestSpan } from '../../tracing/requestSpan.ts';
import { isTracing } from '../../tracing/spans.ts';
import { isProbe } from './probes.ts';

const NO_ROUTE = 'none';

/**
 * A span for each request but probes, named by its route and never by its URL. The span is active in hooks and handlers; it is made active again
 * after the body was read, since data of a socket arrives outside of it.
 */
export const traceRequests = (app: FastifyInstance): void => {
  if (!isTracing()) return;
  const spans = new WeakMap<object, RequestSpan>();
  app.addHook('onRequest', (request, _reply, next) => {
    const span = isProbe(request) ? null : startRequestSpan(request.headers.traceparent, { 'http.request.method': request.method });
    if (!span) return next();
    spans.set(request, span);
    span.run(next);
  });
  app.addHook('preValidation', (request, _reply, next) => {
    const span = spans.get(request);
    if (span) span.run(next);
    else next();
  });
  app.addHook('onResponse', (request, { statusCode }, next) => {
    const route = request.routeOptions.url ?? NO_ROUTE;
    spans.get(request)?.end({
      name: `${request.method} ${route}`,
      attributes: { 'http.route': route, 'http.response.status_code': statusCode, 'latchkey.request.id': request.id },
      isError: statusCode >= 500,
    });
    next();
  });
};
