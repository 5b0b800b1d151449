import { UNLIMITED_SEATS } from '../limits.ts';
import { QUARTER_MS } from '../time.ts';

/** A change of the seats of one kind at an instant (ms since 1970): more or less are held, or another number is allowed. */
export type SeatChange = Readonly<{ at: number; difference?: number; limit?: number }>;

/**
 * The seats of one kind in a quarter of an hour that begins at `start` (ms since 1970). `held` and `limit` (-1 is unlimited) are those at its
 * end; `heldMs` adds up how long each seat was held, and `aboveLimitMs` how long more were held than the limit allowed.
 */
export type SeatQuarter = Readonly<{
  start: number;
  held: number;
  limit: number;
  peak: number;
  heldMs: number;
  aboveLimitMs: number;
}>;

/** The quarter of the last change, counted up to that change. */
export type OpenSeatQuarter = SeatQuarter & Readonly<{ countedTo: number }>;

type Counted = Pick<SeatQuarter, 'peak' | 'heldMs' | 'aboveLimitMs'>;
const NOTHING: Counted = { peak: 0, heldMs: 0, aboveLimitMs: 0 };

/** Adds a time in which nothing changed. What changes within one instant is nobody's peak. */
const after = (
  { peak, heldMs, aboveLimitMs }: Counted,
  { held, limit }: Pick<SeatQuarter, 'held' | 'limit'>,
  ms: number,
): Counted =>
  ms <= 0
    ? { peak, heldMs, aboveLimitMs }
    : {
        peak: Math.max(peak, held),
        heldMs: heldMs + held * ms,
        aboveLimitMs: aboveLimitMs + (limit !== UNLIMITED_SEATS && held > limit ? ms : 0),
      };

const startOf = (at: number): number => Math.floor(at / QUARTER_MS) * QUARTER_MS;

const openAt = (start: number, countedTo: number, { held, limit }: Pick<SeatQuarter, 'held' | 'limit'>): OpenSeatQuarter => ({
  ...{ start, countedTo, held, limit },
  ...NOTHING,
});

/**
 * Applies a change to the quarter of the change before it, undefined for the first one. Also returns that quarter as it ended, if the change
 * is in a later one. A change that is earlier than the one before it, by the clock of another node, counts as of the same instant.
 */
export const withSeatChange = (
  last: OpenSeatQuarter | undefined,
  { at, difference = 0, limit }: SeatChange,
): Readonly<{ ended: SeatQuarter | null; open: OpenSeatQuarter }> => {
  const time = Math.max(at, last?.countedTo ?? at);
  const start = startOf(time);
  const isLater = last !== undefined && start > last.start;
  const before = last ?? openAt(start, time, { held: 0, limit: 0 });
  const open = isLater ? openAt(start, start, before) : before;
  return {
    ended: isLater ? endOf(before) : null,
    open: {
      start,
      countedTo: time,
      held: before.held + difference,
      limit: limit ?? before.limit,
      ...after(open, open, time - open.countedTo),
    },
  };
};

/** A quarter until its end. */
const endOf = ({ start, countedTo, held, limit, ...counted }: OpenSeatQuarter): SeatQuarter => ({
  ...{ start, held, limit },
  ...after(counted, { held, limit }, start + QUARTER_MS - countedTo),
});

/** The seats of one kind in a period. `limit` is the one at its end; the average is over the part of it from the customer's creation until now. */
export type SeatPeriod = Readonly<{ limit: number; peak: number; average: number; aboveLimitMs: number }>;

/** From an instant until before another one, in ms since 1970. */
export type Period = Readonly<{ start: number; end: number }>;

type Counting = Readonly<{
  /** The quarters with changes, oldest first; one from before the periods is enough to know what was held at their begin. */
  quarters: readonly SeatQuarter[];
  /** The quarter of the last change, which is not among them. */
  open: OpenSeatQuarter | undefined;
  /** When the customer was created: there are no seats before. */
  since: number;
  /** Now: nothing is known of later times. */
  until: number;
}>;

/**
 * Counts the seats of one kind in periods of whole quarters of an hour, which follow one another. Null for a period before the creation or
 * after now.
 */
export const countSeatPeriods = (periods: readonly Period[], counting: Counting): (SeatPeriod | null)[] => {
  const { quarters, open, since, until } = counting;
  const all: readonly (SeatQuarter | OpenSeatQuarter)[] = open ? [...quarters, open] : quarters;
  let next = 0;
  let state: Pick<SeatQuarter, 'held' | 'limit'> = { held: 0, limit: 0 };
  return periods.map((period) => {
    const [start, end] = [Math.max(period.start, since), Math.min(period.end, until)];
    let counted = NOTHING;
    let countedTo = start;
    for (let quarter = all[next]; quarter && quarter.start < period.end; quarter = all[++next]) {
      if (quarter.start >= startOf(start)) {
        counted = after(counted, state, quarter.start - countedTo);
        counted = {
          peak: Math.max(counted.peak, quarter.peak),
          heldMs: counted.heldMs + quarter.heldMs,
          aboveLimitMs: counted.aboveLimitMs + quarter.aboveLimitMs,
        };
        countedTo = 'countedTo' in quarter ? quarter.countedTo : quarter.start + QUARTER_MS;
      }
      state = quarter;
    }
    if (end <= start) return null;
    const { peak, heldMs, aboveLimitMs } = after(counted, state, end - countedTo);
    return { limit: state.limit, peak, average: heldMs / (end - start), aboveLimitMs };
  });
};
