import { errors } from 'undici';
import { AddressRefused, LookupFailed, PlainRefused } from './guard.ts';
import { tlsReasonOf } from './tlsReasons.ts';

/** Why a request got no response. Contains no data of the remote server, except for an error code. */
export type Failure =
  | Readonly<{ kind: 'unsupported_url' }>
  | Readonly<{ kind: 'address_refused'; address: string }>
  | Readonly<{ kind: 'plain_refused' }>
  | Readonly<{ kind: 'name_not_found' }>
  | Readonly<{ kind: 'lookup_failed' }>
  | Readonly<{ kind: 'connection_refused' }>
  | Readonly<{ kind: 'connection_closed' }>
  | Readonly<{ kind: 'unreachable' }>
  | Readonly<{ kind: 'tls'; reason: string }>
  | Readonly<{ kind: 'timed_out'; afterMs: number }>
  | Readonly<{ kind: 'too_large'; maxBytes: number }>
  | Readonly<{ kind: 'not_http' }>
  | Readonly<{ kind: 'failed'; code: string }>;

/** The response body exceeds the limit. */
export class TooLarge extends Error {
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`More than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** The limit of Node and undici for response headers, in bytes. */
const MAX_HEADER_BYTES = 16_384;

/** In order of precedence: if several addresses failed, an error of a reachable host is the most specific. */
const byCode = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  UND_ERR_SOCKET: 'connection_closed',
  UND_ERR_INFO: 'connection_closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'connection_closed',
  ETIMEDOUT: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
} as const satisfies Record<string, Failure['kind']>;

/** Codes for a name without addresses. Any other code is a failure of the resolver. */
const NO_SUCH_NAME: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** The `code` of an error of Node, c-ares, OpenSSL or undici; empty when it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const codesOf = (error: unknown): readonly string[] =>
  error instanceof AggregateError ? error.errors.map(codeOf) : [codeOf(error)];

const ofLookup = ({ cause }: LookupFailed): Failure =>
  cause === undefined || NO_SUCH_NAME.has(codeOf(cause)) ? { kind: 'name_not_found' } : { kind: 'lookup_failed' };

/** Classifies the error of a request. Rethrows an error that is not a network error, because it is a bug. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof AddressRefused) return { kind: 'address_refused', address: error.kind };
  if (error instanceof PlainRefused) return { kind: 'plain_refused' };
  if (error instanceof LookupFailed) return ofLookup(error);
  if (error instanceof TooLarge) return { kind: 'too_large', maxBytes: error.maxBytes };
  const codes = codesOf(error);
  for (const [code, kind] of Object.entries(byCode)) if (codes.includes(code)) return { kind };
  const [code = ''] = codes;
  const reason = tlsReasonOf(code);
  if (reason !== null) return { kind: 'tls', reason };
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW')
    return { kind: 'too_large', maxBytes: MAX_HEADER_BYTES };
  // undici asserts on some malformed responses, such as a status below 100, instead of rejecting them.
  if (error instanceof errors.HTTPParserError || code === 'ERR_ASSERTION') return { kind: 'not_http' };
  if (/^E[A-Z0-9]{2,30}$/.test(code)) return { kind: 'failed', code };
  throw error;
};
