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
  /** Seats that are held now: named ones by active users, floating ones by those who use them. */
  'heldDeveloperSeats',
  '-heldDeveloperSeats',
  'heldStakeholderSeats',
  '-heldStakeholderSeats',
  /** Customers without any call are before all others. */
  'lastCall',
  '-lastCall',
] as const;

/** An order of a list of customers. */
export type CustomerSort = (typeof CUSTOMER_SORTS)[number];
