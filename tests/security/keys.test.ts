import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyDigest, newLicenseKey, newMasterLicenseKey, normalizeKey } from '../../src/security/keys.ts';
import { masterSecretOf } from '../../src/security/masterSecret.ts';

describe('a license key', () => {
  it('has the prefix, the segment and two groups of unambiguous characters', () => {
    expect(newLicenseKey('LK')).toMatch(/^LK-ENT-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(newMasterLicenseKey('ACME')).toMatch(/^ACME-SI-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{5}$/);
  });

  it('uses every character and is different each time', () => {
    const keys = Array.from({ length: 2000 }, () => newLicenseKey('LK'));
    expect(new Set(keys).size).toBe(2000);
    expect(new Set(keys.flatMap((key) => [...key.slice('LK-ENT-'.length).replace('-', '')])).size).toBe(32);
  });

  it('is found in any spelling', () => {
    const { pepper } = masterSecretOf(randomBytes(32));
    expect(normalizeKey('  lk-ent-aaaa-bbbbb\n')).toBe('LK-ENT-AAAA-BBBBB');
    expect(keyDigest(pepper, ' lk-ent-aaaa-bbbbb')).toEqual(keyDigest(pepper, 'LK-ENT-AAAA-BBBBB'));
    expect(keyDigest(pepper, 'LK-ENT-AAAA-BBBBB')).toHaveLength(32);
  });

  it('has another digest under another secret', () => {
    const [one, other] = [masterSecretOf(randomBytes(32)), masterSecretOf(randomBytes(32))];
    expect(keyDigest(one.pepper, 'LK-ENT-AAAA-BBBBB')).not.toEqual(keyDigest(other.pepper, 'LK-ENT-AAAA-BBBBB'));
  });
});

describe('a master secret', () => {
  it('always gives the same derived keys, each one different', () => {
    const bytes = Buffer.alloc(32, 7);
    const secret = masterSecretOf(bytes);
    expect(masterSecretOf(bytes)).toEqual(secret);
    expect(secret.wrappingKey).not.toEqual(secret.pepper);
    expect(secret.id).toMatch(/^[0-9a-f]{16}$/);
  });

  it('has 32 bytes', () => {
    expect(() => masterSecretOf(randomBytes(31))).toThrow('32 bytes');
  });
});
