import { hash } from 'node:crypto';

/** The size of a hash in bytes. */
export const HASH_BYTES = 32;

const [LEAF, NODE] = [0, 1];

/** SHA-256. */
export const sha256 = (bytes: Uint8Array | string): Buffer => Buffer.from(hash('sha256', bytes, 'hex'), 'hex');

/** The hash of a leaf by RFC 6962: of a zero byte and the leaf's bytes. */
export const leafHashOf = (bytes: string): Buffer => sha256(`${String.fromCharCode(LEAF)}${bytes}`);

/** The hash of an inner node by RFC 6962: of a byte of value one and both children. */
export const nodeHashOf = (left: Uint8Array, right: Uint8Array): Buffer => {
  const bytes = Buffer.allocUnsafe(1 + 2 * HASH_BYTES);
  bytes[0] = NODE;
  bytes.set(left, 1);
  bytes.set(right, 1 + HASH_BYTES);
  return sha256(bytes);
};

/** The root of a tree without leaves. */
export const EMPTY_ROOT: Buffer = sha256('');
