import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction, connect as openPlain, type Socket } from 'node:net';
import { connect as openTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { type AllowList, specialKindOf } from './addressSpace.ts';

/** The addresses of a host name, in the order to try; rejects with an error whose `code` is that of `node:dns`. */
export type Resolver = (hostname: string) => Promise<readonly string[]>;

/** The system's own resolution: hosts file, search domains and name servers. */
export const systemResolver: Resolver = async (hostname) =>
  (await systemLookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address);

/** `kind` describes the address. The address itself is omitted, because it may reveal the internal network. */
export class AddressRefused extends Error {
  readonly kind: string;
  constructor(kind: string) {
    super(`Resolves to ${kind}`);
    this.kind = kind;
  }
}

/** Unencrypted http to a host that the operator has not allowed. */
export class PlainRefused extends Error {}

/** The name cannot be resolved. `cause` is the resolver's error. */
export class LookupFailed extends Error {}

export type Guard = Readonly<{ allow: AllowList; resolver: Resolver }>;

const resolved = async (hostname: string, resolver: Resolver): Promise<readonly string[]> => {
  if (isIP(hostname) !== 0) return [hostname];
  try {
    return await resolver(hostname);
  } catch (cause) {
    throw new LookupFailed(`Cannot look up ${hostname}`, { cause });
  }
};

/**
 * The addresses that may be connected to for a host: all of them, or none when a single one is not allowed.
 * `hostname` is a name or an IP literal without brackets, as a parsed URL holds it. Throws AddressRefused, PlainRefused, LookupFailed.
 */
export const permittedAddresses = async (hostname: string, plain: boolean, guard: Guard): Promise<readonly string[]> => {
  const addresses = await resolved(hostname, guard.resolver);
  if (addresses.length === 0) throw new LookupFailed(`${hostname} has no address`);
  for (const address of addresses) {
    if (guard.allow(address)) continue;
    const kind = specialKindOf(address);
    if (kind !== null) throw new AddressRefused(kind);
    if (plain) throw new PlainRefused(`Plain http is not allowed to ${hostname}`);
  }
  return addresses;
};

/** The delay before the next address of a name is tried concurrently, in ms. */
const NEXT_ADDRESS_DELAY_MS = 1500;

const opened = (socket: Socket, event: 'connect' | 'secureConnect'): Promise<Socket> =>
  new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once(event, () => resolve(socket));
  });

/**
 * Opens connections for undici. Each connection resolves the name once, checks the addresses and connects to a checked one, which
 * prevents DNS rebinding. Aborting `signal` closes the socket. `ca` (PEM) replaces Node's trusted root certificates.
 */
export const guardedConnector = ({
  signal,
  ca,
  ...guard
}: Guard & { signal: AbortSignal; ca?: string | undefined }): buildConnector.connector => {
  const open = async ({ hostname, protocol, port }: buildConnector.Options): Promise<Socket> => {
    const plain = protocol !== 'https:';
    const addresses = await permittedAddresses(hostname, plain, guard);
    signal.throwIfAborted();
    const checked = addresses.map((address) => ({ address, family: isIP(address) }));
    const lookup: LookupFunction = (_hostname, _options, callback) => callback(null, checked);
    const to = {
      host: hostname,
      port: Number(port || (plain ? 80 : 443)),
      lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_DELAY_MS,
      signal,
    };
    if (plain) return opened(openPlain(to), 'connect');
    const servername = isIP(hostname) === 0 ? hostname : '';
    return opened(openTls({ ...to, servername, ca, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] }), 'secureConnect');
  };
  return (options, callback) => {
    open(options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
};
