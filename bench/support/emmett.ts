import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './root.ts';

const folder = join(ROOT, 'bench/emmett');

/** Runs a script of bench/emmett and returns the number that it prints; null if emmett is not installed. */
const measured = async (script: string, databaseUrl: string, settings: readonly number[]): Promise<number | null> => {
  if (!existsSync(join(folder, 'node_modules'))) return null;
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, script), databaseUrl, ...settings.map(String)]);
  return Number(stdout);
};

export const INSTALL_EMMETT = 'emmett is compared with after: npm ci --prefix bench/emmett';

/** Events a second that emmett appends to PostgreSQL in batches, in a separate process. */
export const emmettAppendRate = (
  databaseUrl: string,
  { seconds, batch, concurrency }: { seconds: number; batch: number; concurrency: number },
): Promise<number | null> => measured('append.js', databaseUrl, [seconds, batch, concurrency]);

/** Events a second that emmett's projector handles, with an INSERT or UPDATE for each. */
export const emmettProjectionRate = (databaseUrl: string, events: number): Promise<number | null> =>
  measured('project.js', databaseUrl, [events]);
