import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CustomerEvent } from '../../src/domain/customer/events.ts';
import { countSeats } from '../../src/domain/customer/seatUse.ts';
import {
  countSeatPeriods,
  type OpenSeatQuarter,
  type SeatChange,
  type SeatQuarter,
  withSeatChange,
} from '../../src/domain/customer/seatUtilization.ts';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { seatClaimed, seatReleased, seatsAllocated } from '../support/builders/customer.ts';

const QUARTER = 15 * MINUTE_MS;

const recorded = (changes: readonly SeatChange[]): { quarters: SeatQuarter[]; open: OpenSeatQuarter | undefined } => {
  const quarters: SeatQuarter[] = [];
  let last: OpenSeatQuarter | undefined;
  for (const change of changes) {
    const { ended, open } = withSeatChange(last, change);
    if (ended) quarters.push(ended);
    last = open;
  }
  return { quarters, open: last };
};

const inQuarters = (from: number, to: number) => ({ start: from * QUARTER, end: to * QUARTER });

describe('the utilization of seats', () => {
  const changes = [
    { at: 20 * MINUTE_MS, limit: 2 },
    { at: 20 * MINUTE_MS, difference: 1 },
    { at: 25 * MINUTE_MS, difference: 1 },
    { at: 29 * MINUTE_MS, difference: -1 },
    { at: 80 * MINUTE_MS, limit: 0 },
  ];

  it('is the peak and the average of each period, from the creation until now', () => {
    const counting = { ...recorded(changes), since: 20 * MINUTE_MS, until: 90 * MINUTE_MS };
    expect(
      countSeatPeriods([inQuarters(0, 1), inQuarters(1, 2), inQuarters(2, 4), inQuarters(4, 8), inQuarters(8, 9)], counting),
    ).toEqual([
      null,
      { limit: 2, peak: 2, average: (5 + 2 * 4 + 1) / 10, aboveLimitMs: 0 },
      { limit: 2, peak: 1, average: 1, aboveLimitMs: 0 },
      { limit: 0, peak: 1, average: 1, aboveLimitMs: 10 * MINUTE_MS },
      null,
    ]);
  });

  it('needs one quarter from before the periods', () => {
    const { quarters, open } = recorded(changes);
    const counting = { quarters: quarters.slice(-1), open, since: 20 * MINUTE_MS, until: 90 * MINUTE_MS };
    expect(countSeatPeriods([inQuarters(3, 4)], counting)).toEqual([{ limit: 2, peak: 1, average: 1, aboveLimitMs: 0 }]);
  });

  it('counts a change by a clock that is behind as of the change before it', () => {
    const { open } = recorded([
      { at: QUARTER + 5, limit: 5, difference: 1 },
      { at: QUARTER - 5, difference: 1 },
    ]);
    expect(open).toMatchObject({ start: QUARTER, countedTo: QUARTER + 5, held: 2, peak: 0 });
  });

  it('equals what is counted by the events', () => {
    const step = fc.record({
      at: fc.integer({ min: 0, max: 12 * 15 }),
      kind: fc.constantFrom('claim', 'release', 'limit'),
      limit: fc.integer({ min: -1, max: 3 }),
    });
    const period = fc.tuple(fc.integer({ min: 0, max: 11 }), fc.integer({ min: 1, max: 12 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), period, (steps, [from, length]) => {
        let held = 0;
        const made = steps
          .toSorted((one, other) => one.at - other.at)
          .flatMap(({ at, kind, limit }): { event: CustomerEvent; change: SeatChange }[] => {
            const time = at * MINUTE_MS;
            if (kind === 'limit')
              return [{ event: seatsAllocated({ developerSeats: limit, stakeholderSeats: 0 }), change: { at: time, limit } }];
            if (kind === 'release' && held === 0) return [];
            const difference = kind === 'claim' ? 1 : -1;
            held += difference;
            return [{ event: kind === 'claim' ? seatClaimed() : seatReleased(), change: { at: time, difference } }];
          });
        const { start, end } = inQuarters(from, from + length);
        const count = countSeats(start, end);
        for (const { event, change } of made) if (change.at < end) count.add(event, change.at);
        const counting = { ...recorded(made.map(({ change }) => change)), since: 0, until: end };
        expect(countSeatPeriods([{ start, end }], counting)).toEqual([count.result().developer]);
      }),
    );
  });
});
