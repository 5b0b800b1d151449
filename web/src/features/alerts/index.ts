export { alertsQuery } from './api/alerts.ts';
export { LazyFiringAlerts } from './components/lazyFiringAlerts.ts';
export { firingIn } from './firing.ts';
export { alertTexts } from './texts.ts';
