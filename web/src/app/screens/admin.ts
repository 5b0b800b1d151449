import { type AreaScreen, lazyScreen } from '../lazyScreen.tsx';

export const adminLayout = lazyScreen(async () => {
  const { AdminLayout } = await import('../../layouts/AdminLayout.tsx');
  return { Screen: AdminLayout };
});

/** Below /admin. The area's index shows the first. */
export const adminScreens: readonly AreaScreen[] = [];
