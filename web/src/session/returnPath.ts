import { type Area, areaOf, homePath, isLoginPath } from '../areas.ts';

type Path = { pathname: string; search: string; hash: string };

/** The screen that the user requested before the sign-in, by area. */
const requested = new Map<Area, Path>();

/** Areas that the user signed out of: the next user may be another one. */
const signedOut = new Set<Area>();

const keptKey = (area: Area): string => `latchkey_return_${area}`;

/** Keeps the remembered screen while the browser is at an identity provider; without storage it is forgotten. */
export const keepPath = (area: Area): void => {
  const path = requested.get(area);
  if (!path) return;
  try {
    sessionStorage.setItem(keptKey(area), `${path.pathname}${path.search}${path.hash}`);
  } catch {}
};

const keptPath = (area: Area): Path | undefined => {
  try {
    const kept = sessionStorage.getItem(keptKey(area));
    sessionStorage.removeItem(keptKey(area));
    return kept === null || !URL.canParse(kept, location.origin) ? undefined : new URL(kept, location.origin);
  } catch {
    return undefined;
  }
};

/** Forgets the screen, and remembers none until after the next sign-in. Otherwise calls that the server rejects now would set it. */
export const forgetPaths = (area: Area): void => {
  requested.delete(area);
  keptPath(area); // which removes it
  signedOut.add(area);
};

/** Remembers a screen until after the sign-in, or until the page is reloaded. */
export const rememberPath = ({ pathname, search, hash }: Path): void => {
  const area = areaOf(pathname);
  if (area && !signedOut.has(area) && !isLoginPath(pathname)) requested.set(area, { pathname, search, hash });
};

/** Where a sign-in leads: to the remembered screen if there is one, else to the area's home. The screen is forgotten then. */
export const pathAfterSignIn = (area: Area, isScreen: (pathname: string) => boolean): Path => {
  const kept = keptPath(area);
  const path = requested.get(area) ?? kept;
  requested.delete(area);
  signedOut.delete(area);
  return path && isScreen(path.pathname)
    ? { pathname: path.pathname, search: path.search, hash: path.hash }
    : { pathname: homePath[area], search: '', hash: '' };
};
