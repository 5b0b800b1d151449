import type { Area } from '../areas.ts';

/** Where the list of users is in an area. */
export const usersPath = {
  admin: '/api/admin/users',
  portal: '/api/users/with-connections',
  integrator: '/api/users',
} as const satisfies Record<Area, string>;
