import type { Customer } from '../../../../../src/contracts/customers.ts';
import { wholeNumber } from '../../../lib/numbers.ts';

/** Values of the customer form. Seats are text until they are sent. */
type CustomerFormValues = {
  name: string;
  contactEmail: string;
  company: string;
  theme: string;
  developerSeats: string;
  stakeholderSeats: string;
  seatLimitsEnforced: boolean;
};

export const newCustomer: CustomerFormValues = {
  name: '',
  contactEmail: '',
  company: '',
  theme: '',
  developerSeats: '10',
  stakeholderSeats: '5',
  seatLimitsEnforced: true,
};

export const valuesOf = (customer: Customer): CustomerFormValues => ({
  name: customer.name,
  contactEmail: customer.contactEmail,
  company: customer.company ?? '',
  theme: customer.theme ?? '',
  developerSeats: String(customer.developerSeats),
  stakeholderSeats: String(customer.stakeholderSeats),
  seatLimitsEnforced: customer.seatLimitsEnforced,
});

/** The body of the request: what is no number becomes 0. */
export const bodyOf = <Values extends CustomerFormValues>(typed: Values) => ({
  ...typed,
  developerSeats: wholeNumber(typed.developerSeats),
  stakeholderSeats: wholeNumber(typed.stakeholderSeats),
});
