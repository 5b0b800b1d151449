import { setSignedOutHandler } from '../api/client.ts';
import { clearTokens } from '../api/tokens.ts';
import { areaOf, isLoginPath, loginPath } from '../areas.ts';
import { rememberPath } from './returnPath.ts';

type Navigate = (path: string) => void;

/** Before the router is mounted, the address is enough: the router starts from it. */
let navigate: Navigate = (path) => history.replaceState(null, '', path);

/** Sets how the router goes to another path. */
export const setNavigate = (toPath: Navigate): void => {
  navigate = toPath;
};

/** From now on a call that finds no live session removes the tokens and opens the sign-in, unless the sign-in is already shown. */
export const openSignInWhenSignedOut = (): void =>
  setSignedOutHandler(() => {
    if (isLoginPath(location.pathname)) return;
    clearTokens();
    rememberPath(location);
    navigate(loginPath[areaOf(location.pathname) ?? 'portal']);
  });
