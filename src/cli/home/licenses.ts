import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type OfflineLicenseFile, type SigningKeySet, signingKeySet } from '../../contracts/offlineLicenses.ts';
import { readIfExists, writePrivateFile } from './files.ts';
import type { Home } from './paths.ts';

/** Smallest step at which the clock is written, so that not every command writes a file. */
const CLOCK_STEP_MS = 60_000;

/** The offline licenses of this machine, one for each profile, and the latest time that the machine's clock has shown. */
export type Licenses = Readonly<{
  /** The license and the public keys as they were stored; null if there is none. Damaged keys read as none. */
  read: (profile: string) => OfflineLicenseFile | null;
  /** The public keys are stored beside the license. */
  write: (profile: string, file: OfflineLicenseFile) => void;
  /** Removes the license and its keys. */
  remove: (profile: string) => void;
  /** The file with the latest time that was recorded. */
  clockFile: string;
  /** The latest time that was recorded, in epoch ms; 0 if none was. */
  latestTime: () => number;
  /** Records the time if it is later. With `reset` in any case. */
  recordTime: (epochMs: number, options?: Readonly<{ reset?: boolean }>) => void;
}>;

const keysIn = (content: string | null): SigningKeySet['keys'] => {
  try {
    const parsed = signingKeySet.safeParse(JSON.parse(content ?? 'null'));
    return parsed.success ? parsed.data.keys : [];
  } catch {
    return [];
  }
};

/** Opens the licenses in the state directory, which belongs to one machine. */
export const openLicenses = ({ state }: Home): Licenses => {
  const directory = join(state, 'licenses');
  const clockFile = join(directory, 'latest-time');
  const fileOf = (profile: string) => join(directory, `${profile}.jwt`);
  const keysOf = (profile: string) => join(directory, `${profile}.jwks.json`);
  const latestTime = (): number => Date.parse(readIfExists(clockFile)?.trim() ?? '') || 0;

  return {
    read: (profile) => {
      const license = readIfExists(fileOf(profile))?.trim() ?? null;
      return license === null ? null : { license, keys: keysIn(readIfExists(keysOf(profile))) };
    },
    write: (profile, { license, keys }) => {
      rmSync(fileOf(profile), { force: true });
      writePrivateFile(keysOf(profile), `${JSON.stringify({ keys }, null, 2)}\n`);
      writePrivateFile(fileOf(profile), `${license}\n`);
    },
    remove: (profile) => {
      for (const file of [fileOf(profile), keysOf(profile)]) rmSync(file, { force: true });
    },
    clockFile,
    latestTime,
    recordTime: (epochMs, { reset = false } = {}) => {
      if (reset || epochMs >= latestTime() + CLOCK_STEP_MS) writePrivateFile(clockFile, `${new Date(epochMs).toISOString()}\n`);
    },
  };
};
