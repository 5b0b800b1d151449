const KEY = 'reloaded_at';
const NOT_AGAIN_WITHIN_MS = 30_000;

const mayReload = (): boolean => {
  try {
    const before = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - before < NOT_AGAIN_WITHIN_MS) return false;
    sessionStorage.setItem(KEY, String(Date.now()));
    return true;
  } catch {
    return false;
  }
};

/**
 * Loads the page anew, but not in a circle, and only from a server that answers: without one the browser would show a
 * page of its own in the place of what is on the screen.
 */
export const reloadOnce = (): void => {
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok && mayReload() && location.reload(),
    () => undefined,
  );
};
