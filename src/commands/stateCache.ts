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
  const states = new Map<StreamName, CachedState<S>>();
  let events = 0;
  const weightOf = ({ revision }: Snapshot<S>): number => Number(revision) + 1;

  const drop = (stream: StreamName): void => {
    const dropped = states.get(stream);
    if (!dropped) return;
    states.delete(stream);
    events -= weightOf(dropped);
  };

  return {
    get: (stream) => {
      const cached = states.get(stream);
      if (!cached) return undefined;
      states.delete(stream);
      states.set(stream, cached);
      return cached;
    },
    put: (stream, state) => {
      const before = states.get(stream);
      if (before && (before.revision > state.revision || (before.revision === state.revision && before.asOf > state.asOf))) return;
      drop(stream);
      states.set(stream, state);
      events += weightOf(state);
      for (const oldest of states.keys()) {
        if ((states.size <= maxStreams && events <= maxEvents) || states.size === 1) break;
        drop(oldest);
      }
    },
  };
};
