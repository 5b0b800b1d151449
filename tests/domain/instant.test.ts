import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInstants } from '../../src/domain/instant.ts';

/** Series of times with small and large differences. */
const times = fc.array(
  fc.oneof(
    fc.integer({ min: Date.UTC(2026, 0, 31, 23, 59, 58), max: Date.UTC(2026, 1, 1, 0, 0, 2) }),
    fc.integer({ min: Date.UTC(1960, 0), max: Date.UTC(2400, 0) }),
  ),
);

describe('a series of instants', () => {
  it('is written and read as by Date', () => {
    fc.assert(
      fc.property(times, (row) => {
        const { read, write } = createInstants();
        for (const ms of row) {
          expect(write(ms)).toBe(new Date(ms).toISOString());
          expect(read(new Date(ms).toISOString())).toBe(ms);
        }
      }),
    );
  });

  it('is read in one format only', () => {
    const { read } = createInstants();
    expect(read('2026-01-31T12:00:00.000Z')).toBe(Date.UTC(2026, 0, 31, 12));
    const others = [
      '',
      '2026-01-31',
      '2026-01-31T12:00:00Z',
      '2026-01-31T12:00:00.0000Z',
      '2026-01-31T12:00:00.000+',
      '2026-01-31T24:00:00.000Z',
      '2026-01-31T12:60:00.000Z',
      '2026-01-31T12:00:60.000Z',
      '2026-01-31T12:00:00.0x0Z',
      '2026-01-31T12:00:00.00xZ',
      '2026-01-31T1x:00:00.000Z',
      '2026-01-31T12-00:00.000Z',
      '2026-01-31T12:00-00.000Z',
      '2026-01-31T12:00:00,000Z',
      '2026-02-30T12:00:00.000Z',
    ];
    for (const text of others) expect(read(text), text).toBeNaN();
    expect(createInstants().read('2026-02-30T12:00:00.000Z')).toBeNaN();
  });

  it('is not written outside the range of Date', () => {
    expect(() => createInstants().write(9e15)).toThrow(RangeError);
  });
});
