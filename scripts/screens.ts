// Takes pictures of every screen from the demo's data: light, dark and on a phone. `npm run screens [-- [--out folder] name...]`;
// the folder is docs/screens unless another is named.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../tests/support/chromium.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals: names } = parseArgs({
  args: process.argv.slice(3),
  options: { out: { type: 'string', default: join(root, 'docs/screens') } },
  allowPositionals: true,
});
const out = resolve(values.out);

type Area = 'public' | 'admin' | 'integrator' | 'portal';
type Look = { suffix: string; width: number; height: number; scheme: 'light' | 'dark'; scale: number };
type Screen = { name: string; area: Area; path: string; open?: (page: Page) => Promise<void> };

const LOOKS: readonly Look[] = [
  { suffix: 'light', width: 1440, height: 960, scheme: 'light', scale: 1 },
  { suffix: 'dark', width: 1440, height: 960, scheme: 'dark', scale: 1 },
  { suffix: 'phone', width: 390, height: 844, scheme: 'light', scale: 2 },
];

/** Time for live data to have a shape. */
const TRAFFIC_MS = 65_000;
const SETTLE_MS = 2_500;
const AGAIN_MS = 200;

/** Whether the picture would show something that is not there yet. What is below it may be fetched when one comes to it. */
const IS_LOADING = `[...document.querySelectorAll('[data-loading], [data-live=connecting]')]
  .some((one) => one.getBoundingClientRect().top < innerHeight)`;

const button = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click();
/** Shows a customer as it was in the beginning, and what is different now. */
const showBeginning = async (page: Page) => {
  const slider = page.getByRole('slider');
  await slider.press('Home');
  await slider.evaluate((node) => node.scrollIntoView({ block: 'center' }));
};
const firstLink = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('link', { name }).first().click();
};

/** A customer's screen, and what is done on it. */
const customerThen = (open: (page: Page) => Promise<void>) => async (page: Page) => {
  await firstLink(/Northwind/)(page);
  await page.getByRole('heading', { level: 1, name: /Northwind/ }).waitFor();
  await open(page);
};

const SCREENS: readonly Screen[] = [
  { name: 'landing', area: 'public', path: '/' },
  { name: 'admin-login', area: 'public', path: '/admin/login' },
  { name: 'portal-login', area: 'public', path: '/portal/login' },
  { name: 'integrator-login', area: 'public', path: '/service-integrator/login' },
  { name: 'dashboard', area: 'admin', path: '/admin/dashboard' },
  { name: 'customers', area: 'admin', path: '/admin/customers' },
  { name: 'customer-create', area: 'admin', path: '/admin/customers', open: button('Create customer') },
  { name: 'customer', area: 'admin', path: '/admin/customers', open: firstLink(/Northwind/) },
  { name: 'customer-edit', area: 'admin', path: '/admin/customers', open: customerThen(button('Edit customer')) },
  { name: 'customer-history', area: 'admin', path: '/admin/customers', open: customerThen(showBeginning) },
  { name: 'search', area: 'admin', path: '/admin/dashboard', open: (page) => page.keyboard.press('Control+k') },
  { name: 'integrators', area: 'admin', path: '/admin/service-integrators' },
  { name: 'integrator', area: 'admin', path: '/admin/service-integrators', open: firstLink(/Contour/) },
  { name: 'users', area: 'admin', path: '/admin/users' },
  { name: 'themes', area: 'admin', path: '/admin/themes' },
  { name: 'monitoring', area: 'admin', path: '/admin/monitoring' },
  { name: 'si-dashboard', area: 'integrator', path: '/service-integrator/dashboard' },
  { name: 'si-customers', area: 'integrator', path: '/service-integrator/customers' },
  { name: 'si-customer', area: 'integrator', path: '/service-integrator/customers', open: firstLink(/Northwind/) },
  { name: 'si-users', area: 'integrator', path: '/service-integrator/users' },
  { name: 'si-themes', area: 'integrator', path: '/service-integrator/themes' },
  { name: 'si-white-label', area: 'integrator', path: '/service-integrator/white-label' },
  { name: 'si-settings', area: 'integrator', path: '/service-integrator/settings' },
  { name: 'portal-dashboard', area: 'portal', path: '/portal/dashboard' },
  { name: 'portal-credentials', area: 'portal', path: '/portal/credentials' },
  { name: 'portal-usage', area: 'portal', path: '/portal/usage' },
  { name: 'portal-users', area: 'portal', path: '/portal/users' },
  { name: 'portal-profile', area: 'portal', path: '/portal/profile' },
];

const SIGN_IN: Record<Exclude<Area, 'public'>, string> = {
  admin: '/admin/login',
  integrator: '/service-integrator/login',
  portal: '/portal/login',
};

type Demo = { url: string; keys: Record<Exclude<Area, 'public'>, string>; stop: () => Promise<void> };

const startDemo = async (): Promise<Demo> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-screens-'));
  const child = spawn(process.execPath, [join(root, 'dist/demo/main.js')], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const lines: string[] = [];
  await new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (line.startsWith('A year of usage')) resolve();
    });
  });
  const lastWord = (start: string): string =>
    lines
      .find((line) => line.trim().startsWith(start))
      ?.trim()
      .split(/\s+/)
      .at(-1) ?? '';
  return {
    url: /^Ready on (\S+?)\.? /.exec(lines.find((line) => line.startsWith('Ready')) ?? '')?.[1] ?? '',
    keys: { admin: lastWord('Administrator'), integrator: lastWord('Service integrator'), portal: lastWord('Customer') },
    stop: async () => {
      child.kill('SIGINT');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

const signIn = async (page: Page, { url, keys }: Demo, area: Exclude<Area, 'public'>): Promise<void> => {
  await page.goto(url + SIGN_IN[area]);
  await page.locator('main input').first().fill(keys[area]);
  await page.locator('main button[type=submit]').click();
  await page.waitForURL(/dashboard/);
};

const take = async (browser: Browser, demo: Demo, look: Look, screens: readonly Screen[]): Promise<void> => {
  for (const area of ['public', 'admin', 'integrator', 'portal'] as const) {
    const wanted = screens.filter((screen) => screen.area === area);
    if (wanted.length === 0) continue;
    const context = await browser.newContext({
      viewport: { width: look.width, height: look.height },
      colorScheme: look.scheme,
      deviceScaleFactor: look.scale,
      locale: 'en-GB',
    });
    const page = await context.newPage();
    if (area !== 'public') await signIn(page, demo, area);
    for (const { name, path, open } of wanted) {
      await page.goto(demo.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (open) await open(page);
      await page.waitForTimeout(SETTLE_MS);
      while (await page.evaluate(IS_LOADING)) await page.waitForTimeout(AGAIN_MS);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (Number(overflow) > 0) console.error(`${name}-${look.suffix} is ${overflow} px too wide`);
      await page.screenshot({ path: join(out, `${name}-${look.suffix}.png`) });
      console.log(`${name}-${look.suffix}`);
    }
    await context.close();
  }
};

const screens = SCREENS.filter(({ name }) => names.length === 0 || names.includes(name));
await mkdir(out, { recursive: true });
const demo = await startDemo();
const browser = await launchBrowser();
try {
  await new Promise((resolve) => setTimeout(resolve, TRAFFIC_MS));
  for (const look of LOOKS) await take(browser, demo, look, screens);
} finally {
  await browser.close();
  await demo.stop();
}
