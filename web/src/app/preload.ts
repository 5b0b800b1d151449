import { areaOf, areaRoot, isLoginPath } from '../areas.ts';
import { screenAt } from '../lib/lazyScreen.tsx';
import type { Preloader } from '../lib/preloader.ts';
import { loadBranding } from '../ui/branding.ts';
import { areaScreens } from './screens/areas.ts';
import { JOIN_PATH, join, landing, logins } from './screens/public.ts';

/** A first paint never waits longer than this for the session: it then shows the frame without an account. */
const SESSION_TIMEOUT_MS = 600;

const findScreen = (pathname: string) => {
  const area = areaOf(pathname);
  if (!area) return undefined;
  const { screens } = areaScreens[area];
  const index = screens.slice(0, 1).map(({ screen }) => ({ path: '', screen }));
  const found = screenAt(areaRoot[area], [...screens, ...index], pathname);
  return found && { area, ...found };
};

const preloadScreen = async (path: string): Promise<void> => {
  const { pathname, searchParams } = new URL(path, location.origin);
  const found = findScreen(pathname);
  if (!found) return;
  const [{ prefetch }, { queryClientOf }] = await Promise.all([found.screen.preload(), import('../api/queryClients.ts')]);
  prefetch?.(queryClientOf(found.area), { params: found.params, search: searchParams });
};

/** React starts afterwards, so that the first paint is the screen; until then the page shows its own spinner. */
const preloadPage = async (pathname: string, search: string): Promise<void> => {
  const area = areaOf(pathname);
  if (!area) {
    await Promise.all([(pathname === JOIN_PATH ? join : landing).preload(), loadBranding()]);
    return;
  }
  if (isLoginPath(pathname)) {
    await Promise.all([logins[area].preload(), loadBranding()]);
    return;
  }
  const session = import('../session/session.ts').then(({ loadSession }) => loadSession(area));
  const slow = new Promise<void>((resolve) => window.setTimeout(resolve, SESSION_TIMEOUT_MS));
  await Promise.all([
    areaScreens[area].Layout.preload(),
    preloadScreen(pathname + search),
    Promise.race([session, slow]),
    loadBranding(),
  ]);
};

/** Loads the code of pages and screens before the user opens them. */
export const preloader: Preloader = {
  page: preloadPage,
  screen: preloadScreen,
  hasScreen: (pathname) => findScreen(pathname) !== undefined,
};
