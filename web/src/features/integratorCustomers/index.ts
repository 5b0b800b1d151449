export { ownCustomerPath, ownCustomersQuery } from './api/integratorCustomers.ts';
export { integratorCustomerTexts } from './texts.ts';
