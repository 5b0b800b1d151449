import type { CustomerId, IntegratorId, TeamId } from '../ids.ts';
import type { TenantKind } from '../permissions.ts';

/** A tenant: the administration, one service integrator or one customer. */
export type TeamTenant =
  | Readonly<{ kind: 'administration' }>
  | Readonly<{ kind: 'integrator'; integratorId: IntegratorId }>
  | Readonly<{ kind: 'customer'; customerId: CustomerId }>;

/** The team of a tenant. */
export const teamIdOf = (tenant: TeamTenant): TeamId => {
  switch (tenant.kind) {
    case 'administration':
      return 'administration' as TeamId;
    case 'integrator':
      return `integrator.${tenant.integratorId}` as TeamId;
    case 'customer':
      return `customer.${tenant.customerId}` as TeamId;
  }
};

/** The tenant of a team. Throws for a text that `teamIdOf` does not return. */
export const tenantOfTeam = (teamId: TeamId): TeamTenant => {
  if (teamId === 'administration') return { kind: 'administration' };
  const [kind, id = ''] = teamId.split('.');
  if (kind === 'integrator' && id !== '') return { kind, integratorId: id as IntegratorId };
  if (kind === 'customer' && id !== '') return { kind, customerId: id as CustomerId };
  throw new Error(`${teamId} names no team`);
};

/** The kind of a team's tenant, which decides its roles. */
export const tenantKindOf = (teamId: TeamId): TenantKind => tenantOfTeam(teamId).kind;
