import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { HttpProblem } from './problems/problems.ts';
import { hasTwoHosts } from './requests/forwarded.ts';
import { METRICS_TYPE } from './requests/metrics.ts';
import { bearerFits } from './requests/metricsToken.ts';
import { hostNameOf } from './requests/origins.ts';

/** How `/metrics` is served apart from the API. */
export type MetricsSettings = Readonly<{
  /** 0 takes any free port. */
  port: number;
  host: string;
  /** Demanded as `Authorization: Bearer` where it is set. */
  token: string | null;
}>;

const PATH = '/metrics';
const REQUEST_MS = 5_000;

/**
 * Whether a Host header can be trusted without a token. A page that leads its own domain to this machine (DNS rebinding) sends that
 * domain: a loopback name or an IP address is none.
 */
const isOwnHost = (host: string | undefined): boolean => {
  const name = hostNameOf(host)?.replace(/^\[(.*)\]$/, '$1');
  return name !== undefined && (name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0);
};

const problemFor = (request: IncomingMessage, token: string | null): HttpProblem | null => {
  if (hasTwoHosts(request)) return new HttpProblem('invalid_request');
  if (token === null && !isOwnHost(request.headers.host)) return new HttpProblem('unknown_host');
  if (token !== null && !bearerFits(request.headers.authorization, token)) return new HttpProblem('session_required');
  const isAsked = request.method === 'GET' && request.url?.split('?', 1)[0] === PATH;
  return isAsked ? null : new HttpProblem('not_found');
};

const send = (response: ServerResponse, status: number, type: string, text: string): void => {
  response
    .writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    .end(text);
};

/** Listens for Prometheus alone. Rejects where it cannot listen. */
export const listenForMetrics = async (
  { port, host, token }: MetricsSettings,
  render: () => Promise<string>,
): Promise<{ url: string; close: () => Promise<void> }> => {
  const server: Server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    const refuse = ({ status, body }: HttpProblem): void =>
      send(response, status, 'application/json; charset=utf-8', JSON.stringify(body));
    const problem = problemFor(request, token);
    if (problem) return refuse(problem);
    render().then(
      (text) => send(response, 200, METRICS_TYPE, text),
      () => refuse(new HttpProblem('internal_error')),
    );
  });
  server.maxConnections = 100;
  server.listen(port, host);
  await once(server, 'listening');
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${isIP(host) === 6 ? `[${host}]` : host}:${actual}${PATH}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
