import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256Of } from './sha256.ts';

/** Base62: a double click selects all of a token. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'lkt_';
/** 43 characters of 62 are 256 random bits. */
const RANDOM = 43;
/** 6 of them hold a CRC-32. */
const CHECKSUM = 6;
/** The highest multiple of 62 that a byte reaches: bytes from it on would make some characters more likely. */
const FAIR_BYTES = 248;
const FORM = /^lkt_[0-9A-Za-z]{49}$/;

const randomCharacters = (count: number): string => {
  let characters = '';
  while (characters.length < count) {
    for (const byte of randomBytes(count)) if (byte < FAIR_BYTES) characters += ALPHABET.charAt(byte % ALPHABET.length);
  }
  return characters.slice(0, count);
};

const checksumOf = (random: string): string => {
  let rest = crc32(random);
  let characters = '';
  for (let place = 0; place < CHECKSUM; place++) {
    characters = ALPHABET.charAt(rest % ALPHABET.length) + characters;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return characters;
};

/** A new API token: `lkt_`, 256 random bits in base62, and their checksum. */
export const newApiToken = (): string => {
  const random = randomCharacters(RANDOM);
  return `${PREFIX}${random}${checksumOf(random)}`;
};

/** Whether a credential claims to be an API token, and no token of a session. */
export const isApiToken = (text: string): boolean => text.startsWith(PREFIX);

/** Whether an API token is complete and without typing errors; needs no database. */
export const hasChecksum = (token: string): boolean => {
  if (!FORM.test(token)) return false;
  const random = token.slice(PREFIX.length, PREFIX.length + RANDOM);
  return token.slice(-CHECKSUM) === checksumOf(random);
};

/** How a token is stored. With 256 random bits it needs neither salt nor pepper. */
export const apiTokenHash = (token: string): string => sha256Of(token);
