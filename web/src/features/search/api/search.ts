import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Customer, CustomersReply } from '../../../../../src/contracts/customers.ts';
import type { IntegratorsReply } from '../../../../../src/contracts/integrators.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { api } from '../../../api/client.ts';
import { type CustomerManager, customersPath } from '../../../api/customersPath.ts';
import { type Area, areaRoot } from '../../../areas.ts';
import { searchTexts } from '../texts.ts';

/** A search result of the server, and the path of the screen that shows it. */
export type Hit = { to: string; name: string; detail: string };
/** A customer that was found, with its data for actions. */
export type CustomerHit = Hit & { customer: Customer };

const LIMIT = 5;
const fallback = searchTexts.failed;

const customerHitsQuery = (manager: CustomerManager, search: string) =>
  queryOptions({
    queryKey: [...topic.customers(), 'hits', search],
    queryFn: async ({ signal }): Promise<CustomerHit[]> => {
      const { customers } = await api.get<CustomersReply>(customersPath[manager], {
        query: { search, limit: LIMIT },
        signal,
        fallback,
      });
      return customers.map((customer) => ({
        to: `${areaRoot[manager]}/customers/${customer.id}`,
        name: customer.name,
        detail: customer.contactEmail,
        customer,
      }));
    },
    placeholderData: keepPreviousData,
  });

const integratorHitsQuery = (search: string) =>
  queryOptions({
    queryKey: [...topic.integrators(), 'hits', search],
    queryFn: async ({ signal }): Promise<Hit[]> => {
      const query = { search, limit: LIMIT };
      const reply = await api.get<IntegratorsReply>('/api/admin/service-integrators', { query, signal, fallback });
      return reply.service_integrators.map(({ id, companyName, contactEmail }) => ({
        to: `${areaRoot.admin}/service-integrators/${id}`,
        name: companyName,
        detail: contactEmail,
      }));
    },
    placeholderData: keepPreviousData,
  });

/** What to search for: the newest customers where `forAction` and the term is empty. Actions are for customers only. */
type Wanted = { search: string; forAction: boolean };

/**
 * The entries of an area's lists that match a term, kept up to date while they are shown. The results of the previous term stay until
 * those of a new term arrive.
 */
export const useHits = (area: Area, { search, forAction }: Wanted) => {
  const isAsked = search !== '' || forAction;
  const customers = useQuery({
    ...customerHitsQuery(area === 'integrator' ? 'integrator' : 'admin', search),
    enabled: isAsked && area !== 'portal',
  });
  const integrators = useQuery({ ...integratorHitsQuery(search), enabled: isAsked && area === 'admin' && !forAction });
  const failed = [customers, integrators].filter(({ isError }) => isError);
  return {
    customers: (isAsked && customers.data) || [],
    integrators: (isAsked && !forAction && integrators.data) || [],
    isSearching: [customers, integrators].some(
      ({ isFetching, isPlaceholderData, data }) => isFetching && (isPlaceholderData || !data),
    ),
    error: (isAsked && failed[0]?.error) || null,
    retry: () => {
      for (const query of failed) void query.refetch();
    },
  };
};
