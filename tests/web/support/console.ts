import type { Browser, Download, Locator, Page } from 'playwright-core';
import { asAdmin, type Client, newCustomer, newIntegrator } from '../../support/apiClient.ts';
import { launchTestBrowser } from '../../support/chromium.ts';
import { ADMIN_KEY } from '../../support/keys.ts';
import { openServer, type TestServer, type TestServerOptions } from '../../support/server.ts';
import { EMPTY_PAGE, type OpenOptions, pagesOf } from './pages.ts';

/** A complete server with the built console, and a real browser. */
export type TestConsole = {
  url: string;
  server: TestServer;
  /** An administrator who calls the API without a browser. */
  admin: Client;
  browser: Browser;
  /** A page without a session, in a browser profile that no other page in use shares. Its errors are in `pageErrors`. */
  open: (path: string, options?: OpenOptions) => Promise<Page>;
  /** A page of an administrator, signed in through the API. */
  openAsAdmin: (path: string, options?: OpenOptions) => Promise<Page>;
  /** Uncaught errors and violations of the content security policy, on any page. */
  pageErrors: string[];
  close: () => Promise<void>;
};

/** The browser also logs rejections that tests provoke; they are no errors of the page. */
const isExpected = (text: string): boolean => text.startsWith('Failed to load resource');

const watch = (page: Page, pageErrors: string[]): void => {
  page.on('pageerror', (error) => pageErrors.push(`${page.url()} ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message.text())) pageErrors.push(`${page.url()} ${message.text()}`);
  });
};

/** `page` shows the empty page. */
const show = async (page: Page, path: string): Promise<void> => {
  if (path !== EMPTY_PAGE) await page.goto(path);
};

export const openConsole = async (env: NodeJS.ProcessEnv = {}, options: TestServerOptions = {}): Promise<TestConsole> => {
  const [server, browser] = await Promise.all([
    openServer({ ADMIN_EMAIL: 'root@latchkey.example', ...env }, options),
    launchTestBrowser(),
  ]);
  const { url } = server;
  const pageErrors: string[] = [];
  const pages = pagesOf(browser, url, (page) => watch(page, pageErrors));
  return {
    url,
    server,
    admin: await asAdmin(url),
    browser,
    pageErrors,
    open: async (path, options = {}) => {
      const page = await pages.open(options);
      await show(page, path);
      return page;
    },
    openAsAdmin: async (path, options = {}) => {
      const page = await pages.open(options);
      const reply = await page.request.post('/api/auth/admin/login', { data: { adminKey: ADMIN_KEY }, headers: { origin: url } });
      if (!reply.ok()) throw new Error(`The administrator could not sign in: ${reply.status()}`);
      await show(page, path);
      return page;
    },
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
};

export const dialogOf = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'));

/** Waits until a dialog has the focus, which it takes a frame after it is shown: it does not listen for Escape before. */
export const holdsFocus = (dialog: Locator): Promise<void> => dialog.and(dialog.page().locator(':focus-within')).first().waitFor();

/** Exports the list of the screen; `label` is the choice in the menu. */
export const exportAs = async (page: Page, label: string, menu = 'Export'): Promise<Download> => {
  await page.getByRole('button', { name: menu, exact: true }).click();
  const choice = page.getByRole('group', { name: menu }).getByRole('button', { name: label, exact: true });
  const [file] = await Promise.all([page.waitForEvent('download'), choice.click()]);
  return file;
};

/** Searches in a field for an option, and chooses it in the list of the search: that of an earlier one could move below the pointer. */
export const chooseIn = async (dialog: Locator, field: string, option: string): Promise<void> => {
  await dialog.getByRole('combobox', { name: field }).fill(option);
  await dialog.locator('[role=listbox][aria-busy=false]').waitFor();
  await dialog.getByRole('option', { name: option, exact: true }).click();
};

/** Chooses the service integrator in the form of a new customer. */
export const chooseIntegrator = (dialog: Locator, companyName: string): Promise<void> =>
  chooseIn(dialog, 'Service integrator', companyName);

/** The toasts' live region. */
export const toastsOf = (page: Page) => page.getByRole('region', { name: 'Notifications' });

/** A promise that the test resolves, so that a reply can wait for it. */
export const deferred = (): { released: Promise<void>; release: () => void } => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { released, release: () => release() };
};

/** The heading that names the screen. The frame has another one until the session is known. */
export const titleOf = (page: Page) => page.getByRole('heading', { level: 1 }).and(page.locator(':not([data-pending])'));

/** An integrator with customers of these names, created through the API, oldest first. */
export const seed = async (admin: Client, names: readonly string[], companyName = 'Contoso Partners') => {
  const integrator = await newIntegrator(admin, { companyName });
  const customers = [];
  for (const name of names) customers.push(await newCustomer(admin, integrator.id, { name, company: `${name} Inc.` }));
  return { integrator, customers };
};
