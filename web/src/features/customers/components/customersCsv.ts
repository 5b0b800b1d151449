import { csvOf } from '../../../../../src/contracts/csv.ts';
import type { Customer } from '../../../../../src/contracts/customers.ts';

/** The columns, by the names of the API. The license key is masked where the session may not see it. */
const COLUMNS = [
  'id',
  'name',
  'contactEmail',
  'company',
  'licenseKey',
  'status',
  'serviceIntegratorName',
  'theme',
  'tier',
  'developerSeats',
  'activeDeveloperSeats',
  'stakeholderSeats',
  'activeStakeholderSeats',
  'seatLimitsEnforced',
  'totalApiCalls',
  'lastApiCall',
  'deletionRequestedAt',
  'createdAt',
  'externalId',
  'tags',
] as const satisfies readonly (keyof Customer)[];

const textOf = (value: Customer[(typeof COLUMNS)[number]]): string =>
  Array.isArray(value) ? value.join(', ') : String(value ?? '');

/** Customers as a CSV file with a header. Times are ISO-8601 UTC; what is missing is empty. */
export const customersCsv = (customers: readonly Customer[]): string =>
  [csvOf(COLUMNS), ...customers.map((customer) => csvOf(COLUMNS.map((column) => textOf(customer[column]))))].join('');
