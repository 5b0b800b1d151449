/** Who may manage customers, and where the server has the customers of each. */
export const customersPath = { admin: '/api/admin/customers', integrator: '/api/service-integrator/customers' } as const;

export type CustomerManager = keyof typeof customersPath;
