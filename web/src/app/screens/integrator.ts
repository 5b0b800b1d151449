import { type AreaScreen, lazyScreen } from '../lazyScreen.tsx';

export const integratorLayout = lazyScreen(async () => {
  const { IntegratorLayout } = await import('../../layouts/IntegratorLayout.tsx');
  return { Screen: IntegratorLayout };
});

/** Below /service-integrator. The area's index shows the first. */
export const integratorScreens: readonly AreaScreen[] = [];
