import { LRUCache } from 'lru-cache';
import type { ApiCallsRecorded, CallFlush, RecordedCall } from '../../domain/apiCalls/events.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { createInstants } from '../../domain/instant.ts';
import { DAY_MS, dayOf } from '../../domain/time.ts';
import type { Recorded } from '../../eventstore/port.ts';
import type { ReadCalls } from '../queryDeps.ts';
import type { CallRanges } from './records.ts';
import type { FoundSecond } from './search.ts';

/** A call in its event. `index` is its position in the event's flushes, taken as one list; `ms` when it was made, since 1970. */
export type CountedCall = Readonly<{
  call: RecordedCall;
  flush: CallFlush;
  sequence: number;
  index: number;
  ms: number;
  event: Recorded<ApiCallsRecorded>;
}>;

/** The events of one search. */
export type CallEvents = Readonly<{
  load: (seconds: readonly FoundSecond[]) => Promise<void>;
  /** The counted calls of a second that was loaded, in the order of the event. None if the event is gone by now. */
  callsOf: (second: FoundSecond) => CountedCall[];
  /** What was read so far. */
  read: () => { events: number; calls: number };
}>;

type Wanted = Readonly<{ customerId: CustomerId; received: number; revision: number }>;
type Run = { customerId: CustomerId; received: number; from: number; to: number };

/** Calls of events that are kept, for further seconds of the same events. */
const KEPT_CALLS = 100_000;
/** Events between two wanted ones that are read as well, rather than by a request of their own. */
const LARGEST_GAP = 3;

const keyOf = ({ customerId, received, revision }: Wanted): string => `${customerId} ${received} ${revision}`;

/** Events that are read together. */
export const runsOf = (wanted: readonly Wanted[]): Run[] => {
  const runs: Run[] = [];
  const sorted = wanted.toSorted(
    (one, other) =>
      (one.customerId < other.customerId ? -1 : one.customerId > other.customerId ? 1 : 0) ||
      one.received - other.received ||
      one.revision - other.revision,
  );
  for (const { customerId, received, revision } of sorted) {
    const run = runs.at(-1);
    const continues = run?.customerId === customerId && run.received === received && revision - run.to <= LARGEST_GAP;
    if (run && continues) run.to = revision;
    else runs.push({ customerId, received, from: revision, to: revision });
  }
  return runs;
};

const instants = createInstants();

/** The calls of an event by the second in which they were made. */
const bySecond = (event: Recorded<ApiCallsRecorded>): Map<number, CountedCall[]> => {
  const seconds = new Map<number, CountedCall[]>();
  let start = 0;
  for (const flush of event.event.data.flushes) {
    for (const [index, call] of flush.calls.entries()) {
      if (!call) continue;
      const exact = instants.read(call.at);
      const ms = Number.isNaN(exact) ? Date.parse(call.at) : exact;
      const second = Math.floor(ms / 1000);
      const counted = { call, flush, sequence: flush.firstSequence + index, index: start + index, ms, event };
      const known = seconds.get(second);
      if (known) known.push(counted);
      else seconds.set(second, [counted]);
    }
    start += flush.calls.length;
  }
  return seconds;
};

const isIn = (ranges: CallRanges, index: number): boolean => ranges.some(([first, last]) => first <= index && index <= last);

/** Reads events for a search, and keeps the last ones. */
export const openCallEvents = (readCalls: ReadCalls): CallEvents => {
  const known = new LRUCache<string, Map<number, CountedCall[]>>({
    maxSize: KEPT_CALLS,
    maxEntrySize: Number.MAX_SAFE_INTEGER,
    sizeCalculation: (seconds) => Array.from(seconds.values()).reduce((sum, calls) => sum + calls.length, 1),
  });
  /** The calls of the last `load`, also if they exceed the size of the cache. */
  let loaded = new Map<string, Map<number, CountedCall[]>>();
  const read = { events: 0, calls: 0 };

  const readRun = async ({ customerId, received, from, to }: Run, wanted: ReadonlySet<string>): Promise<void> => {
    const day = dayOf(received * DAY_MS);
    for (const event of await readCalls(customerId, day, from, to - from + 1)) {
      read.events += 1;
      read.calls += event.event.data.flushes.reduce((sum, { calls }) => sum + calls.length, 0);
      const key = keyOf({ customerId, received, revision: Number(event.revision) });
      if (!wanted.has(key)) continue;
      const seconds = bySecond(event);
      loaded.set(key, seconds);
      known.set(key, seconds);
    }
  };

  return {
    load: async (seconds) => {
      const wanted = new Map(seconds.map((second) => [keyOf(second), second]));
      loaded = new Map();
      for (const key of wanted.keys()) {
        const before = known.get(key);
        if (before) loaded.set(key, before);
      }
      const missing = new Map([...wanted].filter(([key]) => !loaded.has(key)));
      const keys = new Set(missing.keys());
      await Promise.all(runsOf([...missing.values()]).map((run) => readRun(run, keys)));
    },
    callsOf: (second) => {
      const calls = loaded.get(keyOf(second))?.get(second.second) ?? [];
      const { ranges } = second.record;
      return ranges === null ? [...calls] : calls.filter(({ index }) => isIn(ranges, index));
    },
    read: () => read,
  };
};
