import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { isUuid } from '../domain/ids.ts';

/** An envelope that opens neither now nor later: tampered with, with another context, or sealed with a key that is nowhere. */
export class Unopenable extends Error {
  override readonly name = 'Unopenable';
}

const NONCE = 12;
const TAG = 16;

/** So many nonces are drawn together, because a call of the random source takes longer than the encryption of a short text. */
const NONCES = 256;
let nonces = Buffer.alloc(0);
let used = 0;

/** Random bytes that no other text gets. */
const nextNonce = (): Buffer => {
  if (used === nonces.length) [nonces, used] = [randomBytes(NONCE * NONCES), 0];
  used += NONCE;
  return nonces.subarray(used - NONCE, used);
};

/** AES-256-GCM under a random nonce: nonce, ciphertext and tag in one. `aad` says where it belongs. */
export const encrypt = (key: Buffer, plaintext: Buffer, aad: string): Buffer => {
  const nonce = nextNonce();
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(aad));
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
};

/** Throws `Unopenable` when the key, the context or a single bit is not what it was. */
export const decrypt = (key: Buffer, box: Buffer, aad: string): Buffer => {
  if (box.length < NONCE + TAG) throw new Unopenable('The encrypted text is too short');
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(Buffer.from(aad))
    .setAuthTag(box.subarray(box.length - TAG));
  try {
    const plaintext = decipher.update(box.subarray(NONCE, box.length - TAG));
    decipher.final(); // GCM keeps nothing back; this compares the tag
    return plaintext;
  } catch (error) {
    throw new Unopenable('The encrypted text cannot be decrypted', { cause: error });
  }
};

/** `v1.<id of the data key>.<base64url of nonce, ciphertext and tag>` */
export const envelopeOf = (keyId: string, box: Buffer): string => `v1.${keyId}.${box.toString('base64url')}`;

const VERSION = 'v1.';
const KEY_ID_END = VERSION.length + 36;
const BOX = /^[\w-]+$/;

/** The id of the data key that sealed an envelope. Throws `Unopenable` unless the text begins like one. */
export const keyIdOf = (envelope: string): string => {
  const keyId = envelope.slice(VERSION.length, KEY_ID_END);
  if (!envelope.startsWith(VERSION) || !isUuid(keyId) || envelope[KEY_ID_END] !== '.') {
    throw new Unopenable('Not a sealed envelope');
  }
  return keyId;
};

/** Throws `Unopenable` unless the text is an envelope. */
export const partsOf = (envelope: string): { keyId: string; box: Buffer } => {
  const keyId = keyIdOf(envelope);
  const box = envelope.slice(KEY_ID_END + 1);
  if (!BOX.test(box)) throw new Unopenable('Not a sealed envelope');
  return { keyId, box: Buffer.from(box, 'base64url') };
};
