import type { Database } from '../database/database.ts';
import type { Tenant, TenantDatabases } from '../database/tenants.ts';
import { alertQueries } from './alerts/queries.ts';
import { apiTokenQueries } from './apiTokens/queries.ts';
import { callQuotaQueries } from './callQuotas/queries.ts';
import { callQueries } from './calls/queries.ts';
import { voidQueries } from './calls/voidQueries.ts';
import { credentialQueries } from './credentials/queries.ts';
import { customerQueries } from './customers/queries.ts';
import { annotationQueries } from './history/annotations.ts';
import { auditQueries } from './history/auditQueries.ts';
import { historyQueries } from './history/queries.ts';
import { impactQueries } from './impact/queries.ts';
import { integratorQueries } from './integrators/queries.ts';
import { machineQueries } from './machines/queries.ts';
import { monitoringQueries } from './monitoring/queries.ts';
import { planQueries } from './plans/queries.ts';
import type { QueryDeps } from './queryDeps.ts';
import { seatQueries } from './seats/queries.ts';
import { signInQueries } from './signIns/queries.ts';
import { statsQueries } from './stats/queries.ts';
import { teamQueries } from './team/queries.ts';
import { themeQueries } from './themes/queries.ts';
import { toolQueries } from './tools/queries.ts';
import { statementQueries } from './usage/ofStatement.ts';
import { usageQueries } from './usage/queries.ts';
import { userQueries } from './users/queries.ts';

/** Every question that the product asks of its read models. Each is bounded by a page, or by a customer's days. */
export const createQueries = (db: Database, deps: QueryDeps) => ({
  customers: customerQueries(db, deps),
  integrators: integratorQueries(db, deps),
  users: userQueries(db, deps),
  seats: seatQueries(db),
  machines: machineQueries(db),
  tools: toolQueries(db),
  usage: usageQueries(db, deps),
  statements: statementQueries(db),
  calls: callQueries(db, deps),
  callQuotas: callQuotaQueries(db),
  voids: voidQueries(db, deps),
  stats: statsQueries(db, deps),
  monitoring: monitoringQueries(db),
  themes: themeQueries(db),
  team: teamQueries(db),
  apiTokens: apiTokenQueries(db),
  credentials: credentialQueries(db, deps),
  history: historyQueries(db, deps),
  annotations: annotationQueries(db),
  audit: auditQueries(db, deps),
  alerts: alertQueries(db),
  plans: planQueries(db),
  impact: impactQueries(db),
  signIns: signInQueries(db),
});

/** The queries of all read models. Rows that the database's role may not see are missing from their results. */
export type Queries = ReturnType<typeof createQueries>;

/** The queries of a tenant; null sees no rows. `system` reads the rows of all tenants, see `TenantSearch`. */
export const createTenantQueries = (
  tenants: Pick<TenantDatabases, 'of'>,
  tenant: Tenant | null,
  system: Database,
  deps: Omit<QueryDeps, 'lookUp' | 'tenantSearch'>,
): Queries => {
  const { db, lookUp } = tenants.of(tenant);
  const isIntegrator = tenant?.integratorId && tenant.customerId === null;
  return createQueries(db, {
    ...deps,
    lookUp,
    tenantSearch: isIntegrator ? { db: system, integratorId: tenant.integratorId } : undefined,
  });
};
