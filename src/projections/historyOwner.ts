import { type RawBuilder, sql } from 'kysely';
import type { CustomerId, IntegratorId } from '../domain/ids.ts';

/** Whose entries an audit page has: those of all tenants and the administration, or of a service integrator and its customers. */
export type AuditOwner = { everything: true } | { auditOf: IntegratorId };

/**
 * Whose history it is. A service integrator reads its own without what administrators wrote about its status,
 * and a customer its own without what is recorded about it: `isOwn`. `since` leaves of the history of a customer what happened while it
 * belonged to that service integrator. Neither has the alerts of the installation.
 */
export type TenantHistory =
  | { customerId: CustomerId; isOwn?: true; since?: IntegratorId }
  | { integratorId: IntegratorId }
  | { ownIntegratorId: IntegratorId }
  | { administration: true };

/** Whose entries a list has: those of a history or of an audit page. */
export type HistoryOwner = TenantHistory | AuditOwner;

type Sql = RawBuilder<unknown>;

/** Entries of a former version have no service integrator until the read models are rebuilt. */
export const sinceOf = ({ since }: { since?: IntegratorId }): Sql =>
  since === undefined ? sql`` : sql` and coalesce(h.audit_integrator_id, ${since}::uuid) = ${since}::uuid`;

/** The condition of the owner's own entries, of `read.history h`. */
export const isOf = (owner: HistoryOwner): Sql => {
  if ('customerId' in owner) {
    const ofCustomer = sql`h.customer_id = ${owner.customerId}${sinceOf(owner)}`;
    if (owner.isOwn) return sql`${ofCustomer} and h.type not in ('CustomerRecordsChanged', 'AlertFired', 'AlertResolved')`;
    return owner.since === undefined ? ofCustomer : sql`${ofCustomer} and h.type not in ('AlertFired', 'AlertResolved')`;
  }
  if ('integratorId' in owner) return sql`h.integrator_id = ${owner.integratorId}`;
  if ('administration' in owner) return sql`h.customer_id is null and h.integrator_id is null and h.theme_id is null`;
  if ('everything' in owner) return sql`true`;
  const notForItself = sql`h.type not in ('IntegratorSuspended', 'IntegratorReactivated', 'IntegratorChurned')`;
  if ('auditOf' in owner) return sql`h.audit_integrator_id = ${owner.auditOf} and ${notForItself}`;
  return sql`h.integrator_id = ${owner.ownIntegratorId} and ${notForItself}`;
};

/** A query of the ids of the teams whose members may act in the history of an owner; of an audit page, the own team. */
export const teamsIn = (owner: HistoryOwner): Sql => {
  const administration = sql`select 'administration'`;
  if ('administration' in owner || 'everything' in owner) return administration;
  if ('auditOf' in owner) return sql`select ${`integrator.${owner.auditOf}`}`;
  if ('customerId' in owner) {
    const { customerId } = owner;
    return sql`${administration} union all select ${`customer.${customerId}`}
      union all select 'integrator.' || c.integrator_id from read.customer c where c.customer_id = ${customerId}`;
  }
  const integratorId = 'integratorId' in owner ? owner.integratorId : owner.ownIntegratorId;
  return sql`${administration} union all select ${`integrator.${integratorId}`}`;
};
