import type { CustomerId, IntegratorId } from '../domain/ids.ts';

/** Whose data key seals a field, and whose erasure makes it unreadable. */
export type Owner = `customer:${string}` | `integrator:${string}` | `signIns:${string}`;

/** The owner of a customer's data key, which seals the data of its users too. */
export const customerOwner = (customerId: CustomerId): Owner => `customer:${customerId}`;
/** Of addresses that belong to no account; `day` as the stream names it, yyyymmdd. */
export const signInDayOwner = (day: string): Owner => `signIns:${day}`;
/** The owner of a service integrator's data key. */
export const integratorOwner = (integratorId: IntegratorId): Owner => `integrator:${integratorId}`;
