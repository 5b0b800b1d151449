import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Seeded } from './seed.ts';

/** Which steps are complete; null while the accounts are being created. */
type Progress = { seeded: Seeded; hasUsage: boolean } | null;

/** A previous start ended while it created accounts, which cannot be created twice. */
export class DemoIncomplete extends Error {
  override readonly name = 'DemoIncomplete';
  constructor(dataDir: string) {
    super(`The demo ended while it created its accounts. Delete ${dataDir} and start it again.`);
  }
}

export type DemoProgress = Readonly<{
  /** The accounts of a previous start, or else those that `make` creates. */
  accounts: (make: () => Promise<Seeded>) => Promise<Seeded>;
  /** Runs `fill` unless it was completed before. It may write calls again that a previous start wrote, since a call counts once. */
  usage: (seeded: Seeded, fill: () => Promise<'complete' | 'stopped'>) => Promise<void>;
}>;

const read = (file: string): Progress => {
  const progress = JSON.parse(readFileSync(file, 'utf8'));
  // A demo of an earlier version wrote `spec` as `cast`.
  for (const customer of progress?.seeded?.customers ?? []) {
    customer.spec ??= customer.cast;
    delete customer.cast;
  }
  return progress;
};

/** Keeps the progress of the demo in `demo.json` in its data directory. Throws `DemoIncomplete`. */
export const openProgress = (dataDir: string): DemoProgress => {
  const file = join(dataDir, 'demo.json');
  const write = (progress: Progress): void => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(progress), { mode: 0o600 });
  };
  const isNew = !existsSync(file);
  const before = isNew ? null : read(file);
  if (!isNew && !before?.seeded) {
    throw new DemoIncomplete(dataDir);
  }

  return {
    accounts: async (make) => {
      if (before) return before.seeded;
      write(null);
      const seeded = await make();
      write({ seeded, hasUsage: false });
      return seeded;
    },
    usage: async (seeded, fill) => {
      if (before?.hasUsage) return;
      if ((await fill()) === 'complete') write({ seeded, hasUsage: true });
    },
  };
};
