import { hash } from 'node:crypto';

/** The size of a hash in bytes. */
export const HASH_BYTES = 32;

const [LEAF, NODE] = [0, 1];

/** The hash that a text in canonical base64 stands for; null if the text is not that of 32 bytes. */
export const decodeHash = (text: string): Buffer | null => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === HASH_BYTES && bytes.toString('base64') === text ? bytes : null;
};

/** The bytes of several hashes in base64; null if one of them is not a hash. */
export const decodeHashes = (texts: readonly string[]): Buffer[] | null => {
  const hashes = texts.flatMap((text) => decodeHash(text) ?? []);
  return hashes.length === texts.length ? hashes : null;
};

/** SHA-256. As a string of bytes, Node.js returns it in half the time that a buffer takes. */
export const sha256 = (bytes: Uint8Array | string): Buffer => Buffer.from(hash('sha256', bytes, 'binary'), 'latin1');

/** SHA-256 in base64, without a buffer in between. */
export const sha256Text = (bytes: Uint8Array): string => hash('sha256', bytes, 'base64');

/** The hash of a leaf by RFC 6962: of a zero byte and the leaf's bytes. */
export const leafHashOf = (bytes: string): Buffer => sha256(`${String.fromCharCode(LEAF)}${bytes}`);

/** What an inner node hashes; reused, because hashing is synchronous. */
const scratch = Buffer.alloc(1 + 2 * HASH_BYTES, NODE);

/** The hash of an inner node by RFC 6962: of a byte of value one and both children. */
export const nodeHashOf = (left: Uint8Array, right: Uint8Array): Buffer => {
  scratch.set(left, 1);
  scratch.set(right, 1 + HASH_BYTES);
  return sha256(scratch);
};

/** The hashes of the parents of nodes, given and returned one after the other. A last node without a sibling has no parent. */
export const parentHashesOf = (nodes: Buffer): Buffer => {
  const count = Math.floor(nodes.length / (2 * HASH_BYTES));
  const parents = Buffer.allocUnsafe(count * HASH_BYTES);
  for (let index = 0; index < count; index++) {
    nodes.copy(scratch, 1, 2 * index * HASH_BYTES, 2 * (index + 1) * HASH_BYTES);
    parents.write(hash('sha256', scratch, 'binary'), index * HASH_BYTES, 'latin1');
  }
  return parents;
};

/** The root of a tree without leaves. */
export const EMPTY_ROOT: Buffer = sha256('');
