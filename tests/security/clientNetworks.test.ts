import { describe, expect, it } from 'vitest';
import { networksOf } from '../../src/security/clientNetworks.ts';

describe('the network of a client', () => {
  it('is its IPv4 address, and the /24 around it', () => {
    expect(networksOf('203.0.113.9')).toEqual({ address: '203.0.113.9', network: '203.0.113.0/24' });
    expect(networksOf('::ffff:203.0.113.9')).toEqual(networksOf('203.0.113.9'));
  });

  it('is its IPv6 /64, and the /48 around it', () => {
    expect(networksOf('2001:db8:1:2:aaaa::1')).toEqual({ address: '2001:db8:1:2::/64', network: '2001:db8:1::/48' });
    expect(networksOf('2001:0DB8:1:2::9')).toEqual(networksOf('2001:db8:1:2:aaaa::1'));
    expect(networksOf('2001:db8:1:3::9').address).not.toBe(networksOf('2001:db8:1:2::9').address);
    expect(networksOf('2001:db8:1:3::9').network).toBe(networksOf('2001:db8:1:2::9').network);
  });

  it('is the same for every port that a proxy appends', () => {
    expect(networksOf('203.0.113.9:1234')).toEqual(networksOf('203.0.113.9'));
    expect(networksOf('[2001:db8:1:2::1]:443')).toEqual(networksOf('2001:db8:1:2::1'));
    expect(networksOf('[2001:db8:1:2::1]')).toEqual(networksOf('2001:db8:1:2::1'));
    expect(networksOf('fe80::1%eth0')).toEqual(networksOf('fe80::1'));
  });

  it('is the same for everything that is not an address', () => {
    for (const text of ['', 'unknown', '_hidden', '203.0.113.9:x', '203.0.113', '1', '0x7f000001', '999.0.0.1']) {
      expect(networksOf(text)).toEqual({ address: 'unknown', network: null });
    }
  });
});
