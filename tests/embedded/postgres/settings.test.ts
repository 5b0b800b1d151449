import { describe, expect, it } from 'vitest';
import { sharedBuffersMb } from '../../../src/embedded/postgres/settings.ts';

const GB = 1_073_741_824;

describe('the buffers of the embedded PostgreSQL', () => {
  it.each([
    ['a quarter of the memory', 2 * GB, 0, 512],
    ['a quarter of what the container may have', 64 * GB, 2 * GB, 512],
    ['at most 1 GB, also where the container has no limit', 64 * GB, 2 ** 64, 1024],
    ['at least 128 MB', GB / 4, 0, 128],
  ])('are %s', (_, total, limit, buffers) => {
    expect(sharedBuffersMb(total, limit)).toBe(buffers);
  });
});
