import fc from 'fast-check';
import { expect, it } from 'vitest';
import { customerId as customerIdOf } from '../../src/contracts/fields.ts';
import { rememberRanges } from '../../src/http/apiCalls/seenRanges.ts';
import { isWithin, type Range } from '../../src/projections/usage/ranges.ts';

const customerId = customerIdOf.parse('22222222-2222-4222-8222-222222222222');

/** As many ranges of one number each, with a hole behind each. */
const holes = (count: number): Range[] => Array.from({ length: count }, (_, index) => [2 * index + 1, 2 * index + 1]);

/** Remembers what a read model says in which every source has so many holes, and tells which sources it was asked for. */
const remembering = (count: number) => {
  const asked: string[] = [];
  const clock = { at: 0 };
  const ranges = rememberRanges(
    async (_customerId, sourceId) => {
      asked.push(sourceId);
      return holes(count);
    },
    () => clock.at,
  );
  return { asked, clock, ranges: (sourceId: string) => ranges(customerId, sourceId) };
};

it('A sequence is within ranges where one of them holds it', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 });
  fc.assert(
    fc.property(numbers, fc.integer({ min: 0, max: 61 }), (seen, sequence) => {
      const ranges: [number, number][] = [];
      for (const number of seen.toSorted((one, other) => one - other)) {
        const last = ranges.at(-1);
        if (last?.[1] === number - 1) last[1] = number;
        else ranges.push([number, number]);
      }
      expect(isWithin(ranges, sequence)).toBe(seen.includes(sequence));
    }),
  );
});

it('The ranges of a source are asked for once in a while', async () => {
  const { asked, clock, ranges } = remembering(1);
  await ranges('laptop');
  await ranges('laptop');
  expect(asked).toEqual(['laptop']);
  clock.at = 5_000;
  await ranges('laptop');
  expect(asked).toEqual(['laptop', 'laptop']);
});

it('The ranges of sources that leave many holes are not all remembered', async () => {
  const { asked, ranges } = remembering(10_000);
  const sources = Array.from({ length: 30 }, (_, index) => `source ${index}`);
  for (const source of sources) await ranges(source);
  asked.length = 0;
  for (const source of sources.toReversed()) await ranges(source);
  expect(asked).toEqual(sources.slice(0, 10).toReversed());
});
