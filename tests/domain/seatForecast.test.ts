import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forecastSeats } from '../../src/domain/customer/seatForecast.ts';

const daily = (count: number, peakOn: (day: number) => number): number[] => Array.from({ length: count }, (_, day) => peakOn(day));

describe('the forecast of seats', () => {
  it('has no trend without a limit, at the limit, and from less than two weeks', () => {
    const growing = daily(60, (day) => day);
    expect(forecastSeats(growing, { held: 59, limit: -1 })).toEqual({ outlook: 'unlimited' });
    expect(forecastSeats(growing, { held: 59, limit: 59 })).toEqual({ outlook: 'atLimit' });
    expect(forecastSeats(growing, { held: 60, limit: 59 })).toEqual({ outlook: 'atLimit' });
    expect(forecastSeats(growing.slice(0, 13), { held: 12, limit: 100 })).toEqual({ outlook: 'notEnoughData' });
    expect(forecastSeats(growing.slice(0, 14), { held: 13, limit: 100 })).toMatchObject({ outlook: 'reaching', days: 87 });
  });

  it('finds no growth where most days are alike', () => {
    expect(
      forecastSeats(
        daily(60, (day) => (day < 50 ? 4 : 5)),
        { held: 5, limit: 10 },
      ),
    ).toEqual({ outlook: 'noGrowth' });
    expect(
      forecastSeats(
        daily(60, (day) => 60 - day),
        { held: 1, limit: 10 },
      ),
    ).toEqual({ outlook: 'noGrowth' });
  });

  it('does not name a day that is more than two years away', () => {
    expect(
      forecastSeats(
        daily(60, (day) => day),
        { held: 59, limit: 1_000_000 },
      ),
    ).toEqual({ outlook: 'distant', perWeek: 7 });
  });

  it('finds the day of steady growth, by the last 60 days', () => {
    const steady = fc.record({
      rate: fc.integer({ min: 1, max: 20 }),
      start: fc.integer({ min: 0, max: 50 }),
      left: fc.integer({ min: 1, max: 500 }),
    });
    fc.assert(
      fc.property(steady, fc.integer({ min: 0, max: 30 }), ({ rate, start, left }, before) => {
        const peaks = [...daily(before, () => 0), ...daily(60, (day) => start + rate * day)];
        const held = peaks.at(-1) ?? 0;
        const days = Math.ceil(left / rate);
        expect(forecastSeats(peaks, { held, limit: held + left })).toEqual({
          ...{ outlook: 'reaching', perWeek: rate * 7 },
          ...{ days, earliest: days, latest: days },
        });
      }),
    );
  });

  it('is not changed by unusual days', () => {
    const peaks = daily(60, (day) => day);
    const unusual = peaks.map((peak, day) => (day % 10 === 3 ? 500 : peak));
    const forecast = forecastSeats(unusual, { held: 59, limit: 100 });
    expect(forecast).toMatchObject({ outlook: 'reaching', days: 41 });
  });

  it('has its day between the earliest and the latest one, and none without growth', () => {
    const peaks = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 14, maxLength: 60 });
    fc.assert(
      fc.property(peaks, fc.integer({ min: 1, max: 200 }), (days, more) => {
        const held = days.at(-1) ?? 0;
        const forecast = forecastSeats(days, { held, limit: held + more });
        if (forecast.outlook !== 'reaching') return;
        expect(forecast.perWeek).toBeGreaterThan(0);
        expect(forecast.days).toBeGreaterThanOrEqual(forecast.earliest);
        expect(forecast.latest ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(forecast.days);
        // The same peaks in the opposite order shrink.
        expect(forecastSeats(days.toReversed(), { held: 0, limit: 1_000 }).outlook).toBe('noGrowth');
      }),
    );
  });
});
