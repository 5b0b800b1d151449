import type { MemberRow } from '../../database/tables/team.ts';
import type { TeamId } from '../../domain/ids.ts';
import { tenantOfTeam } from '../../domain/team/teamId.ts';
import type { MainRows } from '../main/rows.ts';

/** Whose rows a team's are; null where its tenant was deleted before the event. */
export const ownersOf = (rows: MainRows, teamId: TeamId): Pick<MemberRow, 'customer_id' | 'integrator_id'> | null => {
  const tenant = tenantOfTeam(teamId);
  switch (tenant.kind) {
    case 'administration':
      return { customer_id: null, integrator_id: null };
    case 'integrator':
      return rows.integrators.get(tenant.integratorId) ? { customer_id: null, integrator_id: tenant.integratorId } : null;
    case 'customer': {
      const customer = rows.customers.get(tenant.customerId);
      return customer ? { customer_id: tenant.customerId, integrator_id: customer.integrator_id } : null;
    }
  }
};
