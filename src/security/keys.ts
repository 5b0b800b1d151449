import { createHmac, randomBytes } from 'node:crypto';

/** Crockford's base32: no I, L, O and U. Its 32 letters divide 256, so a random byte picks each as often as the other. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const randomLetters = (count: number): string =>
  Array.from(randomBytes(count), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');

const newKey = (prefix: string, segment: 'ENT' | 'SI'): string => `${prefix}-${segment}-${randomLetters(4)}-${randomLetters(5)}`;

/** A customer's licence key, as `LK-ENT-7K2M-Q9XTR`: 45 bits of chance, so ask whether it is taken before it is used. */
export const newLicenseKey = (prefix: string): string => newKey(prefix, 'ENT');

/** An integrator's master licence key, as `LK-SI-7K2M-Q9XTR`. */
export const newMasterLicenseKey = (prefix: string): string => newKey(prefix, 'SI');

/** A key as it is compared: people type blanks around it and lower case. */
export const normalizeKey = (text: string): string => text.trim().toUpperCase();

/** What a key is looked up by (32 bytes); says nothing about the key to who has no pepper. Takes a key as it was typed. */
export const keyDigest = (pepper: Buffer, key: string): Buffer => createHmac('sha256', pepper).update(normalizeKey(key)).digest();
