import { isTokenOf } from '../api/tokens.ts';
import { areaOf, isLoginPath } from '../areas.ts';

/**
 * Begins anew when somebody else signs in to the same area in another window: all windows share the token, so that what is on the screen
 * would be somebody's and what is done there another one's.
 */
export const followOtherWindows = (): void => {
  window.addEventListener('storage', ({ key, newValue }) => {
    const area = areaOf(location.pathname);
    if (area && newValue !== null && isTokenOf(area, key) && !isLoginPath(location.pathname)) location.reload();
  });
};
