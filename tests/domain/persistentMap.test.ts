import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyMap } from '../../src/domain/persistentMap.ts';

const step = fc.record({ key: fc.stringMatching(/^[a-d]{0,4}$/), value: fc.option(fc.integer(), { nil: null }) });

describe('a persistent map', () => {
  it('holds what a Map holds after the same steps', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const expected = new Map<string, number>();
        let map = emptyMap<string, number>();
        for (const { key, value } of steps) {
          if (value === null) expected.delete(key);
          else expected.set(key, value);
          map = value === null ? map.without(key) : map.with(key, value);
        }
        expect(new Map(map.entries())).toEqual(expected);
        expect(map.size).toBe(expected.size);
        for (const { key } of steps) expect([map.has(key), map.get(key)]).toEqual([expected.has(key), expected.get(key)]);
      }),
    );
  });

  it('keeps what was handed out as it was', () => {
    const before = emptyMap<string, number>().with('a', 1);
    const after = before.with('a', 2).with('b', 3).without('a');
    expect([...before.entries()]).toEqual([['a', 1]]);
    expect([...after.entries()]).toEqual([['b', 3]]);
  });

  it('distinguishes keys with the same hash', () => {
    // 32-bit FNV-1a of these two is the same, and so is what the map makes of it.
    const [one, other] = ['costarring', 'liquid'];
    const map = emptyMap<string, number>().with(one, 1).with(other, 2);
    expect([map.get(one), map.get(other), map.size]).toEqual([1, 2, 2]);
    expect(map.without(one).get(other)).toBe(2);
    expect(map.without(one).get(one)).toBeUndefined();
    expect(map.with(one, 3).get(one)).toBe(3);
  });

  it('holds a hundred thousand users', () => {
    let map = emptyMap<string, number>();
    for (let i = 0; i < 100_000; i++) map = map.with(`user-${i}`, i);
    expect(map.size).toBe(100_000);
    expect(map.get('user-99999')).toBe(99_999);
    expect([...map.values()].length).toBe(100_000);
  });
});
