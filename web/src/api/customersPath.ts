/** Who may manage customers, and the path of the calls on the customers of each. */
export const customersPath = { admin: '/api/admin/customers', integrator: '/api/service-integrator/customers' } as const;

/** An audience that manages customers. */
export type CustomerManager = keyof typeof customersPath;
