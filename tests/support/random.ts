import { seededRandom } from '../../src/demo/random.ts';

/** Integers from 0 to `below`, without it: the same ones for a seed in each run. */
export const createRandom = (seed: number) => {
  const { next } = seededRandom(seed);
  return (below: number): number => Math.floor(next() * below);
};
