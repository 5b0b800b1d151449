import { addChange, CHANGED_CHANNEL, type ChangeSet, POSITION_CHANNEL, payloadsOf } from './changes.ts';
import type { ProjectionCheckpoint } from './checkpoint.ts';

/** Slow topics, and the topic of everything, are announced less often, since each browser refetches all that it shows. */
const SLOW_EVERY_MS = 5_000;

/** Announces changes by NOTIFY, with a commit if they are due, otherwise a little later; each topic once. */
export type Announcer = Readonly<{
  /** Adds changes of some traces, and returns the channels and payloads that are due with this commit. */
  with: (changes: ChangeSet, to: ProjectionCheckpoint, traces?: readonly string[]) => { channel: string; payload: string }[];
  /** Pending changes that are due now, to be announced without a commit. */
  overdue: () => { channel: string; payload: string }[];
  /** Milliseconds until a pending change is due; null if none is pending. */
  dueInMs: () => number | null;
}>;

/** Spans in one announcement, at most. */
const MAX_TRACES = 8;

type Pace = { readonly everyMs: number; readonly pending: ChangeSet; readonly traces: Set<string>; announcedAt: number };

const createPace = (everyMs: number): Pace => ({
  everyMs,
  pending: new Map(),
  traces: new Set(),
  announcedAt: Number.NEGATIVE_INFINITY,
});

export const createAnnouncer = ({
  everyMs,
  awaited,
  slow,
  now,
}: {
  everyMs: number;
  /** Whether commands wait for the position: then it is announced with every commit. */
  awaited: boolean;
  slow: ReadonlySet<string>;
  now: () => number;
}): Announcer => {
  const normalPace = createPace(everyMs);
  const slowPace = createPace(SLOW_EVERY_MS);
  const paces = [normalPace, slowPace];

  let position = '0';

  const overdue = (): { channel: string; payload: string }[] =>
    paces.flatMap((pace) => {
      if (pace.pending.size === 0 || now() < pace.announcedAt + pace.everyMs) return [];
      const payloads = payloadsOf(position, pace.pending, [...pace.traces]);
      pace.pending.clear();
      pace.traces.clear();
      pace.announcedAt = now();
      return payloads.map((payload) => ({ channel: CHANGED_CHANNEL, payload }));
    });

  return {
    with: (changes, to, traces = []) => {
      position = String(to.position ?? 0n);
      for (const { topic, rooms } of changes.values()) {
        const pace = topic[0] === undefined || slow.has(topic[0]) ? slowPace : normalPace;
        addChange(pace.pending, { topic, rooms: [...rooms] });
        for (const trace of traces) if (pace.traces.size < MAX_TRACES) pace.traces.add(trace);
      }
      return awaited ? [{ channel: POSITION_CHANNEL, payload: position }, ...overdue()] : overdue();
    },
    overdue,
    dueInMs: () => {
      const waits = paces
        .filter(({ pending }) => pending.size > 0)
        .map((pace) => Math.max(0, pace.announcedAt + pace.everyMs - now()));
      return waits.length > 0 ? Math.min(...waits) : null;
    },
  };
};
