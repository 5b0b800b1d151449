import { api } from '../api/client.ts';
import { isSignedOut } from '../api/error.ts';
import { clearToken, isTokenOf, readToken } from '../api/tokens.ts';
import { areaOf, isLoginPath } from '../areas.ts';
import { sessionPath } from './sessionPath.ts';

/** Removes stored tokens whose session has ended. The area that is shown checks its own session. */
export const validateStoredSessions = (pathname: string): void => {
  const shown = areaOf(pathname);
  for (const area of ['portal', 'integrator'] as const) {
    if (area === shown || readToken(area) === null) continue;
    api.get(sessionPath[area], { as: area, unauthorized: 'throw' }).catch((error: unknown) => {
      if (isSignedOut(error)) clearToken(area);
    });
  }
};

/**
 * Reloads the page when another user signs in to the same area in another window. All windows share the token: this window
 * would show the data of one user and send changes as another.
 */
export const followOtherWindows = (): void => {
  window.addEventListener('storage', ({ key, newValue }) => {
    const area = areaOf(location.pathname);
    if (area && newValue !== null && isTokenOf(area, key) && !isLoginPath(location.pathname)) location.reload();
  });
};
