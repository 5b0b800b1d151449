import { leafHashOf, sha256Text } from './hashing.ts';

/** The first element of each leaf. Another definition of the leaf would have another one. */
export const LEAF_FORMAT = 'latchkey event v1';

/** An event as it is stored, before anything is decrypted. `storedAt` is in ms since 1970. */
export type LeafEvent = Readonly<{
  stream: string;
  revision: bigint;
  type: string;
  id: string;
  storedAt: number;
  data: Uint8Array;
  metadata: Uint8Array;
}>;

/** An event whose data may be given as their SHA-256, in base64. */
type DigestedEvent = Omit<LeafEvent, 'data'> & Readonly<{ data: Uint8Array | string }>;

/**
 * What a leaf commits to: the format, the event's stream, revision, type and id, when the store committed it (ISO 8601, UTC, with
 * milliseconds), and the SHA-256 of its data and of its metadata, in base64.
 */
export type Leaf = readonly [
  format: typeof LEAF_FORMAT,
  stream: string,
  revision: string,
  type: string,
  id: string,
  storedAt: string,
  data: string,
  metadata: string,
];

/** The SHA-256 of an event's data or metadata, as leaves have it. */
export const digestOf = sha256Text;

/** The leaf of an event. Sealed fields are in it as they are stored, so erasing them does not change it. */
export const leafOf = ({ stream, revision, type, id, storedAt, data, metadata }: DigestedEvent): Leaf => [
  LEAF_FORMAT,
  stream,
  String(revision),
  type,
  id,
  new Date(storedAt).toISOString(),
  typeof data === 'string' ? data : digestOf(data),
  digestOf(metadata),
];

/** The hash of a leaf. Its bytes are the JSON text of the array without whitespace. */
export const hashOfLeaf = (leaf: readonly string[]): Buffer => leafHashOf(JSON.stringify(leaf));
