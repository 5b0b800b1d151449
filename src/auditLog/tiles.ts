import { HASH_BYTES, parentHashesOf } from './hashing.ts';
import type { Calculation, KnownHashes, TreeNode } from './proofs.ts';

/** Entries of a full tile. Level 0 has the hashes of leaves, each other level the roots of full tiles of the level below. */
export const TILE_ENTRIES = 256;
/** Levels of the tree in a tile: 2^8 is 256. */
const TILE_HEIGHT = 8;

/** Where a tile is: `number` counts the tiles of its level from the left. */
export type TileCoordinates = Readonly<{ level: number; number: number }>;

/** A tile with its hashes, one after the other. */
export type Tile = TileCoordinates & Readonly<{ hashes: Buffer }>;

/** The hashes of all complete subtrees in a tile, by their level in it. */
export type TileLevels = readonly Buffer[];

/** Calculates the complete subtrees of a tile. */
export const levelsOf = (hashes: Buffer): TileLevels => {
  const levels = [hashes];
  for (let last = hashes; last.length >= 2 * HASH_BYTES; ) {
    last = parentHashesOf(last);
    levels.push(last);
  }
  return levels;
};

const rootOfFull = (hashes: Buffer): Buffer => {
  const root = levelsOf(hashes)[TILE_HEIGHT];
  if (!root) throw new Error('The tile is not full');
  return root;
};

/** How many complete subtrees of each level a tile has. */
const PER_TILE = Array.from({ length: TILE_HEIGHT }, (_, level) => TILE_ENTRIES / 2 ** level);

/** The tile with a complete subtree, and where in it. */
const locate = ({ level, index }: TreeNode): { tile: TileCoordinates; levelInTile: number; indexInTile: number } => {
  const tileLevel = Math.floor(level / TILE_HEIGHT);
  const levelInTile = level - tileLevel * TILE_HEIGHT;
  const perTile = PER_TILE[levelInTile] ?? TILE_ENTRIES;
  const number = Math.floor(index / perTile);
  return { tile: { level: tileLevel, number }, levelInTile, indexInTile: index - number * perTile };
};

/** More levels than a tree of 2^53 leaves has. */
const LEVELS = 8;

/** A number for a tile that no other has. */
export const keyOfTile = ({ level, number }: TileCoordinates): number => number * LEVELS + level;

/** The tiles that a calculation reads, each once. */
export const tilesOf = ({ nodes }: Pick<Calculation<unknown>, 'nodes'>): TileCoordinates[] => [
  ...new Map(nodes.map((node) => locate(node).tile).map((tile) => [keyOfTile(tile), tile])).values(),
];

/** Calculates from tiles, which are looked up by `levels`. `known` keeps what several calculations share. Throws if a hash is missing. */
export const calculate = <Result>(
  { result }: Calculation<Result>,
  levels: (tile: TileCoordinates) => TileLevels | undefined,
  known?: KnownHashes,
): Result =>
  result((node) => {
    const { tile, levelInTile, indexInTile } = locate(node);
    const hashes = levels(tile)?.[levelInTile];
    const from = indexInTile * HASH_BYTES;
    if (!hashes || hashes.length < from + HASH_BYTES) {
      throw new Error(`Tile ${tile.number} of level ${tile.level} of the audit log lacks a hash`);
    }
    return hashes.subarray(from, from + HASH_BYTES);
  }, known);

/** The last tile of each level, full or not: all that a tree needs to grow. */
export type TreeEdge = Readonly<{ size: number; tiles: readonly Buffer[] }>;

/** The tree without leaves. */
export const EMPTY_EDGE: TreeEdge = { size: 0, tiles: [] };

/** The last tile of each level of a tree; those of a level whose tiles are all full have no entries. */
export const edgeTilesOf = (size: number): (TileCoordinates & { entries: number })[] => {
  const tiles: (TileCoordinates & { entries: number })[] = [];
  for (let [level, count] = [0, size]; count > 0; level += 1, count = Math.floor(count / TILE_ENTRIES)) {
    tiles.push({ level, number: Math.floor(count / TILE_ENTRIES), entries: count % TILE_ENTRIES });
  }
  return tiles;
};

const TILE_BYTES = TILE_ENTRIES * HASH_BYTES;

/** Adds leaves to a tree. Returns its new edge, and the tiles to write: the changed and the new ones. */
export const grow = ({ size, tiles }: TreeEdge, leafHashes: readonly Buffer[]): { edge: TreeEdge; written: Tile[] } => {
  const edge = [...tiles];
  const written: Tile[] = [];
  let added = leafHashes;
  for (let [level, count] = [0, size]; added.length > 0; level += 1) {
    const firstNumber = Math.floor(count / TILE_ENTRIES);
    const entries = Buffer.concat([edge[level] ?? Buffer.alloc(0), ...added]);
    const roots: Buffer[] = [];
    for (let from = 0; from < entries.length; from += TILE_BYTES) {
      const hashes = entries.subarray(from, from + TILE_BYTES);
      written.push({ level, number: firstNumber + from / TILE_BYTES, hashes });
      if (hashes.length === TILE_BYTES) roots.push(rootOfFull(hashes));
    }
    edge[level] = Buffer.from(entries.subarray(roots.length * TILE_BYTES));
    [added, count] = [roots, firstNumber];
  }
  return { edge: { size: size + leafHashes.length, tiles: edge }, written };
};
