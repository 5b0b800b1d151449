/** Random numbers that are the same for the same seed, by mulberry32, so that all demos are equal. */
export type Random = {
  /** In [0, 1). */
  next: () => number;
  /** An integer from `from` to `to`, both included. */
  between: (from: number, to: number) => number;
  pick: <T>(choices: readonly [T, ...T[]]) => T;
  /** A response time in whole ms with a long tail around a median. */
  duration: (median: number) => number;
};

/** A generator that starts from `seed`, a 32-bit number. */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
    duration: (median) => Math.max(1, Math.round(median * Math.exp((next() + next() + next() - 1.5) * 1.1))),
  };
};
