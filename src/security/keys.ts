import { createHmac, randomBytes } from 'node:crypto';
import { DEFAULT_PLAN } from '../domain/limits.ts';

/** Crockford's base32: no I, L, O and U, so that nothing is taken for something else when it is read aloud. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Letters of 5 random bits each: the alphabet's 32 divide 256, so a byte picks each of them as often as any other. */
const randomLetters = (count: number): string =>
  Array.from(randomBytes(count), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');

const newKey = (prefix: string, segment: string): string => `${prefix}-${segment}-${randomLetters(4)}-${randomLetters(5)}`;

/**
 * A customer's license key, as `LK-ENT-7K2M-Q9XTR`, with the code of its plan: 45 bits of chance, so ask whether it is taken before it is
 * used.
 */
export const newLicenseKey = (prefix: string, tier: string = DEFAULT_PLAN): string => newKey(prefix, tier);

/** An integrator's master license key, as `LK-SI-7K2M-Q9XTR`. */
export const newMasterLicenseKey = (prefix: string): string => newKey(prefix, 'SI');

/** An administrator's key: 125 random bits, as `LK-ADMIN-XXXXX-XXXXX-XXXXX-XXXXX-XXXXX`. */
export const newAdminKey = (prefix: string): string =>
  [prefix, 'ADMIN', ...Array.from({ length: 5 }, () => randomLetters(5))].join('-');

/** A key as it is compared: without surrounding blanks, in upper case. */
export const normalizeKey = (text: string): string => text.trim().toUpperCase();

/** The digest by which a key is looked up (32 bytes), which reveals nothing without the pepper. Accepts a key in any spelling. */
export const keyDigest = (pepper: Buffer, key: string): Buffer => createHmac('sha256', pepper).update(normalizeKey(key)).digest();

/** Names a key in records, as 12 hexadecimal digits: the same for the same key, and of no use to find the key without the secret. */
export const keyFingerprint = (secret: Buffer, key: string): string =>
  createHmac('sha256', secret).update(normalizeKey(key)).digest('hex').slice(0, 12);
