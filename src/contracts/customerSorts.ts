/** The orders of a list of customers; `-` is descending. `web/vite.config.ts` keeps this file out of the chunk of zod. */
export const CUSTOMER_SORTS = [
  'name',
  '-name',
  'createdAt',
  '-createdAt',
  'totalApiCalls',
  '-totalApiCalls',
  /** Of developer seats; licenses with any number of seats count as unused. */
  'developerUtilization',
  '-developerUtilization',
] as const;

/** An order of a list of customers. */
export type CustomerSort = (typeof CUSTOMER_SORTS)[number];
