import type { CustomerId, IntegratorId } from '../domain/ids.ts';

/** Whose data key seals a field, and whose erasure makes it unreadable. */
export type Owner = `customer:${string}` | `integrator:${string}`;

export const customerOwner = (customerId: CustomerId): Owner => `customer:${customerId}`;
export const integratorOwner = (integratorId: IntegratorId): Owner => `integrator:${integratorId}`;
