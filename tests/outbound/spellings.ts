import fc from 'fast-check';

/** Prefix as `address/bits`, read without the library that the guard reads with. */
type Prefix = { value: bigint; bits: number; width: 32 | 128 };

const v4Value = (address: string): bigint => address.split('.').reduce((value, octet) => value * 256n + BigInt(octet), 0n);

/** Eight groups written out, so that nothing needs to be guessed. */
const v6Value = (groups: string): bigint => groups.split(':').reduce((value, group) => value * 65536n + BigInt(`0x${group}`), 0n);

const prefix =
  (width: 32 | 128) =>
  (text: string): Prefix => {
    const [address = '', bits = ''] = text.split('/');
    return { value: width === 32 ? v4Value(address) : v6Value(address), bits: Number(bits), width };
  };

/** The special-purpose IPv4 registry, multicast, class E, and the host of Azure's machines. */
export const FORBIDDEN_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
].map(prefix(32));

const GLOBAL_UNICAST_V6 = prefix(128)('2000:0:0:0:0:0:0:0/3');

/** Special ranges inside the global unicast space, and well-known ones outside. */
export const FORBIDDEN_V6 = [
  '0:0:0:0:0:0:0:0/128',
  '0:0:0:0:0:0:0:1/128',
  '0:0:0:0:0:0:0:0/96',
  '0:0:0:0:0:ffff:0:0/96',
  '0:0:0:0:ffff:0:0:0/96',
  '64:ff9b:0:0:0:0:0:0/96',
  '64:ff9b:1:0:0:0:0:0/48',
  '100:0:0:0:0:0:0:0/64',
  '2001:0:0:0:0:0:0:0/32',
  '2001:0:0:0:0:0:0:0/23',
  '2001:db8:0:0:0:0:0:0/32',
  '2002:0:0:0:0:0:0:0/16',
  '2620:4f:8000:0:0:0:0:0/48',
  '3fff:0:0:0:0:0:0:0/20',
  '5f00:0:0:0:0:0:0:0/16',
  'fc00:0:0:0:0:0:0:0/7',
  'fe80:0:0:0:0:0:0:0/10',
  'fec0:0:0:0:0:0:0:0/10',
  'ff00:0:0:0:0:0:0:0/8',
].map(prefix(128));

const covers = ({ value, bits, width }: Prefix, address: bigint): boolean =>
  address >> BigInt(width - bits) === value >> BigInt(width - bits);

export const isForbiddenV4 = (address: bigint): boolean => FORBIDDEN_V4.some((each) => covers(each, address));
export const isForbiddenV6 = (address: bigint): boolean =>
  !covers(GLOBAL_UNICAST_V6, address) || FORBIDDEN_V6.some((each) => covers(each, address));

/** An address inside a prefix, its ends more often than chance would have it. */
export const inside = ({ value, bits, width }: Prefix): fc.Arbitrary<bigint> => {
  const size = 1n << BigInt(width - bits);
  const edge = fc.constantFrom(0n, size - 1n);
  return fc.oneof(edge, fc.bigInt({ min: 0n, max: size - 1n })).map((offset) => value + offset);
};

export const anyV4 = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
export const anyV6 = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), inside(GLOBAL_UNICAST_V6));
export const forbiddenV4 = fc.oneof(...FORBIDDEN_V4.map(inside));
export const forbiddenV6 = fc.oneof(...FORBIDDEN_V6.map(inside));
export const publicV4 = anyV4.filter((address) => !isForbiddenV4(address));
export const publicV6 = inside(GLOBAL_UNICAST_V6).filter((address) => !isForbiddenV6(address));

export const dotted = (address: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join('.');

const groupsOf = (address: bigint): number[] =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => Number((address >> shift) & 0xffffn));

/** All eight groups, as a resolver might write them. */
export const colons = (address: bigint): string =>
  groupsOf(address)
    .map((group) => group.toString(16))
    .join(':');

const radix = fc.constantFrom(
  (part: bigint) => part.toString(10),
  (part: bigint) => `0${part.toString(8)}`,
  (part: bigint) => `000${part.toString(8)}`,
  (part: bigint) => `0x${part.toString(16)}`,
  (part: bigint) => `0X000${part.toString(16).toUpperCase()}`,
);

const FULL_WIDTH = 0xff10 - 0x30;
const disguise = fc.constantFrom(
  (host: string) => host,
  (host: string) => `${host}.`,
  (host: string) => host.replaceAll('.', '%2e'),
  (host: string) => host.replaceAll('.', '\u3002'),
  (host: string) => host.replace(/[0-9]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + FULL_WIDTH)),
  (host: string) => host.replace(/[0-9]/g, (digit) => `%${digit.charCodeAt(0).toString(16)}`),
);

/** An IPv4 address as the host of a URL: one to four numbers, each decimal, octal or hexadecimal, plain or disguised. */
export const spelledV4 = (address: bigint): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(1, 2, 3, 4), fc.tuple(radix, radix, radix, radix), disguise).map(([count, spell, disguised]) => {
    const leading = [24n, 16n, 8n].slice(0, count - 1).map((shift) => (address >> shift) & 255n);
    const rest = address & (2n ** BigInt(8 * (5 - count)) - 1n);
    const parts = [...leading, rest].map((part, index) => (spell[index] ?? spell[0])(part));
    return disguised(parts.join('.'));
  });

const compressed = (text: string): string => text.replace(/(^|:)0(:0)+(:|$)/, '::');

/** An IPv6 address as the bracketed host of a URL: short, long, upper case, or with its end as IPv4. */
export const spelledV6 = (address: bigint): fc.Arbitrary<string> => {
  const full = colons(address);
  const padded = groupsOf(address).map((group) => group.toString(16).padStart(4, '0'));
  const tail = dotted(address & 0xffffffffn);
  const mixed = [
    ...groupsOf(address)
      .slice(0, 6)
      .map((group) => group.toString(16)),
    tail,
  ].join(':');
  return fc
    .constantFrom(full, compressed(full), padded.join(':'), padded.join(':').toUpperCase(), mixed)
    .map((text) => `[${text}]`);
};
