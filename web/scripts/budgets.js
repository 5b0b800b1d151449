// What a first load may weigh. `node web/scripts/budgets.js` reports on the last build; too heavy exits with 1.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { dist, filesOf, readManifest } from './manifest.js';

const signIn = 'src/features/auth/components/SignInScreens.tsx';
const admin = 'src/layouts/AdminLayout.tsx';
const session = ['src/features/auth/api/session.ts', 'src/api/queryClients.ts'];

/**
 * Gzipped kB (1000 bytes) of what a screen needs before it is drawn.
 * @type {readonly { what: string, modules: readonly string[], scripts: number, styles: number }[]}
 */
const budgets = [
  { what: 'landing page', modules: ['src/features/landing/components/LandingScreen.tsx'], scripts: 135, styles: 4 },
  { what: 'sign-in page', modules: [signIn], scripts: 135, styles: 4 },
  { what: 'admin layout', modules: [admin, ...session], scripts: 160, styles: 4 },
];

/** @param {readonly string[]} files @returns {number} kB when gzipped one by one, as they are sent */
const weigh = (files) => files.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0) / 1000;

/**
 * Prints each budget with what was used of it.
 * @param {import('./manifest.js').Manifest} manifest
 * @returns {boolean} whether all were kept
 */
export const checkBudgets = (manifest) => {
  let kept = true;
  for (const { what, modules, scripts: limit, styles: styleLimit } of budgets) {
    const { scripts, styles } = filesOf(
      manifest,
      modules.filter((name) => name in manifest),
    );
    const used = weigh(scripts);
    const styled = weigh(styles);
    const over = used > limit || styled > styleLimit;
    if (over) kept = false;
    const line = `${over ? 'over ' : 'kept '} ${what.padEnd(18)} ${used.toFixed(1)} of ${limit} kB scripts, ${styled.toFixed(1)} of ${styleLimit} kB styles\n`;
    process.stderr.write(line);
  }
  return kept;
};

if (process.argv[1] === fileURLToPath(import.meta.url) && !checkBudgets(readManifest())) process.exit(1);
