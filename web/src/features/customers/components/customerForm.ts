import type { Customer } from '../../../../../src/contracts/customers.ts';
import { wholeNumber } from '../../../lib/numbers.ts';

/** Values of the form for a new customer. Seats are text until they are sent. */
export const newCustomer = {
  name: '',
  contactEmail: '',
  company: '',
  theme: '',
  developerSeats: '10',
  stakeholderSeats: '5',
  seatLimitsEnforced: true,
};
type CustomerFormValues = typeof newCustomer;

export const valuesOf = (customer: Customer): CustomerFormValues => ({
  name: customer.name,
  contactEmail: customer.contactEmail,
  company: customer.company ?? '',
  theme: customer.theme ?? '',
  developerSeats: String(customer.developerSeats),
  stakeholderSeats: String(customer.stakeholderSeats),
  seatLimitsEnforced: customer.seatLimitsEnforced,
});

/** The body of the request. Invalid numbers become 0. */
export const bodyOf = <Values extends CustomerFormValues>(typed: Values) => ({
  ...typed,
  developerSeats: wholeNumber(typed.developerSeats),
  stakeholderSeats: wholeNumber(typed.stakeholderSeats),
});
