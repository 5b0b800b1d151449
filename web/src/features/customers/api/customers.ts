import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CallQuotaState } from '../../../../../src/contracts/callQuotas.ts';
import type { CustomerSort } from '../../../../../src/contracts/customerSorts.ts';
import type { CreateCustomerAsAdmin, CustomerReply, CustomersReply } from '../../../../../src/contracts/customers.ts';
import type { TermFilter } from '../../../../../src/contracts/terms.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { AccountStatus } from '../../../../../src/domain/enumerations.ts';
import type { CustomerId, IntegratorId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { customersPath } from '../../../api/customersPath.ts';
import { useChange } from '../../../api/useChange.ts';
import { customerTexts } from '../texts.ts';

/** The query of the list of customers; absent fields do not filter. */
export type CustomerFilter = {
  search?: string;
  status?: AccountStatus | undefined;
  serviceIntegratorId?: IntegratorId;
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

/** A page of the customers, as administrators see them. */
export const customersQuery = (filter: CustomerFilter) =>
  queryOptions({
    queryKey: [...topic.customers(), filter],
    queryFn: ({ signal }) =>
      api.get<CustomersReply>(customersPath.admin, { query: filter, signal, fallback: customerTexts.loadFailed }),
    placeholderData: keepPreviousData,
  });

/** One customer, with the version to send along when changing it. */
export const customerQuery = (id: CustomerId) =>
  queryOptions({
    queryKey: [...topic.customer(id), 'detail'],
    queryFn: async ({ signal }) => {
      const { reply, etag } = await api.getTagged<CustomerReply>(`${customersPath.admin}/${id}`, {
        signal,
        fallback: customerTexts.loadOneFailed,
      });
      return { customer: reply.customer, etag };
    },
  });

/** `POST /api/admin/customers`. The reply contains the license key. */
export const useCreateCustomer = () =>
  useChange(
    (body: CreateCustomerAsAdmin) => api.post<CustomerReply>(customersPath.admin, body, { fallback: customerTexts.createFailed }),
    () => [topic.customers(), topic.integrators(), topic.stats()],
  );

/** `DELETE /api/admin/customers/:customerId`, which erases its personal data. */
export const useDeleteCustomer = (id: CustomerId) =>
  useChange(
    () => api.delete(`${customersPath.admin}/${id}`, { fallback: customerTexts.deleteFailed }),
    () => [topic.customers(), topic.integrators(), topic.stats()],
  );
