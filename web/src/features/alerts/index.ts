import { lazy } from 'react';

export { alertsQuery } from './api/alerts.ts';
export { alertTexts } from './texts.ts';

/** Loaded for sessions that may read the monitoring. */
export const LazyFiringAlerts = lazy(async () => ({ default: (await import('./components/FiringAlerts.tsx')).FiringAlerts }));
