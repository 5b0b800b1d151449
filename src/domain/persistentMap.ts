/**
 * An immutable map from strings: `with` and `without` return a new map that shares all but a short path with the old one. So folding a
 * long stream is cheap, and a state that was returned never changes. A hash trie with 32 branches per level.
 */
export type PersistentMap<K extends string, V> = Readonly<{
  size: number;
  get: (key: K) => V | undefined;
  has: (key: K) => boolean;
  with: (key: K, value: V) => PersistentMap<K, V>;
  without: (key: K) => PersistentMap<K, V>;
  entries: () => IterableIterator<[K, V]>;
  values: () => IterableIterator<V>;
}>;

const BITS = 5;
const MASK = 31;

/** A leaf has every key of one hash: several only if their hashes collide. */
type Leaf<K, V> = Readonly<{ hash: number; pairs: readonly (readonly [K, V])[] }>;
type Branch<K, V> = Readonly<{ bitmap: number; children: readonly Node<K, V>[] }>;
type Node<K, V> = Leaf<K, V> | Branch<K, V>;

const isLeaf = <K, V>(node: Node<K, V>): node is Leaf<K, V> => 'pairs' in node;

const hashOf = (key: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) | 0;
};

const bitOf = (hash: number, shift: number): number => 1 << ((hash >>> shift) & MASK);

const onesIn = (bits: number): number => {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

/** The index of the child of `bit` among the children. */
const indexOf = (bitmap: number, bit: number): number => onesIn(bitmap & (bit - 1));

const find = <K extends string, V>(root: Node<K, V> | null, key: K, hash: number): readonly [K, V] | undefined => {
  let node: Node<K, V> | null | undefined = root;
  for (let shift = 0; node; shift += BITS) {
    if (isLeaf(node)) return node.hash === hash ? node.pairs.find(([other]) => other === key) : undefined;
    const bit = bitOf(hash, shift);
    if ((node.bitmap & bit) === 0) return undefined;
    node = node.children[indexOf(node.bitmap, bit)];
  }
  return undefined;
};

const insert = <K extends string, V>(node: Node<K, V> | null | undefined, leaf: Leaf<K, V>, shift: number): Node<K, V> => {
  if (!node) return leaf;
  if (isLeaf(node)) {
    if (node.hash !== leaf.hash) {
      return insert(insert({ bitmap: 0, children: [] }, node, shift), leaf, shift);
    }
    const [added] = leaf.pairs;
    return { hash: node.hash, pairs: [...node.pairs.filter(([key]) => key !== added?.[0]), ...leaf.pairs] };
  }
  const bit = bitOf(leaf.hash, shift);
  const index = indexOf(node.bitmap, bit);
  if ((node.bitmap & bit) === 0) return { bitmap: node.bitmap | bit, children: node.children.toSpliced(index, 0, leaf) };
  return { bitmap: node.bitmap, children: node.children.with(index, insert(node.children[index], leaf, shift + BITS)) };
};

const remove = <K extends string, V>(node: Node<K, V>, key: K, hash: number, shift: number): Node<K, V> | null => {
  if (isLeaf(node)) {
    const pairs = node.pairs.filter(([other]) => other !== key);
    return pairs.length > 0 ? { hash, pairs } : null;
  }
  const bit = bitOf(hash, shift);
  const index = indexOf(node.bitmap, bit);
  const child = node.children[index];
  if (!child) return node;
  const rest = remove(child, key, hash, shift + BITS);
  if (rest) return { bitmap: node.bitmap, children: node.children.with(index, rest) };
  return node.children.length > 1 ? { bitmap: node.bitmap & ~bit, children: node.children.toSpliced(index, 1) } : null;
};

function* pairsOf<K, V>(node: Node<K, V> | null): IterableIterator<[K, V]> {
  if (!node) return;
  if (isLeaf(node)) for (const [key, value] of node.pairs) yield [key, value];
  else for (const child of node.children) yield* pairsOf(child);
}

const mapOf = <K extends string, V>(root: Node<K, V> | null, size: number): PersistentMap<K, V> => ({
  size,
  get: (key) => find(root, key, hashOf(key))?.[1],
  has: (key) => find(root, key, hashOf(key)) !== undefined,
  with: (key, value) => {
    const hash = hashOf(key);
    return mapOf(insert(root, { hash, pairs: [[key, value]] }, 0), find(root, key, hash) ? size : size + 1);
  },
  without: (key) => {
    const hash = hashOf(key);
    return root && find(root, key, hash) ? mapOf(remove(root, key, hash, 0), size - 1) : mapOf(root, size);
  },
  entries: () => pairsOf(root),
  *values() {
    for (const [, value] of pairsOf(root)) yield value;
  },
});

/** A map without entries. */
export const emptyMap = <K extends string, V>(): PersistentMap<K, V> => mapOf<K, V>(null, 0);
