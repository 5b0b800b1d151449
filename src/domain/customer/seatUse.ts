import type { SeatKind } from '../enumerations.ts';
import { UNLIMITED_SEATS } from '../limits.ts';
import type { SeatLeaseEvent } from '../seatLeases/events.ts';
import type { CustomerEvent } from './events.ts';

/** The seats of a kind over a period. Times are in ms; `limit` is that at its end, -1 is unlimited. */
export type SeatUse = Readonly<{
  limit: number;
  peak: number;
  /** Over the whole period, also before the first seat. */
  average: number;
  /** How long more seats were held than the limit allowed. */
  aboveLimitMs: number;
}>;

/** `named` users may use a seat and `leased` ones hold a floating seat now; `held` is the one of them that counts. */
type Counting = {
  named: number;
  leased: number;
  isFloating: boolean;
  held: number;
  limit: number;
  peak: number;
  heldMs: number;
  aboveLimitMs: number;
};

const counting = (): Counting => ({
  named: 0,
  leased: 0,
  isFloating: false,
  held: 0,
  limit: 0,
  peak: 0,
  heldMs: 0,
  aboveLimitMs: 0,
});

/** Adds a time in which nothing changed. What changes within one instant is nobody's peak. */
const pass = (count: Counting, ms: number): void => {
  if (ms <= 0) return;
  count.peak = Math.max(count.peak, count.held);
  count.heldMs += count.held * ms;
  if (count.limit !== UNLIMITED_SEATS && count.held > count.limit) count.aboveLimitMs += ms;
};

/**
 * Counts the seats of a customer from an instant until before another one (ms since 1970), by the events of its stream and of its leases in
 * the order of their times: `add` takes each, with its time, up to the end of the period.
 */
export const countSeats = (from: number, to: number) => {
  const counts: Record<SeatKind, Counting> = { developer: counting(), stakeholder: counting() };
  let last = from;
  const passUntil = (at: number): void => {
    for (const count of Object.values(counts)) pass(count, at - last);
    last = Math.max(last, at);
  };
  return {
    add: ({ type, data }: CustomerEvent | SeatLeaseEvent, at: number): void => {
      passUntil(Math.min(at, to));
      if (type === 'SeatClaimed') counts[data.kind].named += 1;
      else if (type === 'SeatReleased') counts[data.kind].named -= 1;
      else if (type === 'SeatLeased') counts[data.kind].leased += 1;
      else if (type === 'SeatLeaseEnded') counts[data.kind].leased -= 1;
      else if (type === 'FloatingSeatsSet') counts[data.kind].isFloating = data.minutes !== null;
      else if (type === 'SeatsAllocated') {
        counts.developer.limit = data.developerSeats;
        counts.stakeholder.limit = data.stakeholderSeats;
      }
      for (const count of Object.values(counts)) count.held = count.isFloating ? count.leased : count.named;
    },
    result: (): Record<SeatKind, SeatUse> => {
      passUntil(to);
      const useOf = ({ limit, peak, heldMs, aboveLimitMs }: Counting): SeatUse => ({
        limit,
        peak,
        average: to > from ? heldMs / (to - from) : 0,
        aboveLimitMs,
      });
      return { developer: useOf(counts.developer), stakeholder: useOf(counts.stakeholder) };
    },
  };
};
