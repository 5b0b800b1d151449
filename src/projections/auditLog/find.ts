import { hashOfLeaf, leafOf } from '../../auditLog/leaf.ts';
import { TILE_ENTRIES } from '../../auditLog/tiles.ts';
import type { Position, StoredItem } from '../../eventstore/port.ts';
import { chunks } from '../engine/changes.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { createFinder, readLeaves, TILES_A_STATEMENT } from './leaves.ts';
import {
  advance,
  beginFrom,
  type LogItem,
  type LogState,
  NO_POSITION,
  POSITION_BYTES,
  positionOf,
  readLog,
  withLeaves,
  writeTiles,
} from './log.ts';

const EVENTS_A_SIGN_OF_LIFE = 10_000;

/**
 * Finds the events of a replaced or restored event store among the leaves, by their hashes. No leaf is changed or removed: those of
 * deleted or lost events lose their position, and events that are not among the leaves are added at the end, in their order. `items` ends
 * with the newest event. All hashes are in memory meanwhile.
 */
export const findLeaves = async (
  session: DatabaseSession,
  state: LogState,
  items: AsyncIterable<StoredItem>,
  { store, node }: { store: string; node: string },
): Promise<LogState> => {
  const { hashes } = await readLeaves(session, state.size);
  const find = createFinder(hashes);
  const positions = Buffer.alloc(state.size * POSITION_BYTES);
  for (let index = 0; index < state.size; index++) positions.writeBigInt64BE(NO_POSITION, index * POSITION_BYTES);
  const added: { hashes: Buffer[]; positions: Position[] } = { hashes: [], positions: [] };
  let last: LogItem | null = null;
  let received = 0;
  let lastEvent = state.last;
  for await (const item of items) {
    if (item.kind === 'caughtUp') break;
    last = item;
    // PostgreSQL closes a session that does nothing for a minute.
    if (++received % EVENTS_A_SIGN_OF_LIFE === 0) await session.execute('select 1');
    if (item.kind !== 'stored') continue;
    const { stored } = item;
    const hash = hashOfLeaf(leafOf(stored));
    const index = find(hash);
    if (index === null) {
      added.hashes.push(hash);
      added.positions.push(stored.position);
    } else positions.writeBigInt64BE(stored.position, index * POSITION_BYTES);
    lastEvent = { stream: stored.stream, revision: stored.ownRevision, id: stored.id, position: stored.position };
  }
  await beginFrom(session, state);
  const tiles = chunks(hashes, TILE_ENTRIES).map((some, number) => ({ level: 0, number, hashes: Buffer.concat(some) }));
  const width = TILE_ENTRIES * POSITION_BYTES;
  for (const some of chunks(tiles, TILES_A_STATEMENT)) {
    await writeTiles(session, some, (number) => positions.subarray(number * width, (number + 1) * width));
  }
  const edge = { ...state, positions: Buffer.from(positions.subarray(Math.floor(state.size / TILE_ENTRIES) * width)) };
  const { grown, tiles: more, positionsOf } = withLeaves(edge, added);
  if (more.length > 0) await writeTiles(session, more, positionsOf);
  await advance(session, { size: grown.size, position: last && positionOf(last), store, last: lastEvent }, node);
  await session.execute('commit');
  return readLog(session);
};
