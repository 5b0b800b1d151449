import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './root.ts';

const run = promisify(execFile);

const VERSION = '12.8.2';
/** Versions that work with Lighthouse on Node 20. */
const OVERRIDES = { 'third-party-web': '0.30.0' };

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type Category = (typeof CATEGORIES)[number];

type Audit = { title: string; score: number | null; displayValue?: string; numericValue?: number };
type LighthouseReport = {
  categories: Record<Category, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, Audit>;
  runtimeError?: { message: string };
};

/** Scores from 0 to 100, the measured values, and the audits that lower a score. */
export type LighthouseResult = {
  scores: Record<Category, number>;
  firstPaintMs: number;
  largestPaintMs: number;
  blockingMs: number;
  layoutShift: number;
  faults: string[];
};

/**
 * Returns the folder of Lighthouse, which npm installs at the first use. Its 180 packages are no development dependency, because they
 * would slow down every installation.
 */
export const findLighthouse = async (): Promise<string> => {
  const folder = join(ROOT, 'node_modules/.cache/latchkey', `lighthouse-${VERSION}`);
  if (existsSync(folder)) return folder;
  console.error(`Fetching Lighthouse ${VERSION}...`);
  const temporaryFolder = `${folder}.${process.pid}`;
  await mkdir(temporaryFolder, { recursive: true });
  try {
    const manifest = { private: true, dependencies: { lighthouse: VERSION }, overrides: OVERRIDES };
    await writeFile(join(temporaryFolder, 'package.json'), JSON.stringify(manifest));
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: temporaryFolder });
    await rename(temporaryFolder, folder);
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
  return folder;
};

const resultOf = ({ categories, audits, runtimeError }: LighthouseReport): LighthouseResult => {
  if (runtimeError) throw new Error(runtimeError.message);
  const scoreOf = (category: Category): number => Math.round((categories[category].score ?? 0) * 100);
  const measured = (id: string): number => audits[id]?.numericValue ?? Number.NaN;
  const faults = CATEGORIES.filter((category) => scoreOf(category) < 100)
    .flatMap((category) => categories[category].auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => `${audits[id]?.title ?? id} ${audits[id]?.displayValue ?? ''}`.trim());
  return {
    scores: {
      performance: scoreOf('performance'),
      accessibility: scoreOf('accessibility'),
      'best-practices': scoreOf('best-practices'),
      seo: scoreOf('seo'),
    },
    firstPaintMs: measured('first-contentful-paint'),
    largestPaintMs: measured('largest-contentful-paint'),
    blockingMs: measured('total-blocking-time'),
    layoutShift: measured('cumulative-layout-shift'),
    faults,
  };
};

/** Runs Lighthouse for a URL in the browser with the given debugging port. `phone` throttles the network and the processor. */
export const runLighthouse = async (
  folder: string,
  url: string,
  { port, device }: { port: number; device: 'desktop' | 'phone' },
): Promise<LighthouseResult> => {
  const cli = join(folder, 'node_modules/lighthouse/cli/index.js');
  const options = [`--port=${port}`, '--output=json', '--output-path=stdout', '--quiet', `--only-categories=${CATEGORIES.join()}`];
  const preset = device === 'desktop' ? ['--preset=desktop'] : [];
  const { stdout } = await run(process.execPath, [cli, url, ...options, ...preset], { maxBuffer: 64 << 20 });
  return resultOf(JSON.parse(stdout) as LighthouseReport);
};
