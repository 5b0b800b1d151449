import type { Area } from '../areas.ts';

/** The call that returns the signed-in account of each area. */
export const sessionPath = {
  admin: '/api/auth/admin/session',
  portal: '/api/auth/customer/session',
  integrator: '/api/auth/service-integrator/session',
} as const satisfies Record<Area, string>;
