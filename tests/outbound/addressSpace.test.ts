import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowListOf, specialKindOf } from '../../src/outbound/addressSpace.ts';
import {
  anyV4,
  anyV6,
  colons,
  dotted,
  FORBIDDEN_V4,
  FORBIDDEN_V6,
  forbiddenV4,
  forbiddenV6,
  inside,
  isForbiddenV4,
  isForbiddenV6,
  publicV4,
  publicV6,
} from './spellings.ts';

const runs = { numRuns: 2000 };

describe('the kind of an address', () => {
  it('is special exactly for the ranges in the registries of IPv4', () => {
    fc.assert(
      fc.property(fc.oneof(anyV4, forbiddenV4), (address) => {
        expect(specialKindOf(dotted(address)) !== null).toBe(isForbiddenV4(address));
      }),
      runs,
    );
  });

  it('is special for every IPv6 address outside global unicast, and for the reserved parts of it', () => {
    fc.assert(
      fc.property(fc.oneof(anyV6, forbiddenV6), (address) => {
        expect(specialKindOf(colons(address)) !== null).toBe(isForbiddenV6(address));
      }),
      runs,
    );
  });

  it.each([...FORBIDDEN_V4.map((each) => [each, dotted] as const), ...FORBIDDEN_V6.map((each) => [each, colons] as const)])(
    'is special from the first to the last address of $0.value/$0.bits',
    (range, spell) => {
      fc.assert(fc.property(inside(range), (address) => specialKindOf(spell(address)) !== null));
    },
  );

  it.each([
    ['127.0.0.1', 'a loopback address'],
    ['::1', 'a loopback address'],
    ['10.0.0.1', 'a private address'],
    ['fd00:ec2::254', 'a private address'],
    ['169.254.169.254', 'a link-local address'],
    ['fe80::1%eth0', 'a link-local address'],
    ['100.100.100.200', 'a carrier-grade NAT address'],
    ['224.0.0.1', 'a multicast address'],
    ['255.255.255.255', 'a broadcast address'],
    ['::', 'an unspecified address'],
    ['::ffff:93.184.216.34', 'an IPv4 address inside IPv6'],
    ['64:ff9b::5db8:d822', 'an IPv4 address inside IPv6'],
    ['2002:7f00:1::', 'an IPv4 address inside IPv6'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'an IPv4 address inside IPv6'],
    ['168.63.129.16', 'a reserved address'],
    ['::127.0.0.1', 'a reserved address'],
    ['jira.example.test', 'no IP address'],
    ['0x7f.1', 'no IP address'],
    ['', 'no IP address'],
  ])('%s is %s', (address, kind) => expect(specialKindOf(address)).toBe(kind));
});

describe('an allow-list', () => {
  const width = { 32: { spell: dotted, any: anyV4 }, 128: { spell: colons, any: anyV6 } } as const;

  it.each([32, 128] as const)('covers addresses with the prefix of a network, and no others (%s bits)', (bits) => {
    const { spell, any } = width[bits];
    const networks = fc.tuple(any, fc.integer({ min: 0, max: bits }), any, fc.boolean());
    fc.assert(
      fc.property(networks, ([network, length, random, near]) => {
        const rest = BigInt(bits - length);
        const address = near ? ((network >> rest) << rest) | (random & ((1n << rest) - 1n)) : random;
        const allowed = allowListOf([`${spell(network)}/${length}`])(spell(address));
        expect(allowed).toBe(network >> rest === address >> rest);
      }),
      runs,
    );
  });

  it('covers the addresses of all its networks', () => {
    const allowed = allowListOf(['10.1.0.0/16', 'fd00::/8']);
    expect(['10.1.255.255', 'fd12::1', '10.2.0.0', 'fe80::1', '8.8.8.8'].map(allowed)).toEqual([true, true, false, false, false]);
  });

  it('of IPv4 covers no IPv6 address that holds an IPv4 one, and the other way round', () => {
    fc.assert(
      fc.property(anyV4, anyV6, (v4, v6) => {
        expect(allowListOf(['0.0.0.0/0'])(colons(v6))).toBe(false);
        expect(allowListOf(['0.0.0.0/0'])(`::ffff:${dotted(v4)}`)).toBe(false);
        expect(allowListOf(['::/0'])(dotted(v4))).toBe(false);
      }),
    );
  });

  it('that is empty covers nothing', () => {
    fc.assert(
      fc.property(fc.oneof(forbiddenV4, publicV4).map(dotted), fc.oneof(forbiddenV6, publicV6).map(colons), (v4, v6) => {
        expect([v4, v6].map(allowListOf([]))).toEqual([false, false]);
      }),
    );
  });

  it.each([
    '10.0.0.0',
    '10.0.0.0/33',
    '::1/129',
    '10/8',
    '0x7f.0.0.0/8',
    'localhost/8',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/-1',
    '',
  ])('rejects "%s"', (cidr) => expect(() => allowListOf(['127.0.0.0/8', cidr])).toThrow(/^Not a network/));
});
