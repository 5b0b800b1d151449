import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ANY_SERVICE,
  type CallRecord,
  digestOf,
  either,
  encodeRecord,
  quartersOf,
  searchRecords,
  type Wanted,
} from '../../src/projections/calls/records.ts';

const seconds = fc
  .uniqueArray(fc.record({ second: fc.nat(86_399), calls: fc.integer({ min: 1, max: 2_000 }), errors: fc.nat(2_000) }), {
    minLength: 1,
    maxLength: 20,
    selector: ({ second }) => second,
  })
  .map((all) =>
    all
      .map(({ calls, errors, ...rest }) => ({ ...rest, calls, errors: Math.min(calls, errors) }))
      .sort((one, other) => one.second - other.second),
  );
const ranges = fc.option(
  fc.array(fc.tuple(fc.integer({ min: 1, max: 500 }), fc.nat(500)), { minLength: 1, maxLength: 8 }).map((gaps) => {
    let next = 0;
    return gaps.map(([gap, length]): [number, number] => {
      const first = next + gap;
      next = first + length + 1;
      return [first, first + length];
    });
  }),
);
const digests = fc.uniqueArray(fc.nat(0xffff), { minLength: 1, maxLength: 12 });
const single = fc.tuple(fc.nat(86_399), fc.nat(1)).map(([second, errors]) => [{ second, calls: 1, errors }]);
const record: fc.Arbitrary<CallRecord> = fc.record({
  daysLater: fc.integer({ min: -1, max: 401 }),
  revision: fc.nat(2 ** 40),
  services: fc.integer({ min: 1, max: ANY_SERVICE }),
  digests: fc.oneof(digests, fc.uniqueArray(fc.nat(0xffff), { minLength: 4, maxLength: 4 })),
  ranges,
  seconds: fc.oneof(seconds, single),
});

const everything: Wanted = { digests: [], services: ANY_SERVICE, isFailed: false, from: 0, to: 86_399 };

const found = (bytes: Buffer, wanted: Wanted) => {
  const all: unknown[] = [];
  searchRecords(bytes, wanted, (second, { daysLater, revision, ranges: kept }, calls) =>
    all.push({ second, daysLater, revision, ranges: kept, calls }),
  );
  return all;
};

/** The same without the index. */
const expected = (records: readonly CallRecord[], { digests: wanted, services, isFailed, from, to }: Wanted) =>
  records
    .filter((one) => (one.services & services) !== 0 && wanted.every((digest) => [...one.digests].includes(digest)))
    .flatMap(({ daysLater, revision, ranges: kept, seconds: of }) =>
      of
        .filter(({ second, errors }) => second >= from && second <= to && (!isFailed || errors > 0))
        .map(({ second, calls, errors }) => ({ second, daysLater, revision, ranges: kept, calls: isFailed ? errors : calls })),
    );

describe('records of the index of calls', () => {
  it('are found by what a search looks for, and no others', () => {
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 8 }),
        fc.record({
          services: fc.integer({ min: 1, max: ANY_SERVICE }),
          isFailed: fc.boolean(),
          from: fc.nat(86_399),
          to: fc.nat(86_399),
        }),
        fc.nat(20),
        (records, limits, pick) => {
          const bytes = Buffer.concat(records.map(encodeRecord));
          const known = [...(records[0]?.digests ?? [])];
          expect(found(bytes, everything)).toEqual(expected(records, everything));
          const wanted = { ...limits, digests: known.slice(0, pick % 3) };
          expect(found(bytes, wanted)).toEqual(expected(records, wanted));
        },
      ),
    );
  });

  it('of one call take at most 16 bytes', () => {
    const of = (revision: number) =>
      encodeRecord({
        daysLater: 0,
        revision,
        services: 1,
        digests: [1, 2, 3, 4],
        ranges: null,
        seconds: [{ second: 86_399, calls: 1, errors: 1 }],
      }).length;
    expect([of(0), of(10_000), of(1_000_000)]).toEqual([13, 14, 15]);
  });

  it('name the quarters of an hour of both halves of a day', () => {
    expect(quartersOf([0, 899, 900, 43_199, 43_200, 86_399])).toEqual({ early: 1 + 2 + 2 ** 47, late: 1 + 2 ** 47 });
    const one = quartersOf([0, 43_199]).early;
    expect(either(one, quartersOf([900]).early)).toBe(1 + 2 + 2 ** 47);
    expect(either(one, one)).toBe(one);
  });

  it('have different digests for the same text of another property', () => {
    const all = (['user', 'instance', 'operation', 'status'] as const).map((property) => digestOf(property, '200'));
    expect(new Set(all).size).toBe(4);
  });
});
