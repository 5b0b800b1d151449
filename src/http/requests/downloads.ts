import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { PrepareDownload } from '../../contracts/downloads.ts';
import { isUuid } from '../../domain/ids.ts';
import { decrypt, encrypt, Unopenable } from '../../security/envelope.ts';
import { routableAddress } from './address.ts';
import type { Origins } from './origins.ts';

/** Prepared downloads are below this path. */
const DOWNLOADS = '/api/downloads/';

/** A browser starts a download within this time after it was prepared. */
const LIFETIME_S = 60;

const COOKIE = 'latchkey_download';

/** The browser that may start a download has it in a cookie. `token` is null for an administrator, whose session is a cookie itself. */
type Download = PrepareDownload & Readonly<{ token: string | null; expiresAt: number }>;

/** Prepares downloads of browsers, and finds the call of a prepared one. */
export type Downloads = Readonly<{
  /** What the browser keeps in a cookie, and where it finds the file. */
  prepare: (id: string, download: Pick<Download, 'path' | 'type' | 'token'>) => { url: string; sealed: string };
  /** Fastify's `rewriteUrl`: a prepared download becomes the call that it was prepared for, with the session that prepared it. */
  addressOf: (request: Pick<IncomingMessage, 'url' | 'headers' | 'method'>) => string;
}>;

/** What the cookie is sealed for. */
const contextOf = (id: string): string => `download ${id}`;

/** Browsers accept such a name by TLS only. */
const cookieName = (isTls: boolean): string => (isTls ? `__Secure-${COOKIE}` : COOKIE);

/** A cookie that scripts can read: it has the name of the file as soon as the file begins to arrive. */
export const startedCookie = (id: string, isTls: boolean): string => `${cookieName(isTls)}_${id}`;

const SEALED = new RegExp(`(?:^|;\\s*)(?:__Secure-)?${COOKIE}=([\\w-]+)`);
const sealedIn = (cookies = ''): string | null => SEALED.exec(cookies)?.[1] ?? null;

/**
 * The cookie holds the call and the token, sealed with `secret` (32 bytes) for this one download, so that neither is in an address or in
 * reach of scripts, and no node has to remember it. `now` is ms since 1970.
 */
export const createDownloads = ({ secret, now }: { secret: Buffer; now: () => number }): Downloads => {
  const open = (id: string, sealed: string): Download | null => {
    try {
      const download: Download = JSON.parse(decrypt(secret, Buffer.from(sealed, 'base64url'), contextOf(id)).toString());
      return download.expiresAt > now() ? download : null;
    } catch (error) {
      if (error instanceof Unopenable) return null;
      throw error;
    }
  };
  return {
    prepare: (id, asked) => {
      const download: Download = { ...asked, expiresAt: now() + LIFETIME_S * 1000 };
      const sealed = encrypt(secret, Buffer.from(JSON.stringify(download)), contextOf(id)).toString('base64url');
      return { url: `${DOWNLOADS}${id}`, sealed };
    },
    addressOf: (request) => {
      const address = routableAddress(request);
      if (request.method !== 'GET' || !address.startsWith(DOWNLOADS)) return address;
      const id = address.slice(DOWNLOADS.length);
      const sealed = isUuid(id) ? sealedIn(request.headers.cookie) : null;
      const download = sealed === null ? null : open(id, sealed);
      if (download === null) return address;
      request.headers.accept = download.type;
      if (download.token !== null) request.headers.authorization = `Bearer ${download.token}`;
      return download.path;
    },
  };
};

/** The cookie of a prepared download: only its own path gets it. */
export const downloadCookie = (sealed: string, url: string, secure: boolean) =>
  [cookieName(secure), sealed, { path: url, httpOnly: true, sameSite: 'strict', secure, maxAge: LIFETIME_S }] as const;

/** A frame of the console loads the file: its own pages may show what is sent instead. It runs no script. */
const FRAMED = "default-src 'none'; frame-ancestors 'self'";

const NAME = /filename="([^"]+)"/;

/**
 * Lets a frame of the console load downloads, where it reads why one failed. A download that begins notes its name in a cookie
 * for the page, and is used up.
 */
export const answerDownloads = (app: FastifyInstance, origins: Origins): void => {
  app.addHook('onSend', (request, reply, _payload, next) => {
    const url = request.originalUrl;
    if (!url.startsWith(DOWNLOADS) || request.method !== 'GET') return next();
    reply.header('content-security-policy', FRAMED).header('x-frame-options', 'SAMEORIGIN');
    const name = NAME.exec(String(reply.getHeader('content-disposition') ?? ''))?.[1];
    const secure = origins.isTls(request);
    if (name !== undefined) {
      const id = url.slice(DOWNLOADS.length);
      reply.setCookie(startedCookie(id, secure), name, { path: '/', sameSite: 'strict', secure, maxAge: LIFETIME_S });
      reply.clearCookie(cookieName(secure), { path: url, httpOnly: true, sameSite: 'strict', secure });
    }
    next();
  });
};
