import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** Where a store listens for other nodes. Without TLS only on a loopback address. Keys and certificates are PEM. */
export type Network = Readonly<{
  host: string;
  /** 0 selects a free port. */
  port: number;
  tls?: Readonly<{ key: string | Uint8Array; cert: string | Uint8Array }>;
}>;

/** A login of other nodes at a store of this one. */
export type Credentials = Readonly<{ username: string; password: string }>;

const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];

/** Whether a host can be reached from this machine only. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** Whether a listener on this host accepts connections on all addresses of the machine. */
export const isWildcard = (host: string): boolean => WILDCARDS.includes(host);

/** The host by which other nodes reach the listener. */
export const reachableHost = (host: string): string => (isWildcard(host) ? hostname() : host);

/** The host and port by which other nodes reach the listener. */
export const reachableAt = (host: string, port: number): string => {
  const name = reachableHost(host);
  return `${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
};
