import { areaOf, isLoginPath, loginPath } from '../app/areas.ts';
import { rememberPlace } from '../app/wayBack.ts';
import { clearTokens } from './tokens.ts';

type Go = (path: string) => void;

/** Until the router is there the address is enough: the router starts from it. */
let go: Go = (path) => history.replaceState(null, '', path);

/** The router's way to another path. */
export const onSignedOut = (navigate: Go): void => {
  go = navigate;
};

/** No live session: forget the tokens and ask for a key, unless that is what the screen does already; then it goes on here. */
export const signedOut = (): void => {
  if (isLoginPath(location.pathname)) return;
  clearTokens();
  rememberPlace(location);
  go(loginPath[areaOf(location.pathname) ?? 'portal']);
};
