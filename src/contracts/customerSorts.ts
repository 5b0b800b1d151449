/** The orders of a list of customers; `-` is descending. A file without zod, which the lists of the console do not load. */
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
