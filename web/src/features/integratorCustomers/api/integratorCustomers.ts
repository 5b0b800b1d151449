import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CallQuotaState } from '../../../../../src/contracts/callQuotas.ts';
import type {
  CreateCustomerAsIntegrator,
  CustomerReply,
  CustomersReply,
  UpdateCustomer,
} from '../../../../../src/contracts/customers.ts';
import type { TermFilter } from '../../../../../src/contracts/terms.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { InstancesReply } from '../../../../../src/contracts/usage.ts';
import type { AccountStatus } from '../../../../../src/domain/enumerations.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/useChange.ts';
import type { CustomerSort } from '../../customers/index.ts';
import { customerUsage, lastDays, usageQuery, usageTexts } from '../../usage/index.ts';
import { integratorCustomerTexts as texts } from '../texts.ts';

/** The query of a service integrator's customers; absent fields do not filter. */
export type OwnCustomerFilter = {
  search?: string;
  status?: AccountStatus | undefined;
  deletionRequested?: 'true' | undefined;
  term?: TermFilter | undefined;
  /** The code of a plan. */
  plan?: string | undefined;
  quota?: CallQuotaState | undefined;
  /** Tags with commas between them. */
  tag?: string | undefined;
  sort?: CustomerSort;
  limit?: number;
  cursor?: string;
};

/** The path of the calls of a service integrator on its customers. */
export const OWN_CUSTOMERS_ROOT = '/api/service-integrator/customers';
const USAGE_DAYS = 30;

/** The console's path of one of an integrator's customers. */
export const ownCustomerPath = (id: CustomerId): string => `/service-integrator/customers/${id}`;

/** A page of an integrator's own customers, newest first by default. */
export const ownCustomersQuery = (filter: OwnCustomerFilter) =>
  queryOptions({
    queryKey: [...topic.customers(), filter],
    queryFn: ({ signal }) => api.get<CustomersReply>(OWN_CUSTOMERS_ROOT, { query: filter, signal, fallback: texts.loadFailed }),
    placeholderData: keepPreviousData,
  });

/** One of its customers, with the version to send along when changing it. */
export const ownCustomerQuery = (id: CustomerId) =>
  queryOptions({
    queryKey: [...topic.customer(id), 'detail'],
    queryFn: async ({ signal }) => {
      const { reply, etag } = await api.getTagged<CustomerReply>(`${OWN_CUSTOMERS_ROOT}/${id}`, {
        signal,
        fallback: texts.loadOneFailed,
      });
      return { customer: reply.customer, etag };
    },
  });

/** The calls of a customer in the last days, for its service integrator. */
export const ownCustomerUsageQuery = (id: CustomerId) => usageQuery(customerUsage('service-integrator', id), lastDays(USAGE_DAYS));

/** The instances that a customer called, of all time, for its service integrator. */
export const ownCustomerInstancesQuery = (id: CustomerId) =>
  queryOptions({
    queryKey: [...topic.usage(id), 'instances'],
    queryFn: ({ signal }) =>
      api.get<InstancesReply>(`${OWN_CUSTOMERS_ROOT}/${id}/instances`, { signal, fallback: usageTexts.instancesFailed }),
  });

/** `POST /api/service-integrator/customers`. The reply contains the license key. */
export const useCreateOwnCustomer = () =>
  useChange(
    (body: CreateCustomerAsIntegrator) => api.post<CustomerReply>(OWN_CUSTOMERS_ROOT, body, { fallback: texts.createFailed }),
    () => [topic.customers(), topic.stats()],
  );

/** `PUT /api/service-integrator/customers/:customerId`. `etag` is that of the read which the form shows. */
export const useUpdateOwnCustomer = (id: CustomerId) =>
  useChange(
    ({ body, etag }: { body: UpdateCustomer; etag: string | null }) =>
      api.put<CustomerReply>(`${OWN_CUSTOMERS_ROOT}/${id}`, body, { ifMatch: etag, fallback: texts.updateFailed }),
    () => [topic.customer(id), topic.customers(), topic.stats()],
  );
