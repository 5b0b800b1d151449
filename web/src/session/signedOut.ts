import { api, setRejectedHandler } from '../api/client.ts';
import { isSignedOut } from '../api/error.ts';
import { clearTokens } from '../api/tokens.ts';
import { areaOf, isLoginPath, loginPath } from '../areas.ts';
import { rememberPath } from './returnPath.ts';
import { sessionPath } from './sessionPath.ts';

type Navigate = (path: string) => void;

/** Before the router is mounted, the address is enough: the router starts from it. */
let navigate: Navigate = (path) => history.replaceState(null, '', path);

/** Sets how the router goes to another path. */
export const setNavigate = (toPath: Navigate): void => {
  navigate = toPath;
};

const openSignIn = (): void => {
  if (isLoginPath(location.pathname)) return;
  clearTokens();
  rememberPath(location);
  navigate(loginPath[areaOf(location.pathname) ?? 'portal']);
};

/**
 * From now on a call that finds no live session removes the tokens and opens the sign-in, unless the sign-in is already shown. A
 * forbidden call has a session without the permission or, beside an administrator's cookie, an expired token: the session's own
 * call distinguishes them.
 */
export const openSignInWhenSignedOut = (): void =>
  setRejectedHandler(({ code }) => {
    if (code !== 'forbidden') return openSignIn();
    const area = areaOf(location.pathname) ?? 'portal';
    api.get(sessionPath[area], { as: area, unauthorized: 'throw' }).catch((error: unknown) => {
      if (isSignedOut(error)) openSignIn();
    });
  });
