import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { InstancesReply, UsageRange, UsageReply } from '../../../../../src/contracts/usage.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { usageTexts } from '../texts.ts';

/** A customer's usage over the last days, as administrators see it. */
export const customerUsageQuery = (id: CustomerId, days: UsageRange) =>
  queryOptions({
    queryKey: [...topic.usage(id), 'summary', days],
    queryFn: ({ signal }) =>
      api.get<UsageReply>(`/api/admin/customers/${id}/usage`, { query: { days }, signal, fallback: usageTexts.loadFailed }),
  });

/** The third-party instances of a customer's calls. */
export const customerInstancesQuery = (id: CustomerId) =>
  queryOptions({
    queryKey: [...topic.usage(id), 'instances'],
    queryFn: ({ signal }) =>
      api.get<InstancesReply>(`/api/admin/customers/${id}/instances`, { signal, fallback: usageTexts.instancesFailed }),
  });

/** A screen of own calls refreshes by itself too: in a flood of calls users are not notified of their own ones. */
const OWN_REFRESH_MS = 30_000;

const ownPaths = { customer: '/api/customer/usage', user: '/api/customer/own-usage' } as const;

/** Whose calls a screen of the portal shows: those of the customer, or those of the named user of the session. */
export type OwnCalls = keyof typeof ownPaths;

/** Usage over the last days in the portal of the customer `id`. */
export const ownUsageQuery = (id: CustomerId, days: UsageRange, of: OwnCalls = 'customer') =>
  queryOptions({
    queryKey: [...topic.usage(id), of === 'customer' ? 'summary' : 'mine', days],
    queryFn: ({ signal }) => api.get<UsageReply>(ownPaths[of], { query: { days }, signal, fallback: usageTexts.loadFailed }),
    placeholderData: keepPreviousData,
    refetchInterval: of === 'user' ? OWN_REFRESH_MS : false,
  });
