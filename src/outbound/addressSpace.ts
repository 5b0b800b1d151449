import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** `address` is one that `isIP` knows. IPv6 goes through the URL parser, since ipaddr.js reads `::10.0.0.1` as `::ffff:10.0.0.1`. */
const parse = (address: string): Address =>
  isIP(address) === 6
    ? ipaddr.IPv6.parse(new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1))
    : ipaddr.IPv4.parse(address);

/** The only part of IPv6 that is handed out to hosts of the public internet; all else is special or not in use. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** A public address by its number, which answers inside Azure only, with the host's own secrets. */
const AZURE_HOST = '168.63.129.16';

const EMBEDDED_IPV4 = 'an IPv4 address inside IPv6';
const phrases: Readonly<Record<string, string>> = {
  private: 'a private address',
  uniqueLocal: 'a private address',
  loopback: 'a loopback address',
  linkLocal: 'a link-local address',
  carrierGradeNat: 'a carrier-grade NAT address',
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
  unspecified: 'an unspecified address',
  ipv4Mapped: EMBEDDED_IPV4,
  rfc6052: EMBEDDED_IPV4,
  rfc6145: EMBEDDED_IPV4,
  '6to4': EMBEDDED_IPV4,
  teredo: EMBEDDED_IPV4,
};

/** What an address is when no host of the public internet has it, as words for a sentence; null for a public one. */
export const specialKindOf = (address: string): string | null => {
  if (isIP(address) === 0) return 'no IP address';
  const parsed = parse(address);
  const range: string = parsed.range();
  if (range !== 'unicast') return phrases[range] ?? 'a reserved address';
  const isPublic = parsed instanceof ipaddr.IPv6 ? parsed.match(GLOBAL_UNICAST) : parsed.toString() !== AZURE_HOST;
  return isPublic ? null : 'a reserved address';
};

/** Whether the operator has named an address. An IPv4 network covers no IPv6 address, however it is spelled. */
export type AllowList = (address: string) => boolean;

const networkOf = (cidr: string): [Address, number] => {
  const [, network = '', prefix] = /^([^/]+)\/(\d{1,3})$/.exec(cidr) ?? [];
  const bits = isIP(network) === 4 ? 32 : 128;
  if (isIP(network) === 0 || Number(prefix) > bits) throw new Error(`Not a network like 10.1.0.0/16: ${cidr}`);
  return [parse(network), Number(prefix)];
};

/** Reads networks like `10.1.0.0/16` and `fd00::/8`; throws on anything else, since a list half read would be a hole or a trap. */
export const allowListOf = (cidrs: readonly string[]): AllowList => {
  const networks = cidrs.map(networkOf);
  return (address) => {
    if (isIP(address) === 0) return false;
    const parsed = parse(address);
    return networks.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
  };
};
