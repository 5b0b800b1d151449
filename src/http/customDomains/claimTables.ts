import type { IntegratorId } from '../../domain/ids.ts';

export type DomainClaimTables = {
  'http.domain_claim': {
    /** In lower case, without a port. */
    host: string;
    integrator_id: IntegratorId;
    /** Until then the claim holds by itself; afterwards only as long as the integrator's own stream names the domain. */
    pending_until: Date;
  };
};
