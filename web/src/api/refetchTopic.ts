import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Refetches the queries below a topic after a change. TanStack Query does not restart a query's first request, nor one of a
 * query that no component shows; such a request may have read before the change, so its query is refetched after it.
 */
export const refetchTopic = async (queries: QueryClient, topic: QueryKey): Promise<void> => {
  const pending = queries.getQueryCache().findAll({ queryKey: topic, fetchStatus: 'fetching' });
  const kept = pending.filter((query) => query.state.data === undefined || !query.isActive());
  await Promise.allSettled([queries.invalidateQueries({ queryKey: topic }), ...kept.map(({ promise }) => promise)]);
  await queries.invalidateQueries({ predicate: (query) => kept.includes(query) });
};
