import { addChange, CHANGED_CHANNEL, type ChangeSet, POSITION_CHANNEL, payloadsOf } from './changes.ts';
import type { Checkpoint } from './checkpoint.ts';

/** Slow topics are told of less often, and so is everything: each browser asks for all that it shows. */
const SLOW_EVERY_MS = 5_000;

/** Tells others of changes by NOTIFY, with a commit where one is due and else a little later, each topic once. */
export type Announcer = Readonly<{
  /** Takes up changes and returns the channels and payloads that are due with this commit. */
  with: (changes: ChangeSet, to: Checkpoint) => { channel: string; payload: string }[];
  /** What is still untold and due now, to be told without a commit. */
  overdue: () => { channel: string; payload: string }[];
  /** Milliseconds until something untold is due; null when all is told. */
  dueInMs: () => number | null;
}>;

type Pace = { readonly everyMs: number; readonly untold: ChangeSet; toldAt: number };

const createPace = (everyMs: number): Pace => ({ everyMs, untold: new Map(), toldAt: Number.NEGATIVE_INFINITY });

export const createAnnouncer = ({
  everyMs,
  awaited,
  slow,
  now,
}: {
  everyMs: number;
  /** Whether others wait for the position: then it is told with every commit. */
  awaited: boolean;
  slow: ReadonlySet<string>;
  now: () => number;
}): Announcer => {
  const fast = createPace(everyMs);
  const unhurried = createPace(SLOW_EVERY_MS);
  const paces = [fast, unhurried];

  let position = '0';

  const overdue = (): { channel: string; payload: string }[] =>
    paces.flatMap((pace) => {
      if (pace.untold.size === 0 || now() < pace.toldAt + pace.everyMs) return [];
      const payloads = payloadsOf(position, pace.untold);
      pace.untold.clear();
      pace.toldAt = now();
      return payloads.map((payload) => ({ channel: CHANGED_CHANNEL, payload }));
    });

  return {
    with: (changes, to) => {
      position = String(to.position ?? 0n);
      for (const { topic, rooms } of changes.values()) {
        addChange(topic[0] === undefined || slow.has(topic[0]) ? unhurried.untold : fast.untold, { topic, rooms: [...rooms] });
      }
      return awaited ? [{ channel: POSITION_CHANNEL, payload: position }, ...overdue()] : overdue();
    },
    overdue,
    dueInMs: () => {
      const waits = paces.filter(({ untold }) => untold.size > 0).map((pace) => Math.max(0, pace.toldAt + pace.everyMs - now()));
      return waits.length > 0 ? Math.min(...waits) : null;
    },
  };
};
