import { hashKey, type QueryKey, type UseQueryOptions, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addPrintable } from './printing.ts';

type Page = { nextCursor: string | null };

/** Which page of a list: the first one, of the usual size, by default. */
export type ListAt = { limit?: number; cursor: string };

/**
 * `useQuery` of a page of a list, and of all its pages while it is printed.
 *
 * @param queryOf the query of a page
 * @param at which page is shown, and what selects the list's rows
 * @param rows the names of the fields with the rows, the list's own first
 */
export const useListQuery = <Reply extends Page, Key extends QueryKey, At extends { limit?: number; cursor?: string }>(
  queryOf: (at: At) => UseQueryOptions<Reply, Error, Reply, Key>,
  at: At,
  ...rows: readonly (keyof Reply & string)[]
): UseQueryResult<Reply> => {
  const queries = useQueryClient();
  const options = queryOf(at);
  const query = useQuery(options);
  const key = hashKey(options.queryKey);
  const [printed, setPrinted] = useState<{ key: string; whole: Reply } | null>(null);
  const whole = printed?.key === key && printed.whole;
  const isPart = !whole && query.data && (at.cursor || query.data.nextCursor);
  // Registered again after each rendering, so that it expands what is shown.
  useEffect(() =>
    addPrintable({
      expand: isPart
        ? async (readAllPages) => {
            const read = (page: { limit: number; cursor: string }) => {
              const { queryKey, queryFn } = queryOf({ ...at, ...page });
              return queries.fetchQuery({ queryKey, ...(queryFn && { queryFn }), gcTime: 0 });
            };
            setPrinted({ key, whole: await readAllPages(read, rows) });
          }
        : null,
      collapse: () => setPrinted(null),
    }),
  );
  return whole && query.isSuccess ? { ...query, data: whole } : query;
};
