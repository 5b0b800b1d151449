import { useNavigate } from 'react-router-dom';
import type { Area } from '../../../areas.ts';
import { usePreloader } from '../../../lib/preloader.ts';
import { pathAfterSignIn } from '../../../session/returnPath.ts';
import { notify } from '../../../ui/notify.ts';
import { authTexts } from '../texts.ts';

/** Opens the screen that the user requested before the sign-in, or the area's home. */
export const useSignedIn = (area: Area): (() => Promise<void>) => {
  const navigate = useNavigate();
  const preloader = usePreloader();
  return async () => {
    const path = pathAfterSignIn(area, preloader.hasScreen);
    await preloader.page(path.pathname, path.search);
    notify.success(authTexts.succeeded);
    await navigate(path);
  };
};
