import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { UsageRange, UsageReply } from '../../../../../src/contracts/usage.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { usageTexts } from '../texts.ts';

/** A customer's own usage over the last days; `id` is its own. */
export const ownUsageQuery = (id: CustomerId, days: UsageRange) =>
  queryOptions({
    queryKey: [...topic.usage(id), 'summary', days],
    queryFn: ({ signal }) =>
      api.get<UsageReply>('/api/customer/usage', { query: { days }, signal, fallback: usageTexts.loadFailed }),
    placeholderData: keepPreviousData,
  });
