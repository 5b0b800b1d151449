import fc from 'fast-check';
import { expect, it } from 'vitest';
import { customerId as customerIdOf } from '../../src/contracts/fields.ts';
import { highestSeen, isSeen, rememberRanges } from '../../src/http/apiCalls/seenRanges.ts';
import type { CountedRanges } from '../../src/projections/usage/queries.ts';
import { isWithin, type Range } from '../../src/projections/usage/ranges.ts';

const customerId = customerIdOf.parse('22222222-2222-4222-8222-222222222222');

const NONE_VOIDED = async () => 0;

/** As many ranges of one number each, with a hole behind each. */
const holes = (count: number): Range[] => Array.from({ length: count }, (_, index) => [2 * index + 1, 2 * index + 1]);

/** Remembers the answers of a read model in which every source has so many holes, and which sources it was queried for. */
const remembering = (count: number) => {
  const asked: string[] = [];
  const clock = { at: 0 };
  const model = { ranges: holes(count), voids: 0, decided: 0 };
  const seen = rememberRanges(
    async (_customerId, sourceId) => {
      asked.push(sourceId);
      return { ranges: model.ranges, voids: model.voids };
    },
    async () => model.decided,
    () => clock.at,
  );
  return {
    asked,
    clock,
    model,
    of: (sourceId: string, first = 1, last = first) => seen.of(customerId, sourceId, [first, last]),
    acknowledge: (sourceId: string, ...ranges: Range[]) => seen.acknowledge(customerId, sourceId, ranges, model.voids),
  };
};

it('A sequence is within ranges if one of them contains it', () => {
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

it('The read model is queried every 5 s for a source whose batches follow one another', async () => {
  const { asked, clock, of } = remembering(0);
  for (let batch = 0; batch < 10; batch++) await of('laptop', 1 + batch * 100, 100 + batch * 100);
  expect(asked).toEqual(['laptop']);
  clock.at = 5_000;
  await of('laptop', 1_001, 1_100);
  expect(asked).toEqual(['laptop', 'laptop']);
});

it('The read model is queried for a batch that does not follow, unless all of it is known', async () => {
  const { asked, acknowledge, of } = remembering(0);
  await of('laptop', 1, 100);
  acknowledge('laptop', [1, 100]);
  await of('laptop', 1, 100);
  expect(asked).toHaveLength(1);
  await of('laptop', 50, 101);
  expect(asked).toHaveLength(2);
  await of('laptop', 300, 310);
  expect(asked).toHaveLength(3);
});

it('Requests that need the read model at the same time share one query', async () => {
  const { asked, of } = remembering(0);
  await Promise.all([of('laptop', 1, 10), of('laptop', 500, 510), of('laptop', 900)]);
  expect(asked).toHaveLength(1);
});

it('Acknowledged sequences are known before and after the read model has counted them', async () => {
  const { acknowledge, clock, model, of } = remembering(0);
  await of('laptop', 1, 100);
  acknowledge('laptop', [1, 40], [42, 100]);
  const source = await of('laptop', 1, 100);
  expect([1, 40, 41, 42, 100, 101].map((sequence) => isSeen(source, sequence))).toEqual([true, true, false, true, true, false]);
  expect(highestSeen(source)).toBe(100);
  model.ranges = [[1, 60]];
  clock.at = 5_000;
  expect(await of('laptop', 101)).toMatchObject({ counted: [[1, 60]], acknowledged: [[61, 100]] });
  model.ranges = [[1, 100]];
  clock.at = 10_000;
  expect(await of('laptop', 102)).toMatchObject({ counted: [[1, 100]], acknowledged: [] });
});

it('A sequence that is acknowledged during a query stays known after its result', async () => {
  let answer = (_counted: CountedRanges): void => undefined;
  const seen = rememberRanges(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
    NONE_VOIDED,
    () => 0,
  );
  const source = seen.of(customerId, 'laptop', [1, 10]);
  seen.acknowledge(customerId, 'laptop', [[1, 10]], 0);
  answer({ ranges: [], voids: 0 });
  expect(isSeen(await source, 10)).toBe(true);
});

it('A failed query rejects the request, and keeps acknowledged sequences', async () => {
  const nothing = { ranges: [], voids: 0 };
  const answers = [() => Promise.reject(new Error('away')), async () => nothing];
  const seen = rememberRanges(
    () => answers.shift()?.() ?? Promise.resolve(nothing),
    NONE_VOIDED,
    () => 0,
  );
  seen.acknowledge(customerId, 'laptop', [[1, 10]], 0);
  await expect(seen.of(customerId, 'laptop', [1, 10])).rejects.toThrow('away');
  expect(isSeen(await seen.of(customerId, 'laptop', [1, 10]), 10)).toBe(true);
});

it('A source with many gaps drops its lowest acknowledged sequences; none in a gap is known', async () => {
  const { acknowledge, of } = remembering(0);
  acknowledge('laptop', ...holes(1_500));
  const source = await of('laptop', 1);
  expect(source.acknowledged).toEqual(holes(1_500).slice(500));
  expect(isSeen(source, 2_000)).toBe(false);
});

it('The number of ranges of one source is bounded', async () => {
  const { asked, of } = remembering(10_000);
  const sources = Array.from({ length: 30 }, (_, index) => `source ${index}`);
  for (const source of sources) await of(source);
  asked.length = 0;
  for (const source of sources.toReversed()) await of(source);
  expect(asked).toEqual(sources.slice(0, 10).toReversed());
});

it('The number of ranges of all sources is bounded', async () => {
  const { acknowledge, of } = remembering(0);
  for (let index = 0; index < 201; index++) acknowledge(`source ${index}`, ...holes(1_000));
  expect((await of('source 0')).acknowledged).toEqual([]);
  expect((await of('source 200')).acknowledged).toHaveLength(1_000);
});

it('Sequences are unknown after a void, until they are recorded again', async () => {
  const { acknowledge, asked, model, of } = remembering(0);
  model.ranges = [[1, 40]];
  await of('laptop', 1, 100);
  acknowledge('laptop', [41, 100]);
  model.decided = 1; // the read model has not applied it yet
  expect(await of('laptop', 1, 100)).toEqual({ counted: [], acknowledged: [], voids: 0 });
  expect(await of('laptop', 101, 200)).toMatchObject({ counted: [[1, 40]], acknowledged: [[41, 100]] });
  Object.assign(model, { ranges: [[11, 40]], voids: 1 });
  expect(await of('laptop', 1, 100)).toEqual({ counted: [[11, 40]], acknowledged: [], voids: 1 });
  acknowledge('laptop', [1, 10]);
  const queries = asked.length;
  expect(await of('laptop', 1, 10)).toMatchObject({ acknowledged: [[1, 10]] });
  expect(asked).toHaveLength(queries);
});

it('A batch that was recorded before a void is not known after it', async () => {
  const { acknowledge, model, of } = remembering(0);
  model.ranges = [[1, 40]];
  const { voids } = await of('laptop', 41, 50);
  Object.assign(model, { ranges: [], voids: 1, decided: 1 });
  await of('laptop', 1, 40);
  model.voids = voids; // the acknowledgement of the batch names what it saw
  acknowledge('laptop', [41, 50]);
  model.voids = 1;
  expect(await of('laptop', 41, 50)).toMatchObject({ counted: [], acknowledged: [] });
});
