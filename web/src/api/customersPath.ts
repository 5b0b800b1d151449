/** The path of requests for customers, for each audience that manages them. */
export const customersPath = { admin: '/api/admin/customers', integrator: '/api/service-integrator/customers' } as const;

/** An audience that manages customers. */
export type CustomerManager = keyof typeof customersPath;
