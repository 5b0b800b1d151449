import type { QueryClient } from '@tanstack/react-query';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import { customerSessionQuery, integratorSessionQuery } from './session.ts';

/** Asks ahead for what has the customer's own id in its key. Without a session nothing is asked: the guard says so. */
export const prefetchAsCustomer = (queries: QueryClient, ask: (customer: Customer) => void): void => {
  void queries.ensureQueryData(customerSessionQuery).then(ask, () => undefined);
};

/** The same for a service integrator. */
export const prefetchAsIntegrator = (queries: QueryClient, ask: (integrator: ServiceIntegrator) => void): void => {
  void queries.ensureQueryData(integratorSessionQuery).then(ask, () => undefined);
};
