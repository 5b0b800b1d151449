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
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was broken off',
  EPIPE: 'the connection was broken off',
  UND_ERR_SOCKET: 'the connection was broken off',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'its name cannot be resolved at the moment',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer',
  UND_ERR_BODY_TIMEOUT: 'its answer stopped in the middle',
};

type Trouble = Readonly<{ code: string; name: string; message: string }>;

/** The innermost code and message of an error: fetching wraps them, and trying several addresses lists them. */
const rootOf = (error: unknown): Trouble => {
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0]);
  if (!(error instanceof Error)) return { code: '', name: '', message: String(error) };
  if (error.cause instanceof Error) return rootOf(error.cause);
  const { name, message } = error;
  return { code: 'code' in error && typeof error.code === 'string' ? error.code : '', name, message };
};

/** Why a request to a server got no answer. */
export const troubleOf = (error: unknown, server: string): Failure => {
  const { code, name, message } = rootOf(error);
  const reach = `${server} is out of reach`;
  if (TLS.has(code)) {
    const hint =
      code === 'ERR_TLS_CERT_ALTNAME_INVALID'
        ? 'The certificate is for another name: check the address.'
        : 'For a certificate of your own authority set NODE_EXTRA_CA_CERTS to its file.';
    return unreachableAsConfigured('tls', `${server} is not trusted: ${message}`, { hint });
  }
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') {
    return unreachableAsConfigured('tls', `${server} does not speak TLS as expected`, {
      hint: 'Should the address begin with http:// ?',
    });
  }
  if (name === 'HTTPParserError' || code.startsWith('HPE_')) {
    return unreachableAsConfigured('not_http', `${server} does not answer in HTTP`, {
      hint: 'Should the address begin with https:// ? Does the port belong to another service?',
    });
  }
  if (/Proxy response|Proxy Authentication/.test(message)) {
    const hint = 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.';
    return unreachable('proxy', `${reach}: the proxy refused (${message})`, { hint });
  }
  return unreachable('unreachable', `${reach}: ${REASONS[code] ?? message}`);
};

/** The answer did not come in time, or somebody pressed Ctrl-C. */
export const abortedBy = (signal: AbortSignal, server: string): Failure =>
  signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    ? unreachable('timeout', `${server} did not answer in time`)
    : failed('interrupted', 'Interrupted');
