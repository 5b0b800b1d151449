import type { Changed } from '../contracts/live.ts';
import type { Topic } from '../contracts/topics.ts';
import { type Changes, EVERYONE } from '../projections/engine/changes.ts';

/** At most five messages a second to a room, with a burst of three, since one user action often causes several changes. */
const BURST = 3;
const PAUSE_MS = 400;
/** More topics than this with the same first word are replaced by that word, which covers them all. */
const MANY = 50;
/** Changes are kept so long for browsers that reconnect. */
const REMEMBERED_MS = 120_000;
const REMEMBERED = 5_000;
/** Projection groups lag differently: a change that a slower group announced this long before may still be unknown. */
const SLOWEST_GROUP_MS = 5_000;

type Pending = { topics: Map<string, Topic>; left: number; timer: NodeJS.Timeout | null };

export type ChangeFeed = Readonly<{
  take: (changes: Changes) => void;
  /** Notifies a room of topics that no event changed; they are not repeated to browsers that reconnect. */
  touch: (room: string, topics: readonly Topic[]) => void;
  /** The changes in some rooms since a position; the topic of everything if they are no longer known. */
  missedSince: (position: bigint, rooms: readonly string[]) => Changed;
  /** The changes in some rooms in the last `ageMs`, possibly none; the topic of everything if they are no longer known. */
  missedIn: (ageMs: number, rooms: readonly string[]) => Changed;
  stop: () => void;
}>;

/** Fewer topics that cover the same data. */
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
 * Collects topics by room, and sends them in a burst of three messages and then at most five times a second. `send` with the room null
 * goes to all browsers. `now` is ms since 1970.
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
  /** Until when, and up to which position, this feed does not know the changes. */
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
    if (pending.left === BURST && pending.topics.size === 0) {
      rooms.delete(name);
      return;
    }
    pending.timer = setTimeout(() => regain(name, pending), PAUSE_MS);
    flush(name, pending);
  };

  const add = (name: string, topic: Topic): void => {
    const pending = rooms.get(name) ?? { topics: new Map(), left: BURST, timer: null };
    rooms.set(name, pending);
    pending.topics.set(topic.join(' '), topic);
  };

  const flushRoom = (name: string): void => {
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

  const changesSince = (own: readonly string[], from: number): Changed => {
    if (from < forgotten.at) return { topics: [[]], position: newest.toString() };
    const topics = new Map<string, Topic>();
    for (const { at, changes } of remembered) {
      if (at < from) continue;
      for (const { topic, rooms: names } of changes) {
        if (names.includes(EVERYONE) || own.some((name) => names.includes(name))) topics.set(topic.join(' '), topic);
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
          add(name, topic);
          touched.add(name);
        }
      }
      for (const name of touched) flushRoom(name);
    },
    touch: (name, topics) => {
      if (!hasRoom(name)) return;
      for (const topic of topics) add(name, topic);
      flushRoom(name);
    },
    missedSince: (position, own) => {
      const seen = remembered.find((entry) => entry.position >= position);
      const isKnown = seen !== undefined && forgotten.position !== null && position >= forgotten.position;
      return changesSince(own, isKnown ? seen.at - SLOWEST_GROUP_MS : Number.NEGATIVE_INFINITY);
    },
    missedIn: (ageMs, own) => changesSince(own, now() - ageMs),
    stop: () => {
      for (const { timer } of rooms.values()) if (timer) clearTimeout(timer);
      rooms.clear();
    },
  };
};
