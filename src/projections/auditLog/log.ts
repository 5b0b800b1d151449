import { HASH_BYTES } from '../../auditLog/hashing.ts';
import { hashOfLeaf, leafOf } from '../../auditLog/leaf.ts';
import { edgeTilesOf, grow, TILE_ENTRIES, type Tile, type TreeEdge } from '../../auditLog/tiles.ts';
import { LAST_EVENT_COLUMNS, type LastEventRow, lastEventOf, lastEventRow } from '../../database/lastEvent.ts';
import type { LastEvent, Position, StoredItem } from '../../eventstore/port.ts';
import { Superseded } from '../engine/checkpoint.ts';
import type { DatabaseSession } from '../engine/session.ts';

/** Bytes of a leaf's position. */
export const POSITION_BYTES = 8;
/** In place of the position of a leaf whose event is not in the event store. */
export const NO_POSITION = -1n;

/** How far the log has come: `size` leaves, of all events up to `position`. `last` is the event of the last leaf. */
export type LogState = Readonly<{
  size: number;
  position: Position | null;
  store: string | null;
  last: LastEvent | null;
  edge: TreeEdge;
  /** The positions in the last tile of level 0. */
  positions: Buffer;
}>;

type Row = LastEventRow & { size: number; position: string | null; store: string | null };

const SELECT = `select size, position::text, store, ${LAST_EVENT_COLUMNS} from audit.log`;

/** Reads how far the log has come, and the tiles at its edge. */
export const readLog = async (session: DatabaseSession): Promise<LogState> => {
  const [row] = await session.execute<Row>(SELECT);
  if (!row) throw new Error('audit.log has no row');
  const tiles: Buffer[] = [];
  let positions: Buffer = Buffer.alloc(0);
  for (const { level, number, entries } of edgeTilesOf(row.size)) {
    const [tile] = await session.query<{ hashes: Buffer; positions: Buffer | null }>(
      'select hashes, positions from audit.tile where level = $1 and number = $2',
      [level, number],
    );
    if (entries > 0 && !tile) throw new Error(`Tile ${level}/${number} of the audit log is missing`);
    tiles.push(tile?.hashes.subarray(0, entries * HASH_BYTES) ?? Buffer.alloc(0));
    if (level === 0) positions = tile?.positions?.subarray(0, entries * POSITION_BYTES) ?? positions;
  }
  return {
    size: row.size,
    position: row.position === null ? null : BigInt(row.position),
    store: row.store,
    last: lastEventOf(row),
    edge: { size: row.size, tiles },
    positions,
  };
};

/** Begins a transaction in which nobody else changes the log. Throws `Superseded` if another node has changed it. */
export const beginFrom = async (session: DatabaseSession, { size, position }: LogState): Promise<void> => {
  const [row] = await session.execute<Row>(`begin; ${SELECT} for update`);
  if (row?.size !== size || row.position !== (position === null ? null : String(position))) {
    throw new Superseded('Another node has written the audit log');
  }
};

const firstOf = (positions: Buffer): string | null => {
  for (let at = 0; at < positions.length; at += POSITION_BYTES) {
    const position = positions.readBigInt64BE(at);
    if (position !== NO_POSITION) return String(position);
  }
  return null;
};

/** Writes tiles; `positionsOf` gives the positions of those of level 0. */
export const writeTiles = (
  session: DatabaseSession,
  tiles: readonly Tile[],
  positionsOf: (number: number) => Buffer,
): Promise<unknown> => {
  const positions = tiles.map(({ level, number }) => (level === 0 ? positionsOf(number) : null));
  return session.query(
    `insert into audit.tile (level, number, hashes, positions, first_position)
     select * from unnest($1::int4[], $2::int8[], $3::bytea[], $4::bytea[], $5::int8[])
     on conflict (level, number) do update
       set hashes = excluded.hashes, positions = excluded.positions, first_position = excluded.first_position`,
    [
      tiles.map(({ level }) => level),
      tiles.map(({ number }) => number),
      tiles.map(({ hashes }) => hashes),
      positions,
      positions.map((some) => some && firstOf(some)),
    ],
  );
};

/** Moves the log, in the transaction that `beginFrom` began. */
export const advance = (
  session: DatabaseSession,
  { size, position, store, last }: Pick<LogState, 'size' | 'position' | 'store' | 'last'>,
  node: string,
): Promise<unknown> => {
  const { last_stream, last_revision, last_event, last_position } = lastEventRow(last);
  return session.query(
    `update audit.log set size = $1, position = $2, store = $3, last_stream = $4, last_revision = $5, last_event = $6,
       last_position = $7, node = $8, heartbeat_at = now(), error = null`,
    [size, position === null ? null : String(position), store, last_stream, last_revision, last_event, last_position, node],
  );
};

const bytesOf = (positions: readonly Position[]): Buffer => {
  const bytes = Buffer.alloc(positions.length * POSITION_BYTES);
  for (const [index, position] of positions.entries()) bytes.writeBigInt64BE(position, index * POSITION_BYTES);
  return bytes;
};

/** Leaves to add: their hashes, and the positions of their events. */
export type NewLeaves = Readonly<{ hashes: readonly Buffer[]; positions: readonly Position[] }>;

/** Adds leaves to the log's tree, and returns what to write. */
export const withLeaves = (
  { size, edge, positions }: Pick<LogState, 'size' | 'edge' | 'positions'>,
  leaves: NewLeaves,
): { grown: Pick<LogState, 'size' | 'edge' | 'positions'>; tiles: readonly Tile[]; positionsOf: (number: number) => Buffer } => {
  const { edge: next, written } = grow(edge, leaves.hashes);
  const all = Buffer.concat([positions, bytesOf(leaves.positions)]);
  const first = Math.floor(size / TILE_ENTRIES);
  const width = TILE_ENTRIES * POSITION_BYTES;
  const rest = all.subarray(Math.floor(next.size / TILE_ENTRIES) * width - first * width);
  return {
    grown: { size: next.size, edge: next, positions: Buffer.from(rest) },
    tiles: written,
    positionsOf: (number) => all.subarray((number - first) * width, (number - first + 1) * width),
  };
};

/** What the subscription delivers to the log. */
export type LogItem = Exclude<StoredItem, { kind: 'caughtUp' }>;

/** The position of an item. */
export const positionOf = (item: LogItem): Position => (item.kind === 'stored' ? item.stored.position : item.position);

/** Adds the events as leaves, in one transaction with the position. Returns the new state. */
export const append = async (
  session: DatabaseSession,
  state: LogState,
  items: readonly LogItem[],
  node: string,
): Promise<LogState> => {
  const records = items.flatMap((item) => (item.kind === 'stored' ? [item.stored] : []));
  const leaves = {
    hashes: records.map((record) => hashOfLeaf(leafOf(record))),
    positions: records.map(({ position }) => position),
  };
  const { grown, tiles, positionsOf } = withLeaves(state, leaves);
  const item = items.at(-1);
  const last = records.at(-1);
  const next: LogState = {
    ...state,
    ...grown,
    position: item ? positionOf(item) : state.position,
    last: last ? { stream: last.stream, revision: last.ownRevision, id: last.id, position: last.position } : state.last,
  };
  await beginFrom(session, state);
  await Promise.all([
    tiles.length > 0 ? writeTiles(session, tiles, positionsOf) : undefined,
    advance(session, next, node),
    session.execute('commit'),
  ]);
  return next;
};
