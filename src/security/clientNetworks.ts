import ipaddr from 'ipaddr.js';

/** A client as rate limits see it: what counts as one address, and the wider network that it belongs to. */
export type ClientNetworks = Readonly<{
  /** `203.0.113.9`, `2001:db8:1:2::/64`, or `unknown`. */
  address: string;
  /** `203.0.113.0/24` or `2001:db8:1::/48`; null for an unknown address. */
  network: string | null;
}>;

/** What a proxy may append to an address: `203.0.113.9:1234` and `[2001:db8::1]:1234` name the client before the port. */
const withoutPort = (address: string): string =>
  /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1] ?? address;

const parse = (address: string): ipaddr.IPv4 | ipaddr.IPv6 | null => {
  const bare = withoutPort(address.trim()).split('%')[0] ?? '';
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : null;
};

const prefixOf = (address: ipaddr.IPv6, groups: number): string => {
  const zeros: number[] = Array.from({ length: 8 - groups }, () => 0);
  return `${new ipaddr.IPv6([...address.parts.slice(0, groups), ...zeros]).toString()}/${groups * 16}`;
};

/** The client's address without port and zone, normalized; null if it is invalid. */
export const clientAddressOf = (address: string): string | null => parse(address)?.toString() ?? null;

/** An IPv6 client owns a /64 at least, and its site a /48; an IPv4 client has one address, and its provider a /24. */
export const networksOf = (address: string): ClientNetworks => {
  const parsed = parse(address);
  if (parsed === null) return { address: 'unknown', network: null };
  if (parsed instanceof ipaddr.IPv6) return { address: prefixOf(parsed, 4), network: prefixOf(parsed, 3) };
  return { address: parsed.toString(), network: `${parsed.octets.slice(0, 3).join('.')}.0/24` };
};

/** A CIDR block or a single address, normalized: `203.0.113.9/24` is `203.0.113.0/24`. Null if it is neither. */
export const cidrOf = (text: string): string | null => {
  const [address = '', bits, ...rest] = text.trim().split('/');
  const parsed = parse(address);
  if (parsed === null || rest.length > 0 || address !== withoutPort(address) || address.includes('%')) return null;
  const most = parsed.kind() === 'ipv6' ? 128 : 32;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)) return null;
  const block = `${parsed.toString()}/${bits === undefined ? most : Number(bits)}`;
  const first = parsed.kind() === 'ipv6' ? ipaddr.IPv6.networkAddressFromCIDR(block) : ipaddr.IPv4.networkAddressFromCIDR(block);
  return `${first.toString()}/${block.split('/')[1]}`;
};

/** Whether a client's address is in one of the CIDR blocks. */
export const isWithin = (address: string, blocks: readonly string[]): boolean => {
  const parsed = parse(address);
  return (
    parsed !== null &&
    blocks.some((block) => {
      const [range, bits] = ipaddr.parseCIDR(block);
      return range.kind() === parsed.kind() && parsed.match(range, bits);
    })
  );
};
