import type { CustomerId, IdentityProviderId, IntegratorId, UserId } from '../domain/ids.ts';

/** The owner of a data key. Its erasure makes all fields that the key seals unreadable. */
export type Owner =
  | `customer:${string}`
  | `integrator:${string}`
  | `signIns:${string}`
  | `user:${string}`
  | `identityProvider:${string}`;

/** The owner of a customer's data key, which seals the data of its users too. */
export const customerOwner = (customerId: CustomerId): Owner => `customer:${customerId}`;
/** Of addresses that belong to no account; `day` as the stream names it, yyyymmdd. */
export const signInDayOwner = (day: string): Owner => `signIns:${day}`;
/** The owner of a service integrator's data key. */
export const integratorOwner = (integratorId: IntegratorId): Owner => `integrator:${integratorId}`;
/** The owner of the data key of one named user: removing the user destroys it. */
export const userOwner = (userId: UserId): Owner => `user:${userId}`;
/** The owner of the data key of an identity provider's secret: removing the provider destroys it. */
export const identityProviderOwner = (providerId: IdentityProviderId): Owner => `identityProvider:${providerId}`;
