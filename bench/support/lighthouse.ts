import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './root.ts';

const run = promisify(execFile);

const VERSION = '12.8.2';
/** Found to work with it on Node 20. */
const OVERRIDES = { 'third-party-web': '0.30.0' };

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type Category = (typeof CATEGORIES)[number];

type Audit = { title: string; score: number | null; displayValue?: string; numericValue?: number };
type LighthouseReport = {
  categories: Record<Category, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, Audit>;
  runtimeError?: { message: string };
};

/** Scores from 0 to 100, what is measured in ms or as a sum, and what costs points. */
export type Verdict = {
  scores: Record<Category, number>;
  firstPaintMs: number;
  largestPaintMs: number;
  blockingMs: number;
  layoutShift: number;
  faults: string[];
};

/**
 * The folder of Lighthouse, fetched by npm at the first use: it brings 180 packages, which whoever installs the product
 * should not have to wait for.
 */
export const findLighthouse = async (): Promise<string> => {
  const folder = join(ROOT, 'node_modules/.cache/latchkey', `lighthouse-${VERSION}`);
  if (existsSync(folder)) return folder;
  console.error(`Fetching Lighthouse ${VERSION}...`);
  const aside = `${folder}.${process.pid}`;
  await mkdir(aside, { recursive: true });
  try {
    const manifest = { private: true, dependencies: { lighthouse: VERSION }, overrides: OVERRIDES };
    await writeFile(join(aside, 'package.json'), JSON.stringify(manifest));
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: aside });
    await rename(aside, folder);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return folder;
};

const verdictOf = ({ categories, audits, runtimeError }: LighthouseReport): Verdict => {
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

/** Looks at an address with the browser that can be driven at the port. A phone has a slow line and a slow processor. */
export const look = async (
  folder: string,
  url: string,
  { port, device }: { port: number; device: 'desktop' | 'phone' },
): Promise<Verdict> => {
  const cli = join(folder, 'node_modules/lighthouse/cli/index.js');
  const options = [`--port=${port}`, '--output=json', '--output-path=stdout', '--quiet', `--only-categories=${CATEGORIES.join()}`];
  const preset = device === 'desktop' ? ['--preset=desktop'] : [];
  const { stdout } = await run(process.execPath, [cli, url, ...options, ...preset], { maxBuffer: 64 << 20 });
  return verdictOf(JSON.parse(stdout) as LighthouseReport);
};
