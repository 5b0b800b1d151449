import { z } from 'zod';
import { day } from './fields.ts';
import { ok } from './replies.ts';

/** A day's end: how many there were, and how many calls that day. */
const trendPoint = z.object({
  day,
  customers: z.int(),
  activeCustomers: z.int(),
  apiCalls: z.int(),
  serviceIntegrators: z.int(),
});

/** An integrator's dashboard has the same form, of its own customers. `trend`: the last 30 days, oldest first. */
const dashboardStats = z.object({
  totalCustomers: z.int(),
  activeCustomers: z.int(),
  totalApiCalls: z.int(),
  totalServiceIntegrators: z.int(),
  /** Customers that requested the deletion of their account. */
  deletionRequests: z.int(),
  newCustomersLast30Days: z.int(),
  newServiceIntegratorsLast30Days: z.int(),
  apiCallsLast30Days: z.int(),
  apiCallsPrevious30Days: z.int(),
  trend: z.array(trendPoint),
});
/** The figures of a dashboard, of all customers or of one integrator's. */
export type DashboardStats = z.infer<typeof dashboardStats>;
/** The reply of `GET …/stats/dashboard`. */
export const dashboardStatsReply = ok({ stats: dashboardStats });
export type DashboardStatsReply = z.infer<typeof dashboardStatsReply>;
