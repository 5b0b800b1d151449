import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Customer, CustomersReply } from '../../../../../src/contracts/customers.ts';
import type { IntegratorsReply, ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { UsersReply } from '../../../../../src/contracts/users.ts';
import { api } from '../../../api/client.ts';
import { type CustomerManager, customersPath } from '../../../api/customersPath.ts';
import { usersPath } from '../../../api/usersPath.ts';
import { type Area, areaRoot } from '../../../areas.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { searchTexts } from '../texts.ts';

/** A search result of the server, and the path of the screen that shows it. */
export type Hit = { to: string; name: string; detail: string };
/** A customer that was found, with its data for actions. */
export type CustomerHit = Hit & { customer: Customer };
/** A service integrator that was found, with its data for actions. */
export type IntegratorHit = Hit & { integrator: ServiceIntegrator };

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
    queryFn: async ({ signal }): Promise<IntegratorHit[]> => {
      const query = { search, limit: LIMIT };
      const reply = await api.get<IntegratorsReply>('/api/admin/service-integrators', { query, signal, fallback });
      return reply.service_integrators.map((integrator) => ({
        to: `${areaRoot.admin}/service-integrators/${integrator.id}`,
        name: integrator.companyName,
        detail: integrator.contactEmail,
        integrator,
      }));
    },
    placeholderData: keepPreviousData,
  });

/** Users have no screen of their own: a hit opens the list with the user alone. */
const userHitsQuery = (area: Area, search: string) =>
  queryOptions({
    queryKey: [...topic.users(), 'hits', search],
    queryFn: async ({ signal }): Promise<Hit[]> => {
      const { users } = await api.get<UsersReply>(usersPath[area], { query: { search, limit: LIMIT }, signal, fallback });
      return users.map(({ username, email, customerId, customerName }) => {
        const query = new URLSearchParams({ search: username, ...(area !== 'portal' && { customer: customerId }) });
        return {
          to: `${areaRoot[area]}/users?${query}`,
          name: username,
          detail: area === 'portal' ? email : `${customerName} · ${email}`,
        };
      });
    },
    placeholderData: keepPreviousData,
  });

/** What to search for. An action names what it is for: then the newest entries are found where the term is empty. */
type Wanted = { search: string; action: Readonly<{ customers: boolean; integrators: boolean }> | undefined };

/**
 * The entries of an area's lists that match a term, kept up to date while they are shown. The results of the previous term stay until
 * those of a new term arrive.
 */
export const useHits = (area: Area, { search, action }: Wanted) => {
  const isAsked = search !== '' || action !== undefined;
  const wants = {
    customers: usePermission('customers:read') && area !== 'portal' && isAsked && action?.customers !== false,
    integrators: usePermission('integrators:read') && area === 'admin' && isAsked && action?.integrators !== false,
    users: usePermission('users:read') && search !== '' && action === undefined,
  };
  const manager = area === 'integrator' ? 'integrator' : 'admin';
  const customers = useQuery({ ...customerHitsQuery(manager, search), enabled: wants.customers });
  const integrators = useQuery({ ...integratorHitsQuery(search), enabled: wants.integrators });
  const users = useQuery({ ...userHitsQuery(area, search), enabled: wants.users });
  const all = [customers, integrators, users];
  const failed = all.filter(({ isError, isEnabled }) => isError && isEnabled);
  return {
    customers: (wants.customers && customers.data) || [],
    integrators: (wants.integrators && integrators.data) || [],
    users: (wants.users && users.data) || [],
    isSearching: all.some(({ isFetching, isPlaceholderData, data }) => isFetching && (isPlaceholderData || !data)),
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const query of failed) void query.refetch();
    },
  };
};
