import { api } from '../api/client.ts';
import { isSignedOut } from '../api/error.ts';
import { clearToken, readToken } from '../api/tokens.ts';
import { areaOf } from '../areas.ts';

const sessionPath = { portal: '/api/auth/customer/session', integrator: '/api/auth/service-integrator/session' } as const;

/** Removes stored tokens whose session has ended. The area that is shown checks its own session. */
export const validateStoredSessions = (pathname: string): void => {
  const shown = areaOf(pathname);
  for (const area of ['portal', 'integrator'] as const) {
    if (area === shown || readToken(area) === null) continue;
    api.get(sessionPath[area], { as: area, unauthorized: 'throw' }).catch((error: unknown) => {
      if (isSignedOut(error)) clearToken(area);
    });
  }
};
