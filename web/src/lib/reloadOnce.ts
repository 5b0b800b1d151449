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
export const reloadOnce = (): void => {
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok && mayReload() && location.reload(),
    () => undefined,
  );
};
