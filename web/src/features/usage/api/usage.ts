import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CustomersUsageReply, InstancesReply, UsageRange, UsageReply } from '../../../../../src/contracts/usage.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { usageTexts } from '../texts.ts';
import { isCounted, lastDays, queryOf, type UsageChoice } from './choice.ts';

/** A screen of own calls refreshes by itself too: in a flood of calls users are not notified of their own ones. */
const OWN_REFRESH_MS = 30_000;
/** A filtered count is not refetched with each call, but regularly: its key is below no topic. */
const COUNTED_REFRESH_MS = 30_000;

/**
 * Whose usage is read, and where. `statementPath` is that of the monthly statements, `instancesPath` that of the instances of all time;
 * null for a single user.
 */
export type UsageSource = Readonly<{
  id: CustomerId;
  path: string;
  statementPath: string | null;
  instancesPath: string | null;
  isOwn: boolean;
}>;

/** Whose calls a screen of the portal shows: those of the customer, or those of the named user of the session. */
export type OwnCalls = 'customer' | 'user';

/** The usage of the customer of the session, or of its named user. */
export const portalUsage = (id: CustomerId, of: OwnCalls = 'customer'): UsageSource => ({
  id,
  path: of === 'customer' ? '/api/customer/usage' : '/api/customer/own-usage',
  statementPath: of === 'customer' ? '/api/customer/statement' : null,
  instancesPath: of === 'customer' ? '/api/customer/instances' : null,
  isOwn: of === 'user',
});

/** The usage of a customer, as administrators or its service integrator see it. */
export const customerUsage = (area: 'admin' | 'service-integrator', id: CustomerId): UsageSource => ({
  id,
  path: `/api/${area}/customers/${id}/usage`,
  statementPath: `/api/${area}/customers/${id}/statement`,
  instancesPath: `/api/${area}/customers/${id}/instances`,
  isOwn: false,
});

/** The usage of a range. */
export const usageQuery = ({ id, path, isOwn }: UsageSource, choice: UsageChoice) =>
  queryOptions({
    queryKey: [...(isCounted(choice) ? ['counted usage', id] : topic.usage(id)), path, queryOf(choice)],
    queryFn: ({ signal }) => api.get<UsageReply>(path, { query: queryOf(choice), signal, fallback: usageTexts.loadFailed }),
    placeholderData: keepPreviousData,
    refetchInterval: isOwn ? OWN_REFRESH_MS : isCounted(choice) ? COUNTED_REFRESH_MS : false,
  });

export const customersUsagePath = '/api/service-integrator/usage';

/** The usage of all customers of the service integrator of the session. */
export const customersUsageQuery = ({ filter: _, ...choice }: UsageChoice) =>
  queryOptions({
    queryKey: [...topic.customers(), 'usage', queryOf({ ...choice, filter: {} })],
    queryFn: ({ signal }) =>
      api.get<CustomersUsageReply>(customersUsagePath, {
        query: queryOf({ ...choice, filter: {} }),
        signal,
        fallback: usageTexts.loadFailed,
      }),
    placeholderData: keepPreviousData,
  });

/** A customer's usage over the last days, as administrators see it. */
export const customerUsageQuery = (id: CustomerId, days: UsageRange) => usageQuery(customerUsage('admin', id), lastDays(days));

/** Usage over the last days in the portal of the customer `id`. */
export const ownUsageQuery = (id: CustomerId, days: UsageRange) => usageQuery(portalUsage(id), lastDays(days));

/** The third-party instances of a customer's calls. */
export const customerInstancesQuery = (id: CustomerId) =>
  queryOptions({
    queryKey: [...topic.usage(id), 'instances'],
    queryFn: ({ signal }) =>
      api.get<InstancesReply>(`/api/admin/customers/${id}/instances`, { signal, fallback: usageTexts.instancesFailed }),
  });
