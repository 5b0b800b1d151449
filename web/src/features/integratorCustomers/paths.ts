/** Where the console shows one of an integrator's customers. */
export const ownCustomerPath = (id: string): string => `/service-integrator/customers/${id}`;
