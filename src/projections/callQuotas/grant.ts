import { addRange, missingFrom, type Range } from '../usage/ranges.ts';

/** What was granted of asked sequences: the number of calls, from the first one on, and the sequences that it took of the quota. */
export type Grant = Readonly<{ calls: number; taken: readonly Range[] }>;

/** How many sequences a range has. */
export const lengthOf = ([first, last]: Range): number => last - first + 1;

/**
 * Grants sequences in order until `free` of those that are not `known` are taken. Known ones, which were claimed or counted before, take
 * nothing. Adds what it takes to `known`.
 */
export const grantIn = (asked: readonly Range[], known: Range[], free: number): Grant => {
  let calls = 0;
  let left = free;
  const taken: Range[] = [];
  const take = (range: Range): void => {
    taken.push(range);
    addRange(known, range);
    left -= lengthOf(range);
  };
  for (const range of asked) {
    for (const [first, last] of missingFrom(known, range)) {
      const fitting = Math.min(left, last - first + 1);
      if (fitting > 0) take([first, first + fitting - 1]);
      if (first + fitting <= last) return { calls: calls + first + fitting - range[0], taken };
    }
    calls += lengthOf(range);
  }
  return { calls, taken };
};
