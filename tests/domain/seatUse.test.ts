import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CustomerEvent } from '../../src/domain/customer/events.ts';
import { countSeats } from '../../src/domain/customer/seatUse.ts';
import { seatClaimed, seatReleased, seatsAllocated } from '../support/builders/customer.ts';

const seatsOf = (events: readonly (readonly [CustomerEvent, number])[], from: number, to: number) => {
  const seats = countSeats(from, to);
  for (const [event, at] of events) seats.add(event, at);
  return seats.result();
};
const limits = (developerSeats: number) => seatsAllocated({ developerSeats, stakeholderSeats: 0 });

describe('the seats of a period', () => {
  it('have a peak, an average over the whole period, and the time above the limit', () => {
    const events = [
      [limits(1), 0],
      [seatClaimed('ada'), 10],
      [seatClaimed('bob'), 60],
      [seatReleased('bob'), 70],
    ] as const;
    expect(seatsOf(events, 0, 100).developer).toEqual({ limit: 1, peak: 2, average: 1, aboveLimitMs: 10 });
    expect(seatsOf(events, 80, 100).developer).toEqual({ limit: 1, peak: 1, average: 1, aboveLimitMs: 0 });
    expect(seatsOf(events.slice(0, 1), 50, 100).developer).toEqual({ limit: 1, peak: 0, average: 0, aboveLimitMs: 0 });
  });

  it('have no peak within one instant, and no time above an unlimited number', () => {
    const events = [
      [limits(-1), 0],
      [seatClaimed('ada'), 50],
      [seatReleased('ada'), 50],
    ] as const;
    expect(seatsOf(events, 0, 100).developer).toEqual({ limit: -1, peak: 0, average: 0, aboveLimitMs: 0 });
  });

  it('equal those of a count at every instant', () => {
    const step = fc.record({
      at: fc.integer({ min: 0, max: 60 }),
      kind: fc.constantFrom('claim', 'release', 'limit'),
      limit: fc.integer({ min: -1, max: 3 }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 1, max: 30 }),
        (steps, from, length) => {
          const to = from + length;
          let held = 0;
          const events = steps
            .toSorted((one, other) => one.at - other.at)
            .flatMap(({ at, kind, limit }): (readonly [CustomerEvent, number])[] => {
              if (kind === 'limit') return [[limits(limit), at]];
              if (kind === 'release' && held === 0) return [];
              held += kind === 'claim' ? 1 : -1;
              return [[kind === 'claim' ? seatClaimed() : seatReleased(), at]];
            })
            .filter(([, at]) => at < to);
          let [count, limit, peak, total, above] = [0, 0, 0, 0, 0];
          for (let instant = 0; instant < to; instant++) {
            for (const [event] of events.filter(([, at]) => at === instant)) {
              if (event.type === 'SeatClaimed') count += 1;
              else if (event.type === 'SeatReleased') count -= 1;
              else if (event.type === 'SeatsAllocated') limit = event.data.developerSeats;
            }
            if (instant < from) continue;
            peak = Math.max(peak, count);
            total += count;
            if (limit !== -1 && count > limit) above += 1;
          }
          expect(seatsOf(events, from, to).developer).toEqual({ limit, peak, average: total / length, aboveLimitMs: above });
        },
      ),
    );
  });
});
