import { launchBrowser } from './tests/support/chromium.ts';
const base = 'http://localhost:3400';
const browser = await launchBrowser();
const errors: string[] = [];
const open = async (area: 'admin'|'portal'|'si', opts: object = {}) => {
  const context = await browser.newContext({ baseURL: base, locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce', viewport: { width: 1440, height: 1000 }, ...opts });
  const page = await context.newPage();
  page.setDefaultTimeout(60000);
  page.on('pageerror', (e) => errors.push(String(e)));
  page.on('console', (m) => m.type() === 'error' && errors.push(m.text()));
  if (area === 'admin') {
    await page.goto('/admin/login');
    await page.getByLabel(/key/i).first().fill('latchkey-demo-admin');
    await page.keyboard.press('Enter');
    await page.waitForURL(/dashboard/);
  } else if (area === 'portal') {
    await page.goto('/portal/login');
    await page.getByLabel(/license key/i).first().fill('LK-ENT-S6VT-B9CN5');
    await page.keyboard.press('Enter');
    await page.waitForURL(/dashboard/);
  } else {
    await page.goto('/service-integrator/login');
    await page.getByLabel(/license key/i).first().fill('LK-SI-ANER-QE6ED');
    await page.keyboard.press('Enter');
    await page.waitForURL(/dashboard/);
  }
  return page;
};
const shot = async (page: any, path: string, name: string, fullPage = false) => {
  if (path) await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForTimeout(3500);
  await page.screenshot({ path: `/tmp/walk/${name}.png`, fullPage });
  console.log(name);
};
const which = process.argv.slice(3);
export { open, shot };
const todo = JSON.parse(process.env.WALK ?? '[]') as [area: 'admin'|'portal'|'si', path: string, name: string, opts?: object, full?: boolean][];
const pages = new Map<string, any>();
for (const [area, path, name, opts = {}, full] of todo) {
  const key = area + JSON.stringify(opts);
  if (!pages.has(key)) pages.set(key, await open(area, opts));
  try { await shot(pages.get(key), path, name, full); } catch (e) { console.log('FAILED', name, String(e).slice(0, 200)); await pages.get(key).screenshot({ path: `/tmp/walk/${name}.png` }); }
}
console.log(errors);
await browser.close();
process.exit(0);
