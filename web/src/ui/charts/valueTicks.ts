const FACTORS = [1, 2, 2.5, 5, 10];
const STEPS = 4;

/** Labels of an axis from 0 to at least the highest value: at most five, at 1, 2, 2.5 or 5 times a power of ten. */
export const valueTicks = (highest: number): number[] => {
  const least = (highest || STEPS) / STEPS;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * (FACTORS.find((factor) => factor * power >= least) ?? 10);
  const count = Math.ceil((highest || STEPS) / step);
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(6)));
};
