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

/** A customer's own usage over the last days; `id` is its own. */
export const ownUsageQuery = (id: CustomerId, days: UsageRange) =>
  queryOptions({
    queryKey: [...topic.usage(id), 'summary', days],
    queryFn: ({ signal }) =>
      api.get<UsageReply>('/api/customer/usage', { query: { days }, signal, fallback: usageTexts.loadFailed }),
    placeholderData: keepPreviousData,
  });
