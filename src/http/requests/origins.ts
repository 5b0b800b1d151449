import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { shortened } from '../../contracts/issues.ts';
import { createCache } from '../../flow/cache.ts';
import { HttpProblem } from '../problems/problems.ts';
import { type Forwarded, hasTwoHosts } from './forwarded.ts';
import { isProbe } from './probes.ts';
import { validationProblem } from './validation.ts';

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** Characters of a host name with its port: parsing more of them, as international names, costs much. */
const MAX_HOST = 260;
/** How long the answer about a custom domain is believed, and how many are remembered. */
const DOMAIN_MS = 15_000;
const DOMAINS = 1_000;
/** Host headers that are remembered to name this server. */
const OWN_HOSTS = 100;

/** Where passkeys are created and used: the host name that they are for, and the origins of its pages that browsers let use them. */
export type Site = Readonly<{ host: string; origins: readonly string[] }>;

/** Which hosts the server serves, and which origins may send requests with a session. */
export type Origins = Readonly<{
  /** Whether a Host header names this server by its own name or loopback; of most requests, and without a promise. */
  isOwnHost: (host: string | undefined) => boolean;
  /** Whether this server answers for a Host header. */
  knowsHost: (host: string | undefined) => Promise<boolean>;
  /** Whether a browser's page of this origin may act with the session's cookie, or open a socket. */
  trusts: (headers: IncomingHttpHeaders, asked: Forwarded) => boolean;
  /** The origin of this server as the browser of a request names it. */
  ownOriginOf: (asked: Forwarded) => string;
  /** Whether browsers reach this server by TLS, though perhaps through a proxy that is not trusted about it. */
  isTls: (asked: Forwarded) => boolean;
  /** The site of a request to a known host; null for an IP address, for which browsers know no passkeys. */
  siteOf: (asked: Forwarded) => Site | null;
  /** Whether the origin is a configured origin other than the server's own: only these get CORS headers. */
  isForeign: (origin: string, asked: Forwarded) => boolean;
}>;

