import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Tenant } from '../../database/tenants.ts';
import type { Queries } from '../../projections/queries.ts';
import type { SessionOwner } from '../../security/session.ts';
import type { HttpDeps } from '../deps.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Queries that return only what the session may see: row-level security leaves out the rows of other tenants. An
     * administrator's reads everything, a request without a session nothing.
     */
    readonly queries: Queries;
    /** Queries without the limit to one customer: an integrator's named users belong to none. */
    readonly ownQueries: Queries;
    /** The one customer that an integrator's request is about, once it has been found to be the integrator's. */
    subject: Tenant | null;
  }
}

/** The tenant whose rows a session sees; null for no rows. */
const tenantOf = (owner: Exclude<SessionOwner, { kind: 'admin' }> | undefined, subject: Tenant | null): Tenant | null => {
  switch (owner?.kind) {
    case 'integrator':
      return subject ?? { integratorId: owner.integratorId, customerId: null };
    case 'customer':
    case 'cli':
      return { integratorId: null, customerId: owner.customerId };
    case undefined:
      return null;
  }
};

/** Gives every request the queries of its session. */
export const bindQueries = (
  app: FastifyInstance,
  { systemQueries, queriesOf }: Pick<HttpDeps, 'systemQueries' | 'queriesOf'>,
): void => {
  app.decorateRequest('subject', null);
  const queriesFor = (owner: SessionOwner | undefined, subject: Tenant | null): Queries =>
    owner?.kind === 'admin' ? systemQueries : queriesOf(tenantOf(owner, subject));
  app.decorateRequest('queries', {
    getter(this: FastifyRequest): Queries {
      return queriesFor(this.session?.owner, this.subject);
    },
  });
  app.decorateRequest('ownQueries', {
    getter(this: FastifyRequest): Queries {
      return queriesFor(this.session?.owner, null);
    },
  });
};
