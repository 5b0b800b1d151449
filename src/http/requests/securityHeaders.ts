import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** What emotion's production sheets, which are empty style tags filled by script, need to be let in. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** Hashes of the inline scripts of the built console, as its build wrote them. */
const scriptHashes = (webRoot: string | null): readonly string[] => {
  if (webRoot === null) return [];
  try {
    const { scripts }: { scripts?: unknown } = JSON.parse(readFileSync(join(webRoot, '.csp.json'), 'utf8'));
    return Array.isArray(scripts) ? scripts.filter((hash) => typeof hash === 'string') : [];
  } catch {
    return [];
  }
};

const directives = (scripts: readonly string[]) => ({
  'default-src': ["'self'"],
  'script-src': ["'self'", ...scripts],
  'style-src': ["'self'", EMPTY_STYLE],
  // Charts and menus position themselves by style attributes, which run no script.
  'style-src-attr': ["'unsafe-inline'"],
  // Logos come through this server; data: is those that a script has fetched with its session.
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'object-src': ["'none'"],
});

/**
 * Makes a browser delete what it stored of this site after a sign-out. Not its cookies: those of every other site of the same
 * domain would go too. An administrator's is cleared by name.
 */
export const forgetSite = (reply: FastifyReply): void => void reply.header('clear-site-data', '"cache", "storage"');

/** No frame of another site may ask for a passkey. */
const PERMISSIONS = 'publickey-credentials-create=(self), publickey-credentials-get=(self)';

type Helmet = FastifyHelmetOptions & { contentSecurityPolicy: { useDefaults: boolean; directives: Record<string, string[]> } };

/** The headers of every reply. No page may frame the console, and no script runs that its build did not make. */
export const protectReplies = async (
  app: FastifyInstance,
  { webRoot, isTls }: { webRoot: string | null; isTls: boolean },
): Promise<void> => {
  const options: Helmet = {
    contentSecurityPolicy: { useDefaults: false, directives: directives(scriptHashes(webRoot)) },
    strictTransportSecurity: isTls ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' },
  };
  await app.register(helmet, options);
  app.addHook('onRequest', (_request, reply, next) => {
    reply.header('permissions-policy', PERMISSIONS);
    next();
  });
};
