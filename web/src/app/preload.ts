import { loadBranding } from '../branding/branding.ts';
import { type Area, areaOf, areaRoot, isLoginPath } from './areas.ts';
import { screenAt } from './lazyScreen.tsx';
import { areaScreens } from './screens/areas.ts';
import { landing, logins } from './screens/public.ts';

const findScreen = (area: Area, pathname: string) => {
  const { screens } = areaScreens[area];
  return screenAt(areaRoot[area], [...screens, ...screens.slice(0, 1).map(({ screen }) => ({ path: '', screen }))], pathname);
};

/** Whether the area has a screen at a path. */
export const isScreenOf = (area: Area, pathname: string): boolean => findScreen(area, pathname) !== undefined;

/** Code and data of a path, fetched beside each other. Also for a link that is about to be followed. */
export const preloadScreen = async (area: Area, to: string): Promise<void> => {
  const { pathname, searchParams } = new URL(to, location.origin);
  const found = findScreen(area, pathname);
  if (!found) return;
  const [{ prefetch }, { queryClientOf }] = await Promise.all([found.screen.preload(), import('../api/queryClients.ts')]);
  prefetch?.(queryClientOf(area), { params: found.params, search: searchParams });
};

/**
 * Everything that the first paint of a path needs, all at once. React starts after it, so that what is drawn first
 * is the screen; until then the page shows its own spinner.
 */
export const preloadPage = async (pathname: string, search: string): Promise<void> => {
  const area = areaOf(pathname);
  if (!area) {
    await Promise.all([landing.preload(), loadBranding()]);
    return;
  }
  if (isLoginPath(pathname)) {
    await Promise.all([logins[area].preload(), loadBranding()]);
    return;
  }
  const session = import('../features/auth/api/session.ts').then(({ loadSession }) => loadSession(area));
  await Promise.all([areaScreens[area].Layout.preload(), preloadScreen(area, pathname + search), session, loadBranding()]);
};
