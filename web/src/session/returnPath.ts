import { type Area, areaOf, homePath, isLoginPath } from '../areas.ts';

type Path = { pathname: string; search: string; hash: string };

/** The screen that the user requested before the sign-in, by area. */
const requested = new Map<Area, Path>();

/** Remembers a screen until after the sign-in, or until the page is reloaded. */
export const rememberPath = ({ pathname, search, hash }: Path): void => {
  const area = areaOf(pathname);
  if (area && !isLoginPath(pathname)) requested.set(area, { pathname, search, hash });
};

/** Where a sign-in leads: to the remembered screen if there is one, else to the area's home. The screen is forgotten then. */
export const pathAfterSignIn = (area: Area, isScreen: (pathname: string) => boolean): Path => {
  const path = requested.get(area);
  requested.delete(area);
  return path && isScreen(path.pathname) ? path : { pathname: homePath[area], search: '', hash: '' };
};
