import { LRUCache } from 'lru-cache';
import type { StreamName } from '../eventstore/port.ts';

/** The fold of a stream's events. `revision` is that of the last one, -1 if there is none. */
export type Snapshot<S> = Readonly<{ state: S; revision: bigint }>;

/** `asOf` is the tick at which the read or the append began: the state contains every event written before it. */
export type CachedState<S> = Snapshot<S> & Readonly<{ asOf: number }>;

export type StateCache<S> = Readonly<{
  get: (stream: StreamName) => CachedState<S> | undefined;
  /** Ignored if a newer state is cached. */
  put: (stream: StreamName, state: CachedState<S>) => void;
}>;

/**
 * A least-recently-used cache of streams' states, bounded by the number of streams and of the events folded into them, which stand for
 * their size.
 */
export const createStateCache = <S>({ maxStreams = 10_000, maxEvents = 2_000_000 } = {}): StateCache<S> => {
  const states = new LRUCache<StreamName, CachedState<S>>({
    maxSize: maxEvents,
    // At most the limit, because a larger state would not be cached: its stream would be read for each command. At least a stream's share of
    // it, which limits the streams: the option `max` would reserve memory for all of them.
    sizeCalculation: ({ revision }) => Math.min(maxEvents, Math.max(Math.ceil(maxEvents / maxStreams), Number(revision) + 1)),
  });

  return {
    get: (stream) => states.get(stream),
    put: (stream, state) => {
      const before = states.peek(stream);
      if (before && (before.revision > state.revision || (before.revision === state.revision && before.asOf > state.asOf))) return;
      states.set(stream, state);
    },
  };
};
