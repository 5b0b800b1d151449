// The maximum size of a first load. `node web/scripts/budgets.js` reports on the last build and exits with 1 if it is over.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { pages } from './areas.js';
import { dist, filesOf, readManifest } from './manifest.js';

/** @typedef {{ scripts: number, styles: number }} Budget gzipped kB (1000 bytes) that are loaded before the screen is rendered */

/** Every page knows the paths of all screens and of what is loaded on demand: each one adds 0.1 or 0.2 kB to all pages. @type {Budget} */
const PUBLIC = { scripts: 138.2, styles: 2 };
/**
 * Styles of the frame, its banners and one list. The frame has breadcrumbs, with the customer that a screen is a part of (0.2 kB), what
 * the user chose before, and what is shown until the session is known; the rows of a list open and are selected by click and by key.
 * That of a service integrator also has its brand, that of a customer the notice of a quota that is used up soon (0.7 kB) and how its
 * seats float (0.6 kB). Tables hide columns in two steps (0.1 kB of styles, 0.1 kB of scripts). Until the session is known, the frame has
 * the navigation and the brand of the last visit (0.3 kB). Figures link to what they count (0.2 kB).
 * @type {Budget}
 */
const DASHBOARD = { scripts: 175.3, styles: 2.4 };
/**
 * Lists that are imported open the import by their address too, for the search (0.1 kB). The usage of all customers of a service
 * integrator has all figures, which link to the calls that they count (0.3 kB), and loads its parts on demand (0.2 kB). Every page knows
 * the orders of customers, the part that sorts complete lists and what an unknown address shows (0.2 kB). Only a read without a reply
 * hints at the connection (0.1 kB).
 * @type {Budget}
 */
const SCREEN = { scripts: 186.4, styles: 2.8 };
/**
 * A screen that is a form itself loads its validation too, and who last changed it. The contracts of all forms are one file with the
 * validation: those of records added 0.6 kB, those of quotas and idle seats 0.3 kB, floating seats of plans 0.2 kB, columns that tables
 * hide 0.1 kB, breadcrumbs with what a screen is a part of 0.2 kB, the navigation of the last visit 0.2 kB.
 * @type {Budget}
 */
const FORM = { scripts: 224.8, styles: 2.5 };

/** @type {Readonly<Record<string, Budget>>} */
const BUDGETS = {
  'index.html': PUBLIC,
  'login.html': PUBLIC,
  'join.html': PUBLIC,
  // The frame of every screen knows named users, their notices and their permissions, and the addresses of all screens.
  // The list marks and filters licenses by their term, filters customers by tags, and prints all its pages. Its texts are those
  // of a customer too, which can be moved, and of what its tables hide (0.4 kB). Bulk actions share the request that changes a customer
  // with its forms, and the list of what to read again afterwards (0.4 kB).
  'admin-customers.html': { scripts: 176.4, styles: 2.4 },
  // It also requests the offer of a first account, which only key sessions show, and links to alerts and the audit page,
  // and marks the terms of recent customers. Breadcrumbs with the customer added 0.2 kB.
  'admin-dashboard.html': { scripts: 183.4, styles: 2.4 },
  'portal-dashboard.html': DASHBOARD,
  // Its recent customers share their columns with the list, which has those of plan, tags and utilization too (0.4 kB), and hides
  // some (0.1 kB). Cards count floating seats (0.1 kB). The list has a column of quotas (0.1 kB).
  'integrator-dashboard.html': { scripts: 175.4, styles: 2.4 },
  'portal-device.html': FORM,
  'portal-profile.html': FORM,
  // The terms, plan, entitlements (0.8 kB), records, quota (1.1 kB), release of idle seats (0.2 kB), floating seats (0.5 kB) and move to
  // another service integrator (0.4 kB) of a customer, whose dialogs are loaded on demand.
  'admin-customers-customerId.html': { scripts: 192, styles: 2.7 },
  // Its frame has the brand of the last visit (0.3 kB), its instances are exported (0.1 kB), and its figures link to what they count
  // (0.3 kB). What shows it at an earlier time is a file that the screens of a service integrator share (0.8 kB). It says that a customer
  // was moved (0.2 kB).
  'integrator-customers-customerId.html': { scripts: 194.1, styles: 2.7 },
  'integrator-white-label.html': FORM,
  'integrator-settings.html': FORM,
};

/** What a browser may load before it renders the screen of a page. @param {string} page @returns {Budget} */
export const budgetOf = (page) => BUDGETS[page] ?? SCREEN;

const charts = ['src/ui/charts/TimeChart.tsx'];
const feed = ['node_modules/socket.io-client/build/esm/index.js'];

/**
 * Every page with the modules that its head names: a browser loads them before it renders the screen. The last entry includes
 * what is loaded after that.
 */
const budgets = [
  ...pages.map(({ file, modules }) => ({ what: file.replace('.html', ''), modules, ...budgetOf(file) })),
  {
    what: 'admin-dashboard with charts and feed',
    modules: [...(pages.find(({ file }) => file === 'admin-dashboard.html')?.modules ?? []), ...charts, ...feed],
    // Terms and seats of licenses added 0.5 kB, lists that print all their pages 0.5 kB, quotas 0.2 kB, the column of
    // utilization 0.1 kB, the chart of seats 1 kB of the chart library, round labels of the axis of values 0.3 kB, breadcrumbs
    // with the customer 0.2 kB.
    scripts: 306.6,
    styles: 2.4,
  },
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
    const line = `${over ? 'over ' : 'kept '} ${what.padEnd(40)} ${used.toFixed(1)} of ${limit} kB scripts, ${styled.toFixed(1)} of ${styleLimit} kB styles\n`;
    process.stderr.write(line);
  }
  return kept;
};

if (process.argv[1] === fileURLToPath(import.meta.url) && !checkBudgets(readManifest())) process.exit(1);
