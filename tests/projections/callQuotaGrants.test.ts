import { describe, expect, it } from 'vitest';
import { grantIn } from '../../src/projections/callQuotas/grant.ts';
import type { Range } from '../../src/projections/usage/ranges.ts';

const grant = (asked: Range[], known: Range[], free: number) => ({ ...grantIn(asked, known, free), known });

describe('calls that fit into a quota', () => {
  it('are granted in order until it is used up', () => {
    expect(grant([[1, 10]], [], 20)).toEqual({ calls: 10, taken: [[1, 10]], known: [[1, 10]] });
    expect(grant([[1, 10]], [], 4)).toEqual({ calls: 4, taken: [[1, 4]], known: [[1, 4]] });
    expect(grant([[1, 10]], [], 0)).toEqual({ calls: 0, taken: [], known: [] });
    expect(grant([[1, 10]], [], Number.POSITIVE_INFINITY).calls).toBe(10);
  });

  it('take nothing where they were claimed or counted before', () => {
    expect(grant([[1, 10]], [[1, 10]], 0)).toMatchObject({ calls: 10, taken: [] });
    expect(grant([[1, 10]], [[1, 6]], 2)).toEqual({ calls: 8, taken: [[7, 8]], known: [[1, 8]] });
    expect(grant([[1, 10]], [[3, 4]], 3)).toEqual({
      calls: 5,
      taken: [
        [1, 2],
        [5, 5],
      ],
      known: [[1, 5]],
    });
  });

  it('leave out the sequences of rejected calls', () => {
    const asked: Range[] = [
      [1, 3],
      [5, 8],
    ];
    expect(grant(asked, [], 5)).toMatchObject({ calls: 5, taken: [asked[0], [5, 6]] });
    expect(grant(asked, [[1, 3]], 0)).toMatchObject({ calls: 3, taken: [] });
  });
});
