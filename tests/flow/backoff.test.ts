import { expect, it } from 'vitest';
import { backoffMs, withJitter } from '../../src/flow/backoff.ts';

const limits = { firstMs: 100, mostMs: 5_000 };

it('The delay before a retry doubles up to its limit, however many attempts failed', () => {
  const delays = [0, 1, 2, 5, 6, 100, 10_000].map((attempt) => backoffMs(attempt, limits, () => 1));
  expect(delays).toEqual([100, 200, 400, 3_200, 5_000, 5_000, 5_000]);
});

it('Jitter takes away up to half of a delay', () => {
  expect([0, 0.5, 1].map((random) => withJitter(1_000, () => random))).toEqual([500, 750, 1_000]);
  expect(backoffMs(10, limits, () => 0)).toBe(2_500);
});
