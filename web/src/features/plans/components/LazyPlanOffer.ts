import { lazyComponent } from '../../../lib/lazyScreen.tsx';

/** Loaded only for a license with a plan that can change. */
export const LazyPlanOffer = lazyComponent(
  async () => (await import('./PlanOffer.tsx')).PlanOffer,
  () => null,
);
