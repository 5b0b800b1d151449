import { type AreaScreen, lazyScreen } from '../lazyScreen.tsx';

export const portalLayout = lazyScreen(async () => {
  const { PortalLayout } = await import('../../layouts/PortalLayout.tsx');
  return { Screen: PortalLayout };
});

/** Below /portal. The area's index shows the first. */
export const portalScreens: readonly AreaScreen[] = [];
