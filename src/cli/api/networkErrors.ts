import { type Failure, failed, unreachable, unreachableAsConfigured } from '../failure.ts';

const TLS = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'UND_ERR_PRX_TLS',
]);

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  UND_ERR_SOCKET: 'connection reset',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the host name cannot be resolved right now',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'no reply',
  UND_ERR_CONNECT_TIMEOUT: 'no reply',
  UND_ERR_HEADERS_TIMEOUT: 'no reply',
  UND_ERR_BODY_TIMEOUT: 'the reply was incomplete',
};

type NetworkError = Readonly<{ code: string; name: string; message: string }>;

/** The innermost code and message of an error. undici wraps errors, and attempts with several addresses aggregate them. */
const rootOf = (error: unknown): NetworkError => {
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0]);
  if (!(error instanceof Error)) return { code: '', name: '', message: String(error) };
  if (error.cause instanceof Error) return rootOf(error.cause);
  const { name, message } = error;
  return { code: 'code' in error && typeof error.code === 'string' ? error.code : '', name, message };
};

/** The failure for a request without a response. */
export const networkFailure = (error: unknown, server: string): Failure => {
  const { code, name, message } = rootOf(error);
  const reach = `${server} is unreachable`;
  if (TLS.has(code)) {
    const hint =
      code === 'ERR_TLS_CERT_ALTNAME_INVALID'
        ? 'The certificate is for another host name. Check the address.'
        : 'For a private certificate authority, set NODE_EXTRA_CA_CERTS to its certificate file.';
    return unreachableAsConfigured('tls', `${server} is not trusted: ${message}`, { hint });
  }
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') {
    return unreachableAsConfigured('tls', `${server} does not support TLS on this port`, {
      hint: 'Should the address start with http:// ?',
    });
  }
  if (name === 'HTTPParserError' || code.startsWith('HPE_')) {
    return unreachableAsConfigured('not_http', `${server} does not reply with HTTP`, {
      hint: 'Should the address start with https:// ? Does the port belong to another service?',
    });
  }
  if (/Proxy response|Proxy Authentication/.test(message)) {
    const hint = 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.';
    return unreachable('proxy', `${reach}: the proxy refused (${message})`, { hint });
  }
  return unreachable('unreachable', `${reach}: ${REASONS[code] ?? message}`);
};

/** The failure for an aborted request: a timeout, or an interrupt by the user. */
export const abortedBy = (signal: AbortSignal, server: string): Failure =>
  signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    ? unreachable('timeout', `${server} did not reply in time`)
    : failed('interrupted', 'Interrupted');
