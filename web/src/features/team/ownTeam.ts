import type { CustomerId, IntegratorId, TeamId } from '../../../../src/domain/ids.ts';
import type { TenantKind } from '../../../../src/domain/permissions.ts';
import { isTeamId } from '../../api/ids.ts';
import type { HistorySource } from '../history/index.ts';

/** A team whose members use the console. Its changes are in `history`. */
export type OwnTeam = Readonly<{ kind: TenantKind; id: TeamId; history: HistorySource }>;

const teamIdIn = (id: string): TeamId => {
  if (!isTeamId(id)) throw new Error(`${id} names no team`);
  return id;
};

const administrationId = teamIdIn('administration');

/** The team of the administration. */
export const administration: OwnTeam = {
  kind: 'administration',
  id: administrationId,
  history: { kind: 'administration', id: administrationId, path: '/api/admin' },
};
/** The team of a service integrator. */
export const teamOfIntegrator = (id: IntegratorId): OwnTeam => ({
  kind: 'integrator',
  id: teamIdIn(`integrator.${id}`),
  history: { kind: 'integrator', id, path: '/api/service-integrator' },
});
/** The team of a customer. */
export const teamOfCustomer = (id: CustomerId): OwnTeam => ({
  kind: 'customer',
  id: teamIdIn(`customer.${id}`),
  history: { kind: 'customer', id, path: '/api/customer' },
});
