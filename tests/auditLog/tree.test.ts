import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leafHashOf } from '../../src/auditLog/hashing.ts';
import {
  consistencyCalculation,
  inclusionCalculation,
  isConsistent,
  isIncluded,
  rootCalculation,
} from '../../src/auditLog/proofs.ts';
import { calculate, EMPTY_EDGE, grow, keyOfTile, levelsOf, type TileLevels } from '../../src/auditLog/tiles.ts';
import { IS_AT_LENGTH } from '../support/tiers.ts';
import { naiveConsistency, naiveLeaf, naivePath, naiveRoot } from './naiveTree.ts';

const LARGEST = 300;

const leavesOf = (count: number): Buffer[] => Array.from({ length: count }, (_, index) => leafHashOf(`event ${index}`));

/** The tree of leaves that are added in batches, with its tiles as the database keeps them. */
const treeOf = (batches: readonly (readonly Buffer[])[]) => {
  const tiles = new Map<number, TileLevels>();
  let edge = EMPTY_EDGE;
  for (const batch of batches) {
    const { edge: next, written } = grow(edge, batch);
    for (const tile of written) tiles.set(keyOfTile(tile), levelsOf(tile.hashes));
    edge = next;
  }
  const levels = (place: Parameters<typeof keyOfTile>[0]) => tiles.get(keyOfTile(place));
  return {
    size: edge.size,
    root: (size: number) => Buffer.from(calculate(rootCalculation(size), levels)),
    inclusion: (index: number, size: number) =>
      calculate(inclusionCalculation(index, size), levels).map((hash) => Buffer.from(hash)),
    consistency: (size: number, newSize: number) =>
      calculate(consistencyCalculation(size, newSize), levels).map((hash) => Buffer.from(hash)),
  };
};

const flipped = (hash: Uint8Array): Buffer<ArrayBuffer> => Buffer.from(hash.map((byte, index) => (index === 7 ? byte ^ 1 : byte)));

describe('the tree', () => {
  const leaves = leavesOf(LARGEST);
  const tree = treeOf([leaves]);
  const roots = Array.from({ length: LARGEST + 1 }, (_, size) => naiveRoot(leaves.slice(0, size)));

  it('hashes a leaf as RFC 6962 says', () => {
    expect(leafHashOf('é')).toEqual(naiveLeaf(Buffer.from('é')));
  });

  it(`has the root of the definition for each size up to ${LARGEST}`, () => {
    for (const [size, root] of roots.entries()) expect(tree.root(size).equals(root), `size ${size}`).toBe(true);
  });

  it('proves each leaf of each size, as the definition does', () => {
    for (let size = 1; size <= LARGEST; size += size < 40 ? 1 : 23) {
      const root = roots[size] ?? Buffer.alloc(0);
      for (const [index, leaf] of leaves.slice(0, size).entries()) {
        const proof = tree.inclusion(index, size);
        if (size < 40) expect(proof).toEqual(naivePath(index, leaves.slice(0, size)));
        if (!isIncluded(leaf, proof, { index, size, root })) expect.fail(`leaf ${index} of ${size}`);
      }
    }
  });

  it(`proves that each size up to ${LARGEST} begins with each smaller one`, () => {
    for (let newSize = 0; newSize <= LARGEST; newSize++) {
      for (let size = 0; size <= newSize; size += newSize < 40 ? 1 : 13) {
        const proof = tree.consistency(size, newSize);
        if (newSize < 40) expect(proof).toEqual(naiveConsistency(size, leaves.slice(0, newSize)));
        const [older, newer] = [roots[size], roots[newSize]];
        if (!older || !newer) throw new Error('No such root');
        if (!isConsistent({ size, root: older }, { size: newSize, root: newer }, proof)) expect.fail(`${size} in ${newSize}`);
      }
    }
  });

  it('is the same however the leaves are divided into batches, at sizes of several levels of tiles', () => {
    const many = leavesOf(70_000);
    const whole = treeOf([many]);
    const sizes = fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(sizes, fc.nat(), (batches, seed) => {
        const ends = batches.map((_, index) => batches.slice(0, index + 1).reduce((sum, count) => sum + count));
        const divided = treeOf(ends.map((end, index) => many.slice(ends[index - 1] ?? 0, end)));
        const { size } = divided;
        expect(divided.root(size)).toEqual(naiveRoot(many.slice(0, size)));
        const index = seed % size;
        expect(divided.inclusion(index, size)).toEqual(whole.inclusion(index, size));
        expect(divided.consistency(index, size)).toEqual(whole.consistency(index, size));
        const newSize = 65_536 + (seed % 4_464);
        const proof = whole.consistency(size, newSize);
        const heads = [
          { size, root: whole.root(size) },
          { size: newSize, root: whole.root(newSize) },
        ] as const;
        expect(isConsistent(...heads, proof)).toBe(true);
        expect(isIncluded(many[index] ?? Buffer.alloc(0), whole.inclusion(index, newSize), { index, ...heads[1] })).toBe(true);
      }),
      { numRuns: IS_AT_LENGTH ? 12 : 3 },
    );
  });
});

