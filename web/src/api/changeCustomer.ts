import type { Customer, CustomerReply, UpdateCustomer } from '../../../src/contracts/customers.ts';
import { type Topic, topic } from '../../../src/contracts/topics.ts';
import type { CustomerId } from '../../../src/domain/ids.ts';
import { api, type BulkKeys } from './client.ts';
import { type CustomerManager, customersPath } from './customersPath.ts';
import { useChange } from './useChange.ts';

/** A customer that is changed, by whom, and the version that the screen shows. */
export type ManagedCustomer = Readonly<{ manager: CustomerManager; customer: Customer; etag: string | null }>;

type Options = Readonly<{ etag: string | null; fallback: string; keys?: BulkKeys }>;

/** `PUT …/customers/:customerId`. `etag` is that of the read which the change is based on; `fallback` the text of a failure without one. */
export const putCustomer = (
  manager: CustomerManager,
  id: CustomerId,
  body: UpdateCustomer,
  { etag, fallback, keys }: Options,
): Promise<CustomerReply> => api.put<CustomerReply>(`${customersPath[manager]}/${id}`, body, { ifMatch: etag, ...keys, fallback });

/**
 * What shows the fields of a customer, or of any customer: lists of users have its name, its usage has the quota, and themes are counted.
 */
export const customerTopics = (...id: readonly [] | readonly [CustomerId]): readonly Topic[] => [
  ...['customer', 'history', 'usage'].map((word) => [word, ...id]),
  topic.customers(),
  topic.audit(),
  topic.stats(),
  topic.users(),
  topic.allThemes(),
];

/** Changes fields of a customer; each change has the version of the read which its form shows. */
export const useUpdateCustomer = (manager: CustomerManager, id: CustomerId, fallback: string) =>
  useChange(
    ({ body, etag }: { body: UpdateCustomer; etag: string | null }) => putCustomer(manager, id, body, { etag, fallback }),
    () => customerTopics(id),
  );

/** Changes fields of a customer in the version that the screen shows. */
export const useChangeCustomer = ({ manager, customer: { id }, etag }: ManagedCustomer, fallback: string) =>
  useChange(
    (body: UpdateCustomer) => putCustomer(manager, id, body, { etag, fallback }),
    () => customerTopics(id),
  );
