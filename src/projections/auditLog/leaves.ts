import { HASH_BYTES } from '../../auditLog/hashing.ts';
import { TILE_ENTRIES } from '../../auditLog/tiles.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { POSITION_BYTES } from './log.ts';

/** Tiles of level 0 that are read or written together. */
export const TILES_A_STATEMENT = 64;

/** The hashes of the first `size` leaves, and the positions of their events. */
export type Leaves = Readonly<{ hashes: readonly Buffer[]; positions: Buffer }>;

/** Reads all leaves into memory, 40 bytes each. */
export const readLeaves = async (session: DatabaseSession, size: number): Promise<Leaves> => {
  const hashes: Buffer[] = [];
  const positions: Buffer[] = [];
  for (let number = 0; number * TILE_ENTRIES < size; number += TILES_A_STATEMENT) {
    const tiles = await session.query<{ hashes: Buffer; positions: Buffer }>(
      'select hashes, positions from audit.tile where level = 0 and number >= $1 and number < $2 order by number',
      [number, number + TILES_A_STATEMENT],
    );
    for (const tile of tiles) {
      positions.push(tile.positions);
      for (let at = 0; at < tile.hashes.length && hashes.length < size; at += HASH_BYTES) {
        hashes.push(tile.hashes.subarray(at, at + HASH_BYTES));
      }
    }
  }
  if (hashes.length < size) throw new Error('Tiles of the audit log are missing');
  return { hashes, positions: Buffer.concat(positions).subarray(0, size * POSITION_BYTES) };
};

const nameOf = (hash: Buffer): string => hash.toString('latin1');

/** Finds leaves by their hash. Events come in the order of the leaves, so that an index is seldom needed. */
export const createFinder = (hashes: readonly Buffer[]): ((hash: Buffer) => number | null) => {
  let next = 0;
  let indexes: Map<string, number> | null = null;
  return (hash) => {
    if (!hashes[next]?.equals(hash)) {
      indexes ??= new Map(hashes.map((known, index) => [nameOf(known), index]));
      const found = indexes.get(nameOf(hash));
      if (found === undefined) return null;
      next = found;
    }
    next += 1;
    return next - 1;
  };
};
