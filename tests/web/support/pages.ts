import type { Browser, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';

export const DESKTOP = { width: 1440, height: 900 };
export const TABLET = { width: 768, height: 1024 };
export const PHONE = { width: 390, height: 844 };

/** A document of the server without scripts: storage can be set before the console starts, and requests can be intercepted. */
export const EMPTY_PAGE = '/robots.txt';

/** How a page is opened: the options of its browser profile, and what it holds before the console starts. */
export type OpenOptions = BrowserContextOptions & {
  /** Entries of local storage, such as the token of a session. */
  storage?: Record<string, string>;
  /** No socket of the live feed connects. A page cannot undo this, so such pages are only used again for the same. */
  withoutLive?: boolean;
};

/** Opens pages at addresses of one server, and uses pages again that tests have left. */
export type Pages = {
  /** An empty page, without cookies, storage, routes and other pages, whichever test used it before. */
  open: (options: OpenOptions) => Promise<Page>;
};

const LIMIT_MS = 60_000;

/** Playwright's own limit does not hold for profiles, pages and `evaluate`: one that stalls would only end with the test, unexplained. */
const limited = async <T>(what: string, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${LIMIT_MS / 1000} s`)), LIMIT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

/** Waits until the screen is drawn down to its end, by scrolling there until nothing loads any more. */
export const loaded = async (page: Page): Promise<void> => {
  await page.locator('h1:not([data-pending])').waitFor();
  await page
    .waitForFunction(
      () => {
        window.scrollTo(0, document.body.scrollHeight);
        return document.querySelector('[data-loading]') === null;
      },
      undefined,
      { polling: 50 },
    )
    .catch((error: unknown) => {
      throw new Error(`${page.url()} still loads`, { cause: error });
    });
};

/** The names of the buttons of the screen that a page shows, read at one moment: a button may be drawn again. */
export const buttonNames = (page: Page): Promise<string[]> =>
  page
    .getByRole('main')
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => one.ariaLabel ?? (one instanceof HTMLElement ? one.innerText : '')));

/** The requests of a page that run. */
const running = new WeakMap<Page, Set<Request>>();

const followRequests = (page: Page): void => {
  const requests = new Set<Request>();
  running.set(page, requests);
  page.on('request', (request) => requests.add(request));
  const end = (request: Request): void => void requests.delete(request);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
};

/** How many frames without a request end the wait: the screen that a reply draws may request more. */
const QUIET_FRAMES = 5;

/** Waits until the page has drawn the replies to all its requests, as Playwright's state `networkidle` does 500 ms after the last. */
export const quiet = async (page: Page): Promise<void> => {
  for (let frames = 0; frames < QUIET_FRAMES; ) {
    await page.evaluate(() => new Promise(requestAnimationFrame));
    frames = running.get(page)?.size === 0 ? frames + 1 : 0;
  }
};

/** Waits until the page has drawn, also what it changes for another window size or other media. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

/**
 * The size of a chart once it fills its place: it is drawn in another size first. Waits until it does not move either, as it does while
 * the screen above it loads.
 */
export const chartSize = async (page: Page, surface: Locator): Promise<{ width: number; height: number }> => {
  await surface.waitFor();
  await quiet(page);
  return surface.evaluate(async (element) => {
    const boxOf = () => element.getBoundingClientRect();
    const isFitted = () => Math.abs(boxOf().width - (element.closest('.recharts-responsive-container')?.clientWidth ?? 0)) < 1;
    for (let before = boxOf(), still = 0; still < 3; before = boxOf()) {
      await new Promise(requestAnimationFrame);
      const { top, left } = boxOf();
      still = isFitted() && top === before.top && left === before.left ? still + 1 : 0;
    }
    const { width, height } = boxOf();
    return { width, height };
  });
};

/**
 * Shows another screen of the area that the page shows, as a link would: loading the page again takes twice the CPU time. Waits for the
 * screen's heading, unless only the query changes.
 */
export const navigate = async (page: Page, path: string): Promise<void> => {
  // Before its first screen the page does not follow its address yet.
  await page.locator('h1:not([data-pending])').first().waitFor();
  const isSameScreen = new URL(page.url()).pathname === new URL(path, page.url()).pathname;
  const before = await page.evaluate((to) => {
    const heading = document.querySelector('h1');
    heading?.setAttribute('data-left', '');
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
    return heading?.textContent ?? null;
  }, path);
  if (isSameScreen) return;
  // Tabs share the element of their heading.
  const isShown = (text: string | null): boolean => {
    const heading = document.querySelector('h1:not([data-pending])');
    return heading !== null && (!heading.hasAttribute('data-left') || heading.textContent !== text);
  };
  await page.waitForFunction(isShown, before, { polling: 50 });
};

/** What `leave` gives a page back to. */
const owners = new WeakMap<Page, (page: Page) => Promise<void>>();

/**
 * Ends the use of a page, so that another `open` can use it again: a new browser profile takes twice the CPU time, since it compiles
 * all scripts again. A page with an init script or another clock cannot be reset: close its context instead.
 */
export const leave = async (page: Page): Promise<void> => {
  const giveBack = owners.get(page);
  if (!giveBack) throw new Error('This page was not opened by `open`: close its context');
  await giveBack(page);
};

/** Removes what a test may have left. The console does not run meanwhile, so that it cannot store anything again. */
const reset = async (page: Page, { colorScheme = 'light' }: BrowserContextOptions): Promise<void> => {
  const context = page.context();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const event of ['request', 'requestfinished', 'requestfailed', 'websocket'] as const) page.removeAllListeners(event);
  followRequests(page);
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.setOffline(false);
  await page.goto(EMPTY_PAGE);
  await page.emulateMedia({ media: null, colorScheme });
  await context.clearPermissions();
  await context.clearCookies();
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.mouse.move(-1, -1);
};

/** `url` is the server's; `watch` is called once for each page that is made. */
export const pagesOf = (browser: Browser, url: string, watch: (page: Page) => void): Pages => {
  const idle = new Map<string, Page[]>();

  const create = async (options: BrowserContextOptions, withoutLive: boolean): Promise<Page> => {
    const context = await browser.newContext({
      baseURL: url,
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    watch(page);
    followRequests(page);
    // A violation that a script catches, such as that of `eval`, is not logged to the console.
    await page.addInitScript(() =>
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
        console.error(`Content security policy: ${effectiveDirective} ${blockedURI} in ${sourceFile}`),
      ),
    );
    if (withoutLive) await context.routeWebSocket(/socket\.io/, () => undefined);
    await page.goto(EMPTY_PAGE);
    return page;
  };

  return {
    open: async ({ storage = {}, withoutLive = false, viewport = DESKTOP, ...options }) => {
      const key = JSON.stringify([withoutLive, options]);
      const left = idle.get(key) ?? [];
      idle.set(key, left);
      const page = left.pop() ?? (await limited('A new page', create(options, withoutLive)));
      owners.set(page, async () => {
        owners.delete(page);
        await limited('Leaving a page', reset(page, options)).then(
          () => left.push(page),
          () => page.context().close(), // such as a page whose server was stopped
        );
      });
      await page.setViewportSize(viewport ?? DESKTOP);
      const fill = page.evaluate((entries) => {
        for (const [name, value] of entries) localStorage.setItem(name, value);
      }, Object.entries(storage));
      await limited('Filling local storage', fill);
      return page;
    },
  };
};
