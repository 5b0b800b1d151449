/** The quantile `q` (0 to 1) of a sample; NaN for an empty sample. */
export const quantile = (sample: readonly number[], q: number): number => {
  const sorted = [...sample].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
};

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** Prints one figure of a benchmark. */
export const report = (name: string, value: number, unit: string): void => {
  console.log(`${name.padEnd(46)} ${number.format(value).padStart(12)} ${unit}`);
};

/** Prints a figure, its limit from the same run, and their ratio, which is comparable between machines. */
export const reportRatio = (name: string, value: number, limitName: string, limit: number, unit: string): void => {
  report(name, value, unit);
  report(`  limit: ${limitName}`, limit, unit);
  console.log(`${'  ratio'.padEnd(46)} ${(value / limit).toFixed(2).padStart(12)}`);
};

/** How long the work takes, in seconds. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1_000;
};
