import { lazyComponent } from '../../../lib/lazyScreen.tsx';

/** What can be done with the selected service integrators; loaded with the first selection. */
export const LazyIntegratorBulkBar = lazyComponent(
  async () => (await import('./IntegratorBulkBar.tsx')).IntegratorBulkBar,
  () => null,
);
