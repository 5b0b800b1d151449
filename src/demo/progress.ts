import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Seeded } from './seed.ts';

/** How far the demo's data are; null while its accounts are being made. */
type Progress = { seeded: Seeded; hasUsage: boolean } | null;

/** An earlier start was ended among its accounts, which cannot be made twice. */
export class DemoBrokenOff extends Error {
  override readonly name = 'DemoBrokenOff';
  constructor(dataDir: string) {
    super(`The demo was ended while its customers were being made: delete ${dataDir} and start it again`);
  }
}

export type DemoProgress = Readonly<{
  /** What an earlier start made, or what `make` makes now. */
  accounts: (make: () => Promise<Seeded>) => Promise<Seeded>;
  /** Runs `fill` unless it ran to its end before; what an earlier one wrote may be written again, since a call counts once. */
  usage: (seeded: Seeded, fill: () => Promise<'whole' | 'stopped'>) => Promise<void>;
}>;

/** Remembers what the demo made in `demo.json`, beside its data. Throws `DemoBrokenOff`. */
export const openProgress = (dataDir: string): DemoProgress => {
  const file = join(dataDir, 'demo.json');
  const write = (progress: Progress): void => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(progress), { mode: 0o600 });
  };
  const isNew = !existsSync(file);
  const before: Progress = isNew ? null : JSON.parse(readFileSync(file, 'utf8'));
  if (!isNew && !before?.seeded) {
    throw new DemoBrokenOff(dataDir);
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
      if ((await fill()) === 'whole') write({ seeded, hasUsage: true });
    },
  };
};
