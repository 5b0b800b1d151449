import { sql } from 'kysely';
import type { Topic } from '../../contracts/topics.ts';
import type { Database } from '../../database/database.ts';
import type { Notices } from '../../database/listen.ts';

/** Data behind a topic is newer now, and the rooms of the live feed that may know. A topic of no words means everything. */
export type Change = { topic: Topic; rooms: readonly string[] };
/** `position` of the newest event that is in. `traces` are the spans that wrote the changes; absent where no trace is recorded. */
export type Changes = { position: string; changes: readonly Change[]; traces?: readonly string[] };

/** In place of a room: all browsers. */
export const EVERYONE = '*';
/** Makes every browser refetch all that it shows. */
export const EVERYTHING_CHANGED: Change = { topic: [], rooms: [EVERYONE] };

/** What changed, and how far a group has come. Listen to both. */
export const CHANGED_CHANNEL = 'latchkey_changed';
export const POSITION_CHANNEL = 'latchkey_position';
/** Both channels, for `listenTo`. */
export const CHANNELS: readonly string[] = [CHANGED_CHANNEL, POSITION_CHANNEL];

/** PostgreSQL takes payloads of less than 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_900;
const MAX_PAYLOADS = 16;
const ROOMS_A_CHANGE = 100;

/** Changes gathered until they are announced, each topic once with all its rooms. */
export type ChangeSet = Map<string, { topic: Topic; rooms: Set<string> }>;

/** Adds a change to a set. A topic that is in the set already gets the further rooms. */
export const addChange = (set: ChangeSet, { topic, rooms }: Change): void => {
  const key = JSON.stringify(topic);
  const known = set.get(key);
  if (!known) {
    set.set(key, { topic, rooms: new Set(rooms) });
    return;
  }
  for (const room of rooms) known.rooms.add(room);
};

/** The payloads that announce the changes: each short enough, and few; too many become one change of everything. */
export const payloadsOf = (position: string, set: ChangeSet, traces: readonly string[] = []): string[] => {
  if (set.size === 0) return [];
  const pieces = [...set.values()].flatMap(({ topic, rooms }) =>
    chunks([...rooms], ROOMS_A_CHANGE).map((some): Change => ({ topic, rooms: some })),
  );
  const payloads: string[] = [];
  const payloadOf = (some: readonly Change[]): string =>
    JSON.stringify({ position, changes: some, ...(traces.length > 0 && { traces }) } satisfies Changes);
  const envelope = Buffer.byteLength(payloadOf([]));
  let changes: Change[] = [];
  let bytes = envelope;
  for (const piece of pieces) {
    const size = Buffer.byteLength(JSON.stringify(piece)) + 1;
    if (changes.length > 0 && bytes + size > MAX_PAYLOAD_BYTES) {
      payloads.push(payloadOf(changes));
      [changes, bytes] = [[], envelope];
    }
    changes.push(piece);
    bytes += size;
  }
  payloads.push(payloadOf(changes));
  return payloads.length > MAX_PAYLOADS ? [payloadOf([EVERYTHING_CHANGED])] : payloads;
};

/** Announces changes without an event, at the current position of the read models. */
export const announce = async (db: Database, changes: readonly Change[]): Promise<void> => {
  await sql`
    select pg_notify(${CHANGED_CHANNEL}, json_build_object(
      'position', coalesce((select position from read.checkpoint), 0)::text,
      'changes', ${JSON.stringify(changes)}::json
    )::text)`.execute(db);
};

/** Splits items into arrays of at most `size`. */
export const chunks = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

/**
 * Calls back with the changes that projectors of all nodes announce; returns how to stop. `notices` listens to `CHANNELS`. After a lost
 * connection it calls back with one change of everything, at the newest position received, in place of the announcements it missed.
 */
export const listenForChanges = (notices: Notices, onChanges: (changes: Changes) => void): (() => void) => {
  let newest = '0';
  const stopListening = notices.on(CHANGED_CHANNEL, (payload) => {
    const received: Changes = JSON.parse(payload);
    newest = received.position;
    onChanges(received);
  });
  const stopGaps = notices.onGap(() => onChanges({ position: newest, changes: [EVERYTHING_CHANGED] }));
  return () => {
    stopListening();
    stopGaps();
  };
};
