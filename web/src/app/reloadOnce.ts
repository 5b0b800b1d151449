const KEY = 'reloaded_at';
const NOT_AGAIN_WITHIN_MS = 30_000;

/** Loads the page anew, but not in a circle. */
export const reloadOnce = (event: Event): void => {
  try {
    const before = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - before < NOT_AGAIN_WITHIN_MS) return;
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    return;
  }
  event.preventDefault();
  location.reload();
};
