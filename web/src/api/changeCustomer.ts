import type { Customer, CustomerReply, UpdateCustomer } from '../../../src/contracts/customers.ts';
import { topic } from '../../../src/contracts/topics.ts';
import { api } from './client.ts';
import { type CustomerManager, customersPath } from './customersPath.ts';
import { useChange } from './useChange.ts';

/** A customer that is changed, by whom, and the version that the screen shows. */
export type ManagedCustomer = Readonly<{ manager: CustomerManager; customer: Customer; etag: string | null }>;

/** Changes fields of a customer. `fallback` is the text of a failure without one. */
export const useChangeCustomer = ({ manager, customer: { id }, etag }: ManagedCustomer, fallback: string) =>
  useChange(
    (body: UpdateCustomer) => api.put<CustomerReply>(`${customersPath[manager]}/${id}`, body, { ifMatch: etag, fallback }),
    () => [topic.customer(id), topic.customers(), topic.history(id)],
  );
