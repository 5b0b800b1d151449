import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CallQuotaState } from '../../../../../src/contracts/callQuotas.ts';
import type { CustomerSort } from '../../../../../src/contracts/customerSorts.ts';
import type { CreateCustomerAsIntegrator, CustomerReply, CustomersReply } from '../../../../../src/contracts/customers.ts';
import type { TermFilter } from '../../../../../src/contracts/terms.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { InstancesReply } from '../../../../../src/contracts/usage.ts';
import type { AccountStatus } from '../../../../../src/domain/enumerations.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { customersPath } from '../../../api/customersPath.ts';
import { useChange } from '../../../api/useChange.ts';
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

const USAGE_DAYS = 30;

/** The console's path of one of an integrator's customers. */
export const ownCustomerPath = (id: CustomerId): string => `/service-integrator/customers/${id}`;

/** A page of an integrator's own customers, newest first by default. */
export const ownCustomersQuery = (filter: OwnCustomerFilter) =>
  queryOptions({
    queryKey: [...topic.customers(), filter],
    queryFn: ({ signal }) =>
      api.get<CustomersReply>(customersPath.integrator, { query: filter, signal, fallback: texts.loadFailed }),
    placeholderData: keepPreviousData,
  });

/** One of its customers, with the version to send along when changing it. */
export const ownCustomerQuery = (id: CustomerId) =>
  queryOptions({
    queryKey: [...topic.customer(id), 'detail'],
    queryFn: async ({ signal }) => {
      const { reply, etag } = await api.getTagged<CustomerReply>(`${customersPath.integrator}/${id}`, {
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
      api.get<InstancesReply>(`${customersPath.integrator}/${id}/instances`, { signal, fallback: usageTexts.instancesFailed }),
  });

/** `POST /api/service-integrator/customers`. The reply contains the license key. */
export const useCreateOwnCustomer = () =>
  useChange(
    (body: CreateCustomerAsIntegrator) => api.post<CustomerReply>(customersPath.integrator, body, { fallback: texts.createFailed }),
    () => [topic.customers(), topic.stats()],
  );
