/** The three areas of the console, each with its own audience, session and cache. */
export type Area = 'admin' | 'portal' | 'integrator';

/** All areas. */
export const AREAS = ['admin', 'portal', 'integrator'] as const satisfies Area[];

/** The first segment of an area's paths. */
export const areaRoot = { admin: '/admin', portal: '/portal', integrator: '/service-integrator' } as const satisfies Record<
  Area,
  string
>;

/** The address of the sign-in screen of each area. */
export const loginPath = {
  admin: '/admin/login',
  portal: '/portal/login',
  integrator: '/service-integrator/login',
} as const satisfies Record<Area, string>;

/** The sign-in of an area with the form for named users. */
export const accountSignInPath = {
  admin: `${loginPath.admin}#account`,
  portal: `${loginPath.portal}#account`,
  integrator: `${loginPath.integrator}#account`,
} as const satisfies Record<Area, string>;

/** Where named users of a customer approve machines. */
const DEVICE_PATH = '/portal/device';

/** The sign-in for who requested a screen: some are for named users only. */
export const signInPathFor = (area: Area, pathname: string): string =>
  pathname === DEVICE_PATH ? accountSignInPath[area] : loginPath[area];

/** The address of the first screen of each area after a sign-in. */
export const homePath = {
  admin: '/admin/dashboard',
  portal: '/portal/dashboard',
  integrator: '/service-integrator/dashboard',
} as const satisfies Record<Area, string>;

/** The area of a path of the browser; undefined for the landing page and unknown paths. */
export const areaOf = (path: string): Area | undefined =>
  AREAS.find((area) => path === areaRoot[area] || path.startsWith(`${areaRoot[area]}/`));

/** Whether a path of the browser is the sign-in of an area. */
export const isLoginPath = (path: string): boolean =>
  AREAS.some((area) => path === loginPath[area] || path === `${loginPath[area]}/`);
