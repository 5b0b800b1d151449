import { Client } from 'undici';
import { allowListOf } from './addressSpace.ts';
import { type Failure, failureOf, TooLarge } from './failure.ts';
import { guardedConnector, type Resolver, systemResolver } from './guard.ts';

/** A response of any status, including redirects. `body` is decoded as UTF-8; `header` returns the first value of a name. */
export type Answer<Body = string> = Readonly<{ status: number; body: Body; header: (name: string) => string | null }>;

export type Fetched<Body = string> = Readonly<{ ok: true; answer: Answer<Body> }> | Readonly<{ ok: false; failure: Failure }>;

export type Reach = Readonly<{
  /** Networks like `10.1.0.0/16` that are allowed although they are not public, also over unencrypted http. */
  allow: readonly string[];
  resolver?: Resolver | undefined;
  /** For the whole request: name resolution, connection, headers and body. */
  timeoutMs?: number | undefined;
  /** Trusted root certificates (PEM) instead of Node's. */
  ca?: string | undefined;
}>;

export const OVERALL_TIMEOUT_MS = 5000;
export const MAX_BODY_BYTES = 64 * 1024;

/** Excludes port 0, which is not a valid destination. */
const isSupported = (url: URL): boolean =>
  ['https:', 'http:'].includes(url.protocol) && url.port !== '0' && url.username === '' && url.password === '';

const firstOf = (value: string | string[] | undefined): string | null => (Array.isArray(value) ? value[0] : value) ?? null;

const bytesOf = async (body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new TooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const send = async (
  client: Client,
  url: URL,
  headers: Readonly<Record<string, string>>,
  { signal, maxBytes, form }: { signal: AbortSignal; maxBytes: number; form: string | null },
): Promise<Answer<Buffer>> => {
  const method = form === null ? 'GET' : 'POST';
  const response = await client.request({ method, path: url.pathname + url.search, headers, body: form, signal });
  const body = await bytesOf(response.body, maxBytes);
  return { status: response.statusCode, body, header: (name) => firstOf(response.headers[name]) };
};

/**
 * One GET request to an untrusted URL: without redirects, proxies, cookies and connection reuse. Failures are returned;
 * throws only on bugs. The fragment is not sent.
 */
export const guardedGet = async (url: URL, headers: Readonly<Record<string, string>>, reach: Reach): Promise<Fetched> => {
  const fetched = await guardedBytes(url, headers, { ...reach, maxBytes: MAX_BODY_BYTES });
  return fetched.ok ? { ok: true, answer: { ...fetched.answer, body: fetched.answer.body.toString('utf8') } } : fetched;
};

/** Like `guardedGet`, with the raw body of at most `maxBytes`. With a `form` it is a POST request, whose headers name the form's type. */
export const guardedBytes = async (
  url: URL,
  headers: Readonly<Record<string, string>>,
  reach: Reach & { maxBytes: number; form?: string | null },
): Promise<Fetched<Buffer>> => {
  if (!isSupported(url)) return { ok: false, failure: { kind: 'unsupported_url' } };
  const { timeoutMs = OVERALL_TIMEOUT_MS, resolver = systemResolver, ca, maxBytes, form = null } = reach;
  const allow = allowListOf(reach.allow);
  const deadline = new AbortController();
  const { signal } = deadline;
  const late = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  const connect = guardedConnector({ allow, resolver, signal, ca });
  const client = new Client(url.origin, { connect, headersTimeout: 0, bodyTimeout: 0 });
  try {
    return { ok: true, answer: await Promise.race([send(client, url, headers, { signal, maxBytes, form }), late]) };
  } catch (error) {
    return { ok: false, failure: signal.aborted ? { kind: 'timed_out', afterMs: timeoutMs } : failureOf(error) };
  } finally {
    clearTimeout(timer);
    await client.destroy();
  }
};
