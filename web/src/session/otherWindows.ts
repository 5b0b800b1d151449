import { isTokenOf } from '../api/tokens.ts';
import { areaOf, isLoginPath } from '../areas.ts';

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