describe('a proof', () => {
  const leaves = leavesOf(200);
  const tree = treeOf([leaves]);
  const leaf = (index: number): Buffer => leaves[index] ?? Buffer.alloc(0);
  const size = fc.integer({ min: 2, max: 200 });

  it('of a leaf holds for no other leaf, place, size or root, and with no hash changed, added or removed', () => {
    fc.assert(
      fc.property(size, fc.nat(), fc.nat(), (count, seed, other) => {
        const index = seed % count;
        const root = tree.root(count);
        const proof = tree.inclusion(index, count);
        const place = { index, size: count, root };
        expect(isIncluded(leaf(index), proof, place)).toBe(true);
        const elsewhere = (index + 1 + (other % (count - 1))) % count;
        expect(isIncluded(leaf(elsewhere), proof, place)).toBe(false);
        expect(isIncluded(leaf(index), proof, { ...place, index: elsewhere })).toBe(false);
        expect(isIncluded(leaf(index), proof, { ...place, root: flipped(root) })).toBe(false);
        expect(isIncluded(leaf(index), proof.slice(1), place)).toBe(false);
        expect(isIncluded(leaf(index), [...proof, root], place)).toBe(false);
        const at = other % proof.length;
        expect(isIncluded(leaf(index), proof.with(at, flipped(proof[at] ?? root)), place)).toBe(false);
        expect(isIncluded(leaf(index), proof, { ...place, index: -1 })).toBe(false);
        expect(isIncluded(leaf(index), proof, { ...place, index: count })).toBe(false);
      }),
    );
  });

  it('of consistency holds for no tree in which an earlier leaf differs', () => {
    fc.assert(
      fc.property(size, fc.nat(), fc.nat(), (count, seed, changed) => {
        const older = 1 + (seed % (count - 1));
        const forged = leaves.with(changed % older, leafHashOf('forged'));
        const other = treeOf([forged.slice(0, count)]);
        const before = { size: older, root: tree.root(older) };
        expect(isConsistent(before, { size: count, root: tree.root(count) }, tree.consistency(older, count))).toBe(true);
        expect(isConsistent(before, { size: count, root: other.root(count) }, other.consistency(older, count))).toBe(false);
        expect(isConsistent(before, { size: count, root: other.root(count) }, tree.consistency(older, count))).toBe(false);
      }),
    );
  });

  it('of consistency holds for no smaller tree, and no other tree of the same size', () => {
    const head = (count: number) => ({ size: count, root: tree.root(count) });
    expect(isConsistent(head(9), head(8), tree.consistency(8, 9))).toBe(false);
    expect(isConsistent(head(9), { size: 9, root: tree.root(8) }, [])).toBe(false);
    expect(isConsistent(head(9), head(9), [tree.root(1)])).toBe(false);
    expect(isConsistent({ size: 0, root: tree.root(1) }, head(9), [])).toBe(false);
    expect(isConsistent(head(0), head(9), [])).toBe(true);
    expect(isConsistent(head(3), head(9), [])).toBe(false);
  });
});
