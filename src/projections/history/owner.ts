import { type RawBuilder, sql } from 'kysely';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';

/** Whose history it is. A service integrator reads its own without what administrators wrote about its status. */
export type HistoryOwner =
  | { customerId: CustomerId }
  | { integratorId: IntegratorId }
  | { ownIntegratorId: IntegratorId }
  | { administration: true };

type Sql = RawBuilder<unknown>;

/** The condition of the owner's own entries, of `read.history h`. */
export const isOf = (owner: HistoryOwner): Sql => {
  if ('customerId' in owner) return sql`h.customer_id = ${owner.customerId}`;
  if ('integratorId' in owner) return sql`h.integrator_id = ${owner.integratorId}`;
  if ('administration' in owner) return sql`h.customer_id is null and h.integrator_id is null and h.theme_id is null`;
  return sql`h.integrator_id = ${owner.ownIntegratorId}
    and h.type not in ('IntegratorSuspended', 'IntegratorReactivated', 'IntegratorChurned')`;
};

/** A query of the ids of the teams whose members may act in the history of an owner. */
export const teamsIn = (owner: HistoryOwner): Sql => {
  const administration = sql`select 'administration'`;
  if ('administration' in owner) return administration;
  if ('customerId' in owner) {
    const { customerId } = owner;
    return sql`${administration} union all select ${`customer.${customerId}`}
      union all select 'integrator.' || c.integrator_id from read.customer c where c.customer_id = ${customerId}`;
  }
  const integratorId = 'integratorId' in owner ? owner.integratorId : owner.ownIntegratorId;
  return sql`${administration} union all select ${`integrator.${integratorId}`}`;
};
