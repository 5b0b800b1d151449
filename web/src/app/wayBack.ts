import { type Area, areaOf, homePath, isLoginPath } from './areas.ts';

type Place = { pathname: string; search: string; hash: string };

/** Where somebody was, or wanted to be, when a key had to be asked for. */
const wanted = new Map<Area, Place>();

/** Keeps a screen for after the sign-in, until the page is loaded anew. */
export const rememberPlace = ({ pathname, search, hash }: Place): void => {
  const area = areaOf(pathname);
  if (area && !isLoginPath(pathname)) wanted.set(area, { pathname, search, hash });
};

/** Where a sign-in leads: to the screen that was asked for, where there is one, else to the area's home. It is forgotten then. */
export const placeAfterSignIn = (area: Area, isScreen: (pathname: string) => boolean): Place => {
  const place = wanted.get(area);
  wanted.delete(area);
  return place && isScreen(place.pathname) ? place : { pathname: homePath[area], search: '', hash: '' };
};
