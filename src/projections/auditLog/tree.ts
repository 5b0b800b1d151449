import { sql } from 'kysely';
import { HASH_BYTES } from '../../auditLog/hashing.ts';
import {
  type Calculation,
  consistencyCalculation,
  inclusionCalculation,
  type KnownHashes,
  rootCalculation,
} from '../../auditLog/proofs.ts';
import {
  calculate,
  keyOfTile,
  levelsOf,
  TILE_ENTRIES,
  type TileCoordinates,
  type TileLevels,
  tilesOf,
} from '../../auditLog/tiles.ts';
import type { Database } from '../../database/database.ts';
import type { Position } from '../../eventstore/port.ts';
import { createCache } from '../../flow/cache.ts';
import { POSITION_BYTES } from './log.ts';

/** Tiles in memory while proofs are made, of 16 KiB each with their inner hashes. */
const CACHED_TILES = 256;

/** An event to find; the hash distinguishes events of one position. */
type Placed = Readonly<{ position: Position; leafHash: Buffer | null }>;
/** A leaf: its index, and its hash as the tree has it. */
type PlacedLeaf = Readonly<{ index: number; hash: Buffer }>;

/** Reads the first `size` leaves of the tree. */
export type TreeReader = Readonly<{
  root: () => Promise<Buffer>;
  /** The proof that the tree begins with its first `older` leaves. */
  consistency: (older: number) => Promise<Buffer[]>;
  /** The leaves of events; null where the tree has none. */
  find: (events: readonly Placed[]) => Promise<(PlacedLeaf | null)[]>;
  inclusion: (indexes: readonly number[]) => Promise<Buffer[][]>;
}>;

type Tile = Readonly<{ levels: TileLevels; positions: Buffer | null }>;

const leafIn = ({ levels: [hashes], positions }: Tile, { position, leafHash }: Placed): { entry: number; hash: Buffer } | null => {
  if (!hashes || !positions) return null;
  let first: { entry: number; hash: Buffer } | null = null;
  for (let entry = 0; entry * POSITION_BYTES < positions.length; entry++) {
    if (positions.readBigInt64BE(entry * POSITION_BYTES) !== position) continue;
    const hash = hashes.subarray(entry * HASH_BYTES, (entry + 1) * HASH_BYTES);
    if (leafHash === null || hash.equals(leafHash)) return { entry, hash };
    first ??= { entry, hash };
  }
  return first;
};

/** Opens the tree of the first `size` leaves, which never changes. `positions` of events are those in the event store. */
export const openTree = (db: Database, size: number): TreeReader => {
  const known: KnownHashes = new Map();
  const cache = createCache<number, Tile>(CACHED_TILES);

  const load = async (wanted: readonly TileCoordinates[]): Promise<Map<number, Tile>> => {
    const known = new Map(wanted.map((tile) => [keyOfTile(tile), cache.get(keyOfTile(tile))]));
    const missing = wanted.filter((tile) => !known.get(keyOfTile(tile)));
    if (missing.length > 0) {
      const { rows } = await sql<{ level: number; number: number; hashes: Buffer; positions: Buffer | null }>`
        select level, number, hashes, positions from audit.tile
        where (level, number) in (
          select * from unnest(${missing.map(({ level }) => level)}::int4[], ${missing.map(({ number }) => number)}::int8[]))
      `.execute(db);
      for (const { level, number, hashes, positions } of rows) {
        const name = keyOfTile({ level, number: Number(number) });
        const tile = { levels: levelsOf(hashes), positions };
        cache.set(name, tile);
        known.set(name, tile);
      }
    }
    return new Map([...known].flatMap(([name, tile]) => (tile ? [[name, tile]] : [])));
  };

  const calculated = async <Result>(calculations: readonly Calculation<Result>[]): Promise<Result[]> => {
    const tiles = await load(tilesOf({ nodes: calculations.flatMap(({ nodes }) => nodes) }));
    const levels = (tile: TileCoordinates) => tiles.get(keyOfTile(tile))?.levels;
    return calculations.map((calculation) => calculate(calculation, levels, known));
  };

  return {
    root: async () => {
      const [root] = await calculated([rootCalculation(size)]);
      return Buffer.from(root ?? []);
    },
    consistency: async (older) => {
      const [proof = []] = await calculated([consistencyCalculation(older, size)]);
      return proof.map((hash) => Buffer.from(hash));
    },
    find: async (events) => {
      // Events that were appended together may have one position and lie in two tiles.
      const { rows } = await sql<{ numbers: number[] }>`
        select array(
          select number from audit.tile where first_position <= p.position order by first_position desc, number desc limit 2
        )::int4[] as numbers
        from unnest(${events.map(({ position }) => String(position))}::int8[]) with ordinality as p (position, nr) order by nr`.execute(
        db,
      );
      const tiles = await load([...new Set(rows.flatMap(({ numbers }) => numbers))].map((number) => ({ level: 0, number })));
      return events.map((event, nr) => {
        const found = (rows[nr]?.numbers ?? []).flatMap((number) => {
          const tile = tiles.get(keyOfTile({ level: 0, number }));
          const leaf = tile && leafIn(tile, event);
          return leaf ? [{ index: number * TILE_ENTRIES + leaf.entry, hash: leaf.hash }] : [];
        });
        const inTree = found.filter(({ index }) => index < size);
        return inTree.find(({ hash }) => event.leafHash?.equals(hash)) ?? inTree[0] ?? null;
      });
    },
    inclusion: async (indexes) => {
      const proofs = await calculated(indexes.map((index) => inclusionCalculation(index, size)));
      return proofs.map((proof) => proof.map((hash) => Buffer.from(hash)));
    },
  };
};
