const KEY = 'reloaded_at';
const MIN_INTERVAL_MS = 30_000;

const mayReload = (): boolean => {
  try {
    const before = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - before < MIN_INTERVAL_MS) return false;
    sessionStorage.setItem(KEY, String(Date.now()));
    return true;
  } catch {
    return false;
  }
};

/**
 * Reloads the page, but not repeatedly, and only if the server is reachable: otherwise the browser would replace the screen by
 * its own error page.
 */
const reloadOnce = (): void => {
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok && mayReload() && location.reload(),
    () => undefined,
  );
};

/** Requested files by path. A failed request is removed, so that the next attempt requests the file again. */
const requested = new Map<string, Promise<void>>();

const fetchScript = async (path: string): Promise<void> => {
  const response = await fetch(path);
  // A newer version was deployed, which removed the files of this page's version.
  if (response.status === 404) reloadOnce();
  if (!response.ok) throw new Error(`Status ${response.status}`);
  await response.arrayBuffer(); // the browser caches a response once it was read to its end
};

const addStylesheet = (path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.crossOrigin = '';
    link.href = path;
    link.onload = () => resolve();
    link.onerror = (event) => {
      link.remove();
      reject(event);
    };
    document.head.append(link);
  });

const request = (path: string): Promise<void> => {
  const earlier = requested.get(path);
  if (earlier) return earlier;
  const isInPage = document.querySelector(`link[href="${path}"]`) !== null;
  const load = isInPage ? Promise.resolve() : path.endsWith('.css') ? addStylesheet(path) : fetchScript(path);
  const file = load.catch((cause: unknown) => {
    requested.delete(path);
    throw new Error(`${path} couldn't be loaded`, { cause });
  });
  requested.set(path, file);
  return file;
};

/**
 * What a built `import()` of the console calls instead of Vite's own helper. A browser never requests a module again whose
 * request failed once, nor does it run a module that imports it. So all files are fetched into the browser's cache first, and
 * imported only when all of them are cached. A caller may try again after a failure, without a reload of the page.
 *
 * @param run the `import()` itself
 * @param files the module's file and all that it imports, relative to the root
 */
export const loadChunk = async <Module>(run: () => Promise<Module>, files: readonly string[] = []): Promise<Module> => {
  await Promise.all(files.map((file) => request(`/${file}`)));
  try {
    return await run();
  } catch (error) {
    reloadOnce(); // a file that the page itself links could not be fetched
    throw error;
  }
};
