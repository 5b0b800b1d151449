import type { Actor } from '../domain/event.ts';
import type { CustomerId, IdentityProviderId, IntegratorId, TeamId, UserId } from '../domain/ids.ts';
import { dayOf } from '../domain/time.ts';

/** The owner of a data key. Its erasure makes all fields that the key seals unreadable. */
export type Owner =
  | `customer:${string}`
  | `integrator:${string}`
  | `signIns:${string}`
  | `team:${string}`
  | `user:${string}`
  | `identityProvider:${string}`
  /** The owner of the keys that sign the audit log with this id. */
  | `auditLog:${string}`
  /** The owner of the keys that sign offline licenses and statements of the installation with this id. */
  | `signingKeys:${string}`;

/** The owner of a customer's data key, which seals the data of its users too. */
export const customerOwner = (customerId: CustomerId): Owner => `customer:${customerId}`;
/** The owner of the data key for the addresses of sign-ins of a day that belong to no account; `day` is yyyymmdd, as in the stream's name. */
export const signInDayOwner = (day: string): Owner => `signIns:${day}`;
/** The owner of a service integrator's data key. */
export const integratorOwner = (integratorId: IntegratorId): Owner => `integrator:${integratorId}`;
/** The owner of the data key of one named user: removing the user destroys it. */
export const userOwner = (userId: UserId): Owner => `user:${userId}`;
/** The owner of the data key of an identity provider's secret: removing the provider destroys it. */
export const identityProviderOwner = (providerId: IdentityProviderId): Owner => `identityProvider:${providerId}`;

/**
 * The owner of the address from which an actor acted at a time, ISO-8601: the user, or the tenant whose key signed in. That of the
 * administration's key belongs to the day, and is erased with the sign-ins of that day. Null for policies.
 */
export const actorOwner = ({ kind, id, userId }: Actor, at: string): Owner | null => {
  if (userId !== undefined) return userOwner(userId);
  switch (kind) {
    case 'admin':
      return signInDayOwner(dayOf(at).replaceAll('-', ''));
    case 'integrator':
    case 'customer':
      return `${kind}:${id}`;
    case 'user':
      return `user:${id}`;
    case 'system':
      return null;
  }
};
/** The owner of the data key that seals what belongs to a tenant's team as a whole: deleting the tenant destroys it. */
export const teamOwner = (teamId: TeamId): Owner => `team:${teamId}`;
