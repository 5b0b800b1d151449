import { lazy } from 'react';

/** Loaded for sessions that may read the monitoring. */
export const LazyFiringAlerts = lazy(async () => ({ default: (await import('./FiringAlerts.tsx')).FiringAlerts }));
