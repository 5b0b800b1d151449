import type { StreamName } from '../eventstore/port.ts';

/** What a stream's events fold to. `revision` is that of the last one, -1 where there is none. */
export type Snapshot<S> = Readonly<{ state: S; revision: bigint }>;

/** `asOf` is the tick at which the store was asked: nothing was missed that had happened by then. */
export type Known<S> = Snapshot<S> & Readonly<{ asOf: number }>;

export type StateCache<S> = Readonly<{
  get: (stream: StreamName) => Known<S> | undefined;
  /** Ignored when something newer is known. */
  put: (stream: StreamName, known: Known<S>) => void;
}>;

/**
 * Folded states of the streams used last. Bounded by streams and by the events folded into them, which stand for their size; what was
 * dropped is folded again.
 */
export const createStateCache = <S>({ maxStreams = 10_000, maxEvents = 2_000_000 } = {}): StateCache<S> => {
  const states = new Map<StreamName, Known<S>>();
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
      const known = states.get(stream);
      if (!known) return undefined;
      states.delete(stream);
      states.set(stream, known);
      return known;
    },
    put: (stream, known) => {
      const before = states.get(stream);
      if (before && (before.revision > known.revision || (before.revision === known.revision && before.asOf > known.asOf))) return;
      drop(stream);
      states.set(stream, known);
      events += weightOf(known);
      for (const oldest of states.keys()) {
        if ((states.size <= maxStreams && events <= maxEvents) || states.size === 1) break;
        drop(oldest);
      }
    },
  };
};