/** The host name in lower case without port and trailing dot; null when it is none. */
export const hostNameOf = (host: string | undefined): string | null => {
  if (host === undefined || host.length > MAX_HOST || /[\s/@\\?#]/.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname.replace(/\.$/, '');
};

/**
 * The trusted hosts and origins: loopback, the configured ones, and verified custom domains.
 * `isCustomDomain` is asked once in a while. `now` is ms since 1970.
 */
export const createOrigins = ({
  publicOrigins,
  hosts,
  isCustomDomain,
  now,
}: {
  publicOrigins: readonly string[];
  /** Further names this server answers for. */
  hosts: readonly string[];
  isCustomDomain: (host: string) => Promise<boolean>;
  now: () => number;
}): Origins => {
  const origins = new Set(publicOrigins.map((origin) => new URL(origin).origin));
  const names = new Set(
    [...hosts, ...publicOrigins.map((origin) => new URL(origin).host)].flatMap((host) => hostNameOf(host) ?? []),
  );
  const domains = createCache<string, { known: boolean; at: number }>(DOMAINS);

  const isDomain = async (name: string): Promise<boolean> => {
    const remembered = domains.get(name);
    if (remembered && now() - remembered.at < DOMAIN_MS) return remembered.known;
    const known = await isCustomDomain(name);
    domains.set(name, { known, at: now() });
    return known;
  };

  const isTls = ({ protocol, host }: Forwarded): boolean =>
    protocol === 'https' || origins.has(`https://${host?.toLowerCase().replace(/:443$/, '')}`);

  /** Scheme, host and port must be equal: a page that was loaded without TLS may come from an attacker. */
  const isOwn = (origin: string, asked: Forwarded): boolean => {
    const own = `${isTls(asked) ? 'https' : 'http'}://${asked.host}`;
    return asked.host !== undefined && URL.canParse(own) && new URL(own).origin === origin;
  };

  const isOwnName = (name: string): boolean => LOOPBACK.test(name) || names.has(name);

  const ownHosts = createCache<string, true>(OWN_HOSTS);
  const isOwnHost = (host: string | undefined): boolean => {
    if (host === undefined) return false;
    if (ownHosts.has(host)) return true;
    const name = hostNameOf(host);
    if (name === null || !isOwnName(name)) return false;
    ownHosts.set(host, true);
    return true;
  };

  return {
    isOwnHost,
    knowsHost: async (host) => {
      const name = hostNameOf(host);
      return name !== null && (isOwnName(name) || isDomain(name));
    },
    trusts: ({ origin, 'sec-fetch-site': site }, asked) => {
      if (origin !== undefined) return isOwn(origin, asked) || origins.has(origin);
      // Browsers name the origin of every request that changes something. Without it, this is a program, or the same page.
      return site === undefined || site === 'same-origin' || site === 'none';
    },
    ownOriginOf: (asked) => new URL(`${isTls(asked) ? 'https' : 'http'}://${asked.host}`).origin,
    isTls,
    siteOf: ({ host }) => {
      const name = hostNameOf(host);
      if (name === null || isIP(name.replaceAll(/[[\]]/g, '')) !== 0) return null;
      // Browsers offer passkeys to pages that were loaded by TLS, and to those of loopback names.
      const schemes = LOOPBACK.test(name) ? ['https', 'http'] : ['https'];
      return { host: name, origins: schemes.map((scheme) => new URL(`${scheme}://${host}`).origin) };
    },
    isForeign: (origin, asked) => origins.has(origin) && !isOwn(origin, asked),
  };
};

/** The query parameter that holds a NUL, or else the address itself. */
const nulProblem = (url: string): HttpProblem => {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const path = [...query].find(([, value]) => value.includes('\0'))?.[0];
  return path === undefined || !url.includes('?')
    ? new HttpProblem('validation_failed', { text: 'Addresses must not contain NUL characters' })
    : validationProblem([{ path: shortened(path), message: 'Must not contain NUL characters' }]);
};

/** Refuses unknown hosts, more than one, and addresses that hold a NUL. */
export const checkHosts = (app: FastifyInstance, origins: Origins): void => {
  app.addHook('onRequest', (request, _reply, next) => {
    if (request.url.includes('%00')) return next(nulProblem(request.url));
    if (hasTwoHosts(request.raw)) return next(new HttpProblem('invalid_request'));
    // What probes a machine knows its address only.
    if (isProbe(request) || origins.isOwnHost(request.host)) return next();
    origins.knowsHost(request.host).then((isKnown) => next(isKnown ? undefined : new HttpProblem('unknown_host')), next);
  });
};

const ALLOWED_HEADERS = 'authorization, bulk-id, content-type, idempotency-key, if-match';
const EXPOSED_HEADERS = 'etag, retry-after, x-position';

/**
 * Adds the CORS headers that allow pages of the configured origins, and no others, to call the API. Install it before hooks that refuse
 * requests, so that these pages can read why.
 */
export const allowConfiguredOrigins = (app: FastifyInstance, origins: Origins): void => {
  app.addHook('onRequest', (request, reply, next) => {
    const { origin } = request.headers;
    if (origin !== undefined && origins.isForeign(origin, request)) {
      reply
        .header('access-control-allow-origin', origin)
        .header('access-control-allow-credentials', 'true')
        .header('access-control-expose-headers', EXPOSED_HEADERS)
        .header('vary', 'Origin');
    }
    next();
  });
  app.options('/api/*', { config: { audience: ['public'] }, schema: { hide: true } }, async (request, reply) => {
    const { origin } = request.headers;
    if (origin === undefined || !origins.isForeign(origin, request)) throw new HttpProblem('origin_refused');
    return reply
      .code(204)
      .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', '600')
      .send();
  });
};
