import type { Area } from '../../areas.ts';
import { type AreaScreen, type LazyScreen, lazyScreen } from '../../lib/lazyScreen.tsx';
import { adminLayout, adminScreens } from './admin.ts';
import { integratorLayout, integratorScreens } from './integrator.ts';
import { portalLayout, portalScreens } from './portal.ts';

export const areaScreens = {
  admin: { Layout: adminLayout, screens: adminScreens },
  portal: { Layout: portalLayout, screens: portalScreens },
  integrator: { Layout: integratorLayout, screens: integratorScreens },
} as const satisfies Record<Area, { Layout: LazyScreen; screens: readonly AreaScreen[] }>;

/** What an address of an area shows that is none of its screens. */
export const notFound = lazyScreen(async () => ({
  Screen: (await import('../../layouts/NotFoundScreen.tsx')).NotFoundScreen,
}));
