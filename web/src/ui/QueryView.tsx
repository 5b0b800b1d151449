import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState, Loading } from './states.tsx';

type QueryViewProps<Data> = {
  query: UseQueryResult<Data>;
  /** What is being loaded, for people. */
  loading: string;
  /** Shown where the error has no text for people. */
  fallback: string;
  height?: string;
  children: (data: Data) => ReactNode;
};

/** A query's spinner, its error with a retry, or what it brought. Data on the screen outlives a failed refetch. */
export const QueryView = <Data,>({ query, loading, fallback, height = '280px', children }: QueryViewProps<Data>) => {
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    return (
      <ErrorState
        error={query.error}
        fallback={fallback}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
        height={height}
      />
    );
  }
  return <Loading label={loading} height={height} />;
};
