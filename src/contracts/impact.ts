import { z } from 'zod';
import { ok } from './replies.ts';

/** What suspending, churning or deleting a customer affects, counted at the time of the request. */
const customerImpact = z.object({
  /** Connected command-line tools, which are disconnected. */
  connections: z.int(),
  /** Signed-in portal sessions, which are ended. */
  portalSessions: z.int(),
  /** Users of any status. */
  users: z.int(),
  activeDeveloperSeats: z.int(),
  activeStakeholderSeats: z.int(),
  credentials: z.int(),
  /** All time. */
  apiCalls: z.int(),
});
/** The form of a customer's impact, as its dialogs show it. */
export type CustomerImpact = z.infer<typeof customerImpact>;
/** The reply of `GET …/customers/:customerId/impact`. */
export const customerImpactReply = ok({ impact: customerImpact });
export type CustomerImpactReply = z.infer<typeof customerImpactReply>;

/** What suspending, churning or deleting a service integrator affects, counted at the time of the request. */
const integratorImpact = z.object({
  /** Signed-in console sessions of the service integrator, which are ended. */
  sessions: z.int(),
  /** Customers of any status. */
  customers: z.int(),
  customThemes: z.int(),
});
/** The form of a service integrator's impact, as its dialogs show it. */
export type IntegratorImpact = z.infer<typeof integratorImpact>;
/** The reply of `GET /api/admin/service-integrators/:integratorId/impact`. */
export const integratorImpactReply = ok({ impact: integratorImpact });
export type IntegratorImpactReply = z.infer<typeof integratorImpactReply>;
