import { lazyComponent } from '../../../lib/lazyScreen.tsx';

/** What can be done with the selected customers; loaded with the first selection. */
export const LazyCustomerBulkBar = lazyComponent(
  async () => (await import('./CustomerBulkBar.tsx')).CustomerBulkBar,
  () => null,
);
