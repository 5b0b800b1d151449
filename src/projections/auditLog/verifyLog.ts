import { openCheckpoint } from '../../auditLog/checkpoint.ts';
import { hashOfLeaf, leafOf } from '../../auditLog/leaf.ts';
import { EMPTY_EDGE, grow, TILE_ENTRIES, type TileCoordinates } from '../../auditLog/tiles.ts';
import type { Database } from '../../database/database.ts';
import { STREAM_CATEGORIES } from '../../domain/events.ts';
import type { Position, StoredDigest, StoredEvents } from '../../eventstore/port.ts';
import { chunks } from '../engine/changes.ts';
import { openDatabaseSession } from '../engine/session.ts';
import type { AuditLog } from './auditLog.ts';
import { createFinder, type Leaves, readLeaves } from './leaves.ts';
import { POSITION_BYTES } from './log.ts';
import { openTree } from './tree.ts';

/** An event that is not as the tree has it: its content differs, it was put in later, or it was moved. */
type WrongEvent = Readonly<{
  kind: 'changed' | 'added' | 'reordered';
  stream: string;
  revision: string;
  position: string;
  type: string;
}>;

/** `deleted` counts leaves without an event. `wrongTiles` and `wrongCheckpoints` do not fit the leaves. */
export type LogVerification = Readonly<{
  size: number;
  events: number;
  deleted: number;
  checkpoints: number;
  wrongEvents: readonly WrongEvent[];
  wrongTiles: readonly string[];
  wrongCheckpoints: readonly number[];
}>;

type Deps = Readonly<{
  db: Database;
  databaseUrl: string;
  events: StoredEvents;
  auditLog: AuditLog;
  signal: AbortSignal;
  onProgress: (events: number) => void;
}>;

const wrongEvent = (kind: WrongEvent['kind'], { stream, revision, position, type }: StoredDigest): WrongEvent => ({
  kind,
  stream,
  revision: String(revision),
  position: String(position),
  type,
});

const compareEvents = async (
  { events, signal, onProgress }: Deps,
  { hashes, positions }: Leaves,
  until: Position,
): Promise<Pick<LogVerification, 'events' | 'deleted' | 'wrongEvents'>> => {
  const find = createFinder(hashes);
  const wrongEvents: WrongEvent[] = [];
  const known = new Set<bigint>();
  let [count, matched, highest] = [0, 0, -1];
  const subscription = events.subscribeStored({ after: null, categories: STREAM_CATEGORIES });
  try {
    for await (const item of subscription) {
      signal.throwIfAborted();
      if (item.kind === 'caughtUp') break;
      if (item.kind === 'checkpoint') continue;
      const { stored } = item;
      if (stored.position > until) break;
      count += 1;
      onProgress(count);
      const index = find(hashOfLeaf(leafOf(stored)));
      if (index !== null) {
        matched += 1;
        if (index < highest) wrongEvents.push(wrongEvent('reordered', stored));
        highest = Math.max(highest, index);
        continue;
      }
      if (known.size === 0) {
        for (let at = 0; at < positions.length; at += POSITION_BYTES) known.add(positions.readBigInt64BE(at));
      }
      wrongEvents.push(wrongEvent(known.has(stored.position) ? 'changed' : 'added', stored));
    }
  } finally {
    await subscription.close();
  }
  const changed = wrongEvents.filter(({ kind }) => kind === 'changed').length;
  return { events: count, deleted: hashes.length - matched - changed, wrongEvents };
};

const nameOfTile = ({ level, number }: TileCoordinates): string => `${level}/${number}`;

/** The tiles above level 0 that do not have the hashes which follow from the leaves. */
const compareTiles = async (db: Database, { hashes }: Leaves): Promise<string[]> => {
  const expected = new Map<string, Buffer>();
  let edge = EMPTY_EDGE;
  for (const some of chunks(hashes, TILE_ENTRIES)) {
    const { edge: next, written } = grow(edge, some);
    for (const tile of written) if (tile.level > 0) expected.set(nameOfTile(tile), tile.hashes);
    edge = next;
  }
  const stored = await db.selectFrom('audit.tile').select(['level', 'number', 'hashes']).where('level', '>', 0).execute();
  const found = new Map(stored.map((tile) => [nameOfTile(tile), tile.hashes]));
  return [...expected]
    .filter(([name, tile]) => !(found.get(name)?.subarray(0, tile.length).equals(tile) ?? false))
    .map(([name]) => name);
};

const compareCheckpoints = async ({ db, auditLog }: Deps): Promise<Pick<LogVerification, 'checkpoints' | 'wrongCheckpoints'>> => {
  const rows = await db.selectFrom('audit.checkpoint').select(['size', 'note']).orderBy('size').execute();
  const [{ size }, keys] = await Promise.all([auditLog.status(), auditLog.verifierKeys()]);
  const wrongCheckpoints: number[] = [];
  for (const row of rows) {
    const opened = openCheckpoint(row.note, keys);
    const root = row.size <= size ? await openTree(db, row.size).root() : null;
    if (!opened || opened.size !== row.size || !root?.equals(opened.root)) wrongCheckpoints.push(row.size);
  }
  return { checkpoints: rows.length, wrongCheckpoints };
};

/**
 * Compares the audit log with the event store: each event that exists must be a leaf, in the same order, all inner hashes must follow from
 * the leaves, and each signed checkpoint from both. Reads all leaves into memory, 40 bytes each.
 */
export const verifyLog = async (deps: Deps): Promise<LogVerification> => {
  const { db, databaseUrl, auditLog } = deps;
  const { size, position } = await auditLog.status();
  if (position === null && size > 0)
    throw new Error('The audit log is finding its events in the event store. Try again in a moment.');
  const session = await openDatabaseSession(databaseUrl, 'latchkey-verify-audit-log', { idle: 'forever' });
  try {
    const leaves = await readLeaves(session, size);
    return {
      size,
      ...(await compareEvents(deps, leaves, position ?? -1n)),
      wrongTiles: await compareTiles(db, leaves),
      ...(await compareCheckpoints(deps)),
    };
  } finally {
    await session.close();
  }
};
