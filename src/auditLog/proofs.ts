import { EMPTY_ROOT, nodeHashOf } from './hashing.ts';

/** A complete subtree of 2^`level` leaves; `index` counts the subtrees of that level from the left. */
export type TreeNode = Readonly<{ level: number; index: number }>;

/** The hash of leaves that are not one complete subtree: the roots of complete ones, from the left. */
type Span = readonly TreeNode[];

/** Finds the hash of a complete subtree. */
type NodeHash = (node: TreeNode) => Uint8Array;

/** The complete subtrees of the leaves from `from` to before `to`, from the left. */
const spanOf = (from: number, to: number): Span => {
  const nodes: TreeNode[] = [];
  let at = from;
  while (at < to) {
    let level = 0;
    let width = 1;
    while (at % (2 * width) === 0 && at + 2 * width <= to) {
      width *= 2;
      level += 1;
    }
    nodes.push({ level, index: at / width });
    at += width;
  }
  return nodes;
};

/** Hashes of spans by their first and last node: the right edge of a tree is in many proofs. */
export type KnownHashes = Map<string, Uint8Array>;

const nameOf = ({ level, index }: TreeNode): string => `${level}.${index}`;

const rootOfSpan = (span: Span, hashOf: NodeHash, known: KnownHashes | undefined): Uint8Array => {
  const [first, last] = [span[0], span.at(-1)];
  if (!first || !last) throw new RangeError('A span without leaves has no root');
  if (first === last) return hashOf(first);
  const name = `${nameOf(first)}-${nameOf(last)}`;
  const root = known?.get(name) ?? span.map(hashOf).reduceRight((right, left) => nodeHashOf(left, right));
  known?.set(name, root);
  return root;
};

/** The largest power of two below a number above 1. */
const splitOf = (size: number): number => {
  let width = 1;
  while (2 * width < size) width *= 2;
  return width;
};

/** The spans of the audit path of a leaf, from the leaf up: on each level the sibling, which at the right edge is not complete. */
const inclusionSpans = (index: number, size: number): Span[] => {
  const spans: Span[] = [];
  let place = index;
  for (let [level, width] = [0, 1]; width < size; level += 1, width *= 2) {
    const sibling = place % 2 === 0 ? place + 1 : place - 1;
    const from = sibling * width;
    if (from + width <= size) spans.push([{ level, index: sibling }]);
    else if (from < size) spans.push(spanOf(from, size));
    place = Math.floor(place / 2);
  }
  return spans;
};

/** The spans of a consistency proof between the first `size` leaves and all of them, in the order of RFC 6962. */
const consistencySpans = (size: number, newSize: number): Span[] => {
  const spans: Span[] = [];
  let [from, to] = [0, newSize];
  while (to > size) {
    const middle = from + splitOf(to - from);
    if (size <= middle) {
      spans.push(spanOf(middle, to));
      to = middle;
    } else {
      spans.push(spanOf(from, middle));
      from = middle;
    }
  }
  if (from > 0) spans.push(spanOf(from, to));
  return spans.reverse();
};

/** Complete subtrees from which something is calculated, and how. */
export type Calculation<Result> = Readonly<{
  nodes: readonly TreeNode[];
  result: (hashOf: NodeHash, known?: KnownHashes) => Result;
}>;

const proofOf = (spans: readonly Span[]): Calculation<Uint8Array[]> => ({
  get nodes() {
    return spans.flat();
  },
  result: (hashOf, known) => spans.map((span) => rootOfSpan(span, hashOf, known)),
});

/** The root of the first `size` leaves. */
export const rootCalculation = (size: number): Calculation<Uint8Array> => {
  const span = spanOf(0, size);
  return { nodes: span, result: (hashOf, known) => (size === 0 ? EMPTY_ROOT : rootOfSpan(span, hashOf, known)) };
};

/** The audit path of the leaf `index` in the tree of the first `size` leaves. */
export const inclusionCalculation = (index: number, size: number): Calculation<Uint8Array[]> => {
  if (!(index >= 0 && index < size)) throw new RangeError(`A tree of ${size} leaves has no leaf ${index}`);
  return proofOf(inclusionSpans(index, size));
};

/** The proof that the tree of `newSize` leaves begins with the tree of `size` leaves. */
export const consistencyCalculation = (size: number, newSize: number): Calculation<Uint8Array[]> => {
  if (!(size >= 0 && size <= newSize)) throw new RangeError(`A tree of ${newSize} leaves has no ${size} first leaves`);
  return proofOf(size === 0 ? [] : consistencySpans(size, newSize));
};

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

/** Whether a leaf of this hash has the place `index` in the tree of that size and root. */
export const isIncluded = (
  leafHash: Uint8Array,
  proof: readonly Uint8Array[],
  { index, size, root }: { index: number; size: number; root: Uint8Array },
): boolean => {
  if (!(Number.isSafeInteger(index) && index >= 0 && index < size)) return false;
  let [place, last] = [index, size - 1];
  let hash = leafHash;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      hash = nodeHashOf(sibling, hash);
      while (place % 2 === 0 && place !== 0) {
        place /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      hash = nodeHashOf(hash, sibling);
    }
    place = Math.floor(place / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && isSame(hash, root);
};

/** The size and the root of a tree. */
export type TreeHead = Readonly<{ size: number; root: Uint8Array }>;

const isPowerOfTwo = (size: number): boolean => {
  let width = 1;
  while (width < size) width *= 2;
  return width === size;
};

/** Whether the newer tree begins with all leaves of the older one, in their order. */
export const isConsistent = (older: TreeHead, newer: TreeHead, proof: readonly Uint8Array[]): boolean => {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && isSame(older.root, newer.root);
  if (older.size === 0) return proof.length === 0 && isSame(older.root, EMPTY_ROOT);
  const [first, ...rest] = isPowerOfTwo(older.size) ? [older.root, ...proof] : proof;
  if (!first) return false;
  let [place, last] = [older.size - 1, newer.size - 1];
  while (place % 2 === 1) {
    place = Math.floor(place / 2);
    last = Math.floor(last / 2);
  }
  let [olderHash, newerHash] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      olderHash = nodeHashOf(sibling, olderHash);
      newerHash = nodeHashOf(sibling, newerHash);
      while (place % 2 === 0 && place !== 0) {
        place /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      newerHash = nodeHashOf(newerHash, sibling);
    }
    place = Math.floor(place / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && isSame(olderHash, older.root) && isSame(newerHash, newer.root);
};
