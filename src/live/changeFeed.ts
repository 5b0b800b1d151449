import type { Changed } from '../contracts/live.ts';
import type { Topic } from '../contracts/topics.ts';
import { type Changes, EVERYONE } from '../projections/engine/changes.ts';

/** At most five messages a second to a room: some at once, as what a person does is often more than one change, and then one at a time. */
const AT_ONCE = 3;
const PAUSE_MS = 400;
/** More topics than this of one first word become that word alone, which covers them all. */
const MANY = 50;
/** What was changed is remembered for who comes back. */
const REMEMBERED_MS = 120_000;
const REMEMBERED = 5_000;
/** Groups of projections are not equally far: what a slower one told this long before may be news. */
const SLOWEST_GROUP_MS = 5_000;

type Pending = { topics: Map<string, Topic>; left: number; timer: NodeJS.Timeout | null };

export type ChangeFeed = Readonly<{
  take: (changes: Changes) => void;
  /** Tells a room of topics that no event changed; who comes back is not told of them again. */
  touch: (room: string, topics: readonly Topic[]) => void;
  /** What a socket of that room missed since it was told of a position; one topic of everything when that is not known. */
  missedSince: (position: bigint, room: string) => Changed;
  /** What was told to that room in the last `ageMs`, maybe nothing; one topic of everything when that is not known. */
  missedIn: (ageMs: number, room: string) => Changed;
  stop: () => void;
}>;

/** Fewer topics that cover the same. */
export const condensed = (topics: Iterable<Topic>): Topic[] => {
  const byWord = new Map<string, Topic[]>();
  for (const topic of topics) {
    const [word] = topic;
    if (word === undefined) return [[]];
    const known = byWord.get(word);
    if (known) known.push(topic);
    else byWord.set(word, [topic]);
  }
  return [...byWord].flatMap(([word, of]) => (of.length > MANY ? [[word]] : of));
};

/**
 * Gathers topics a room, and sends the first few changes at once and then at most five times a second. `send` with the room null goes to
 * everybody. `now` is ms since 1970.
 */
export const createChangeFeed = ({
  hasRoom,
  send,
  now,
}: {
  hasRoom: (room: string) => boolean;
  send: (room: string | null, changed: Changed) => void;
  now: () => number;
}): ChangeFeed => {
  const rooms = new Map<string, Pending>();
  const startedAt = now();
  const remembered: { at: number; position: bigint; changes: Changes['changes'] }[] = [];
  /** Until when, and up to which position, this feed does not know what was changed. */
  let forgotten = { at: startedAt, position: null as bigint | null };
  let newest = 0n;

  const flush = (name: string, pending: Pending): void => {
    if (pending.topics.size === 0 || pending.left === 0) return;
    const topics = condensed(pending.topics.values());
    pending.topics.clear();
    pending.left -= 1;
    pending.timer ??= setTimeout(() => regain(name, pending), PAUSE_MS);
    send(name === EVERYONE ? null : name, { topics, position: newest.toString() });
  };

  const regain = (name: string, pending: Pending): void => {
    pending.left += 1;
    if (pending.left === AT_ONCE && pending.topics.size === 0) {
      rooms.delete(name);
      return;
    }
    pending.timer = setTimeout(() => regain(name, pending), PAUSE_MS);
    flush(name, pending);
  };

  const gather = (name: string, topic: Topic): void => {
    const pending = rooms.get(name) ?? { topics: new Map(), left: AT_ONCE, timer: null };
    rooms.set(name, pending);
    pending.topics.set(topic.join(' '), topic);
  };

  const tellSoon = (name: string): void => {
    const pending = rooms.get(name);
    if (pending) flush(name, pending);
  };

  const remember = (position: bigint, changes: Changes['changes']): void => {
    const at = now();
    forgotten.position ??= position;
    remembered.push({ at, position, changes });
    const keep = remembered.findIndex((entry, index) => at - entry.at < REMEMBERED_MS && remembered.length - index <= REMEMBERED);
    for (const dropped of remembered.splice(0, Math.max(0, keep))) {
      const last = forgotten.position ?? 0n;
      forgotten = { at: dropped.at, position: dropped.position > last ? dropped.position : last };
    }
  };

  const told = (name: string, from: number): Changed => {
    if (from < forgotten.at) return { topics: [[]], position: newest.toString() };
    const topics = new Map<string, Topic>();
    for (const { at, changes } of remembered) {
      if (at < from) continue;
      for (const { topic, rooms: names } of changes) {
        if (names.includes(name) || names.includes(EVERYONE)) topics.set(topic.join(' '), topic);
      }
    }
    return { topics: condensed(topics.values()), position: newest.toString() };
  };

  return {
    take: ({ position, changes }) => {
      const at = BigInt(position);
      if (at > newest) newest = at;
      remember(at, changes);
      const touched = new Set<string>();
      for (const { topic, rooms: names } of changes) {
        for (const name of names) {
          if (name !== EVERYONE && !hasRoom(name)) continue;
          gather(name, topic);
          touched.add(name);
        }
      }
      for (const name of touched) tellSoon(name);
    },
    touch: (name, topics) => {
      if (!hasRoom(name)) return;
      for (const topic of topics) gather(name, topic);
      tellSoon(name);
    },
    missedSince: (position, name) => {
      const seen = remembered.find((entry) => entry.position >= position);
      const isKnown = seen !== undefined && forgotten.position !== null && position >= forgotten.position;
      return told(name, isKnown ? seen.at - SLOWEST_GROUP_MS : Number.NEGATIVE_INFINITY);
    },
    missedIn: (ageMs, name) => told(name, now() - ageMs),
    stop: () => {
      for (const { timer } of rooms.values()) if (timer) clearTimeout(timer);
      rooms.clear();
    },
  };
};
