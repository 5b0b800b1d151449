import { lazyComponent } from '../../../lib/lazyScreen.tsx';

/** Loaded only for a license that expires soon or has expired. */
export const LazyTermBanner = lazyComponent(
  async () => (await import('./TermBanner.tsx')).TermBanner,
  () => null,
);
