// What a first load may weigh. `node web/scripts/budgets.js` reports on the last build; too heavy exits with 1.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { dist, filesOf, readManifest } from './manifest.js';

const admin = ['src/layouts/AdminLayout.tsx'];
const dashboard = [...admin, 'src/features/dashboard/components/DashboardScreen.tsx'];
const portal = ['src/layouts/PortalLayout.tsx', 'src/features/portalDashboard/components/PortalDashboardScreen.tsx'];
const integrator = [
  'src/layouts/IntegratorLayout.tsx',
  'src/features/integratorDashboard/components/IntegratorDashboardScreen.tsx',
];
const charts = ['src/ui/charts/TimeChart.tsx'];
const feed = ['node_modules/socket.io-client/build/esm/index.js'];

/**
 * Gzipped kB (1000 bytes) of what a screen needs before it is drawn.
 * @type {readonly { what: string, modules: readonly string[], scripts: number, styles: number }[]}
 */
const budgets = [
  { what: 'landing page', modules: ['src/features/landing/components/LandingScreen.tsx'], scripts: 135, styles: 2 },
  { what: 'sign-in page', modules: ['src/features/auth/components/SignInScreens.tsx'], scripts: 135, styles: 2 },
  { what: 'customers', modules: [...admin, 'src/features/customers/components/CustomersScreen.tsx'], scripts: 160, styles: 2 },
  { what: 'dashboard', modules: dashboard, scripts: 170, styles: 2 },
  { what: 'dashboard, all', modules: [...dashboard, ...charts, ...feed], scripts: 300, styles: 2 },
  { what: 'portal', modules: portal, scripts: 170, styles: 2 },
  { what: 'integrators', modules: integrator, scripts: 170, styles: 2 },
];

/** @param {readonly string[]} files @returns {number} kB when gzipped one by one, as they are sent */
const weigh = (files) => files.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0) / 1000;

/**
 * The manifest names packages by a path that leads out of web/.
 * @param {import('./manifest.js').Manifest} manifest
 * @param {string} module
 */
const nameOf = (manifest, module) => Object.keys(manifest).find((name) => `/${name}`.endsWith(`/${module}`)) ?? module;

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
      modules.map((name) => nameOf(manifest, name)),
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
