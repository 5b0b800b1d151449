import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** The host and the protocol that a client asked for. */
export type Forwarded = Readonly<{ protocol: string; host: string | undefined }>;

const lastOf = (header: string | string[] | undefined): string | undefined =>
  [header ?? []].flat().join(',').split(',').at(-1)?.trim();

/**
 * Reads what a client asked for as Fastify does, for upgrades, which do not pass Fastify: `X-Forwarded-*` counts only where the peer is a
 * trusted proxy, and of several values the last one, which that proxy added.
 */
export const forwardedBy = (trustProxy: false | readonly string[]): ((request: IncomingMessage) => Forwarded) => {
  const isTrusted = trustProxy === false ? () => false : proxyAddr.compile([...trustProxy]);
  return ({ headers, socket }) => {
    const isProxy = socket.remoteAddress !== undefined && isTrusted(socket.remoteAddress, 0);
    const forwarded = isProxy
      ? { host: lastOf(headers['x-forwarded-host']), protocol: lastOf(headers['x-forwarded-proto']) }
      : null;
    return { host: forwarded?.host || headers.host, protocol: forwarded?.protocol || 'http' };
  };
};

/** Whether a request names more than one host, of which proxies and servers may believe different ones. */
export const hasTwoHosts = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
};
