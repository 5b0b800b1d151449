import { seededRandom } from '../../src/demo/random.ts';

/** Integers from 0 to `below`, without it: the same ones for a seed in each run. */
export const createRandom = (seed: number) => {
  const { next } = seededRandom(seed);
  return (below: number): number => Math.floor(next() * below);
};

/** Ideographs with a dot after each, `length` characters in all: PostgreSQL can hardly compress them, and the dots begin words. */
export const ideographs = (random: ReturnType<typeof createRandom>, length: number): string =>
  Array.from({ length }, (_, index) => (index % 2 === 0 ? String.fromCodePoint(0x4e00 + random(20_000)) : '·')).join('');
