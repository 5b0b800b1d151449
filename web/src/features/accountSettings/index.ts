export { ownIntegratorQuery } from './api/ownIntegrator.ts';
