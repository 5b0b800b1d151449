import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState, Loading } from './states.tsx';

type QueryViewProps<Data> = {
  query: UseQueryResult<Data>;
  /** Text of the spinner. */
  loading: string;
  /** Shown if the error has no text for users. */
  fallback: string;
  height?: string;
  children: (data: Data) => ReactNode;
};

/** A query's spinner, its error with a retry, or its data. Shown data stays after a failed refetch. */
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
