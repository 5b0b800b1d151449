import { errors } from 'undici';
import { AddressRefused, LookupFailed, PlainRefused } from './guard.ts';
import { tlsReasonOf } from './tlsReasons.ts';

/** Why no answer came. None of it was written by the other side, but for the letters of an error code. */
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

/** More came than is read. */
export class TooLarge extends Error {
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`More than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** How much of headers Node and undici read, in bytes. */
const MAX_HEADER_BYTES = 16_384;

/** The most telling first: of several addresses that failed, the one that was reached says most. */
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

/** What resolvers say when there is nothing to find; every other code means that they could not tell. */
const NO_SUCH_NAME: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** The `code` of an error of Node, c-ares, OpenSSL or undici; empty when it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const codesOf = (error: unknown): readonly string[] =>
  error instanceof AggregateError ? error.errors.map(codeOf) : [codeOf(error)];

const ofLookup = ({ cause }: LookupFailed): Failure =>
  cause === undefined || NO_SUCH_NAME.has(codeOf(cause)) ? { kind: 'name_not_found' } : { kind: 'lookup_failed' };

/** What went wrong with a request, from the error that ended it. An error that tells of no network is a bug and is thrown on. */
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
  // undici asserts what its parser lets through, a status below 100 for one, in place of refusing it.
  if (error instanceof errors.HTTPParserError || code === 'ERR_ASSERTION') return { kind: 'not_http' };
  if (/^E[A-Z0-9]{2,30}$/.test(code)) return { kind: 'failed', code };
  throw error;
};
