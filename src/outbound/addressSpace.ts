import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** `address` is valid for `isIP`. IPv6 goes through the URL parser, since ipaddr.js reads `::10.0.0.1` as `::ffff:10.0.0.1`. */
const parse = (address: string): Address =>
  isIP(address) === 6
    ? ipaddr.IPv6.parse(new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1))
    : ipaddr.IPv4.parse(address);

/** The only IPv6 range that is allocated to the public internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** The virtual address of Azure's host, in a public range, which provides secrets of the virtual machine. */
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

/** Describes a non-public address, as a phrase for a sentence; null for a public one. */
export const specialKindOf = (address: string): string | null => {
  if (isIP(address) === 0) return 'no IP address';
  const parsed = parse(address);
  const range: string = parsed.range();
  if (range !== 'unicast') return phrases[range] ?? 'a reserved address';
  const isPublic = parsed instanceof ipaddr.IPv6 ? parsed.match(GLOBAL_UNICAST) : parsed.toString() !== AZURE_HOST;
  return isPublic ? null : 'a reserved address';
};

/** Whether the operator has allowed an address. An IPv4 network never matches an IPv6 address. */
export type AllowList = (address: string) => boolean;

const networkOf = (cidr: string): [Address, number] => {
  const [, network = '', prefix] = /^([^/]+)\/(\d{1,3})$/.exec(cidr) ?? [];
  const bits = isIP(network) === 4 ? 32 : 128;
  if (isIP(network) === 0 || Number(prefix) > bits) throw new Error(`Not a network like 10.1.0.0/16: ${cidr}`);
  return [parse(network), Number(prefix)];
};

/** Parses networks like `10.1.0.0/16` and `fd00::/8`. Throws for any other entry instead of ignoring it. */
export const allowListOf = (cidrs: readonly string[]): AllowList => {
  const networks = cidrs.map(networkOf);
  return (address) => {
    if (isIP(address) === 0) return false;
    const parsed = parse(address);
    return networks.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
  };
};
