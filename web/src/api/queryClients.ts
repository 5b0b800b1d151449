import { QueryClient } from '@tanstack/react-query';
import { MINUTE_MS } from '../../../src/domain/time.ts';
import type { Area } from '../areas.ts';
import { isApiError } from './error.ts';

const STALE_AFTER_MS = 5 * MINUTE_MS;
const RETRIES = 1;

/** An error that a retry cannot fix: the server rejected the request itself. */
const isFinal = (error: Error): boolean =>
  isApiError(error) && error.status >= 400 && error.status < 500 && error.status !== 429 && error.status !== 408;

const createClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_AFTER_MS,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
        retry: (failures, error) => failures < RETRIES && !isFinal(error),
        retryDelay: (_failures, error) => (isApiError(error) && error.retryAfterMs) || 1000,
      },
      mutations: { networkMode: 'always', retry: 0 },
    },
  });

const clients = new Map<Area, QueryClient>();

/** One cache per area: the same query returns different data to an administrator and to an integrator. */
export const queryClientOf = (area: Area): QueryClient => {
  const known = clients.get(area);
  if (known) return known;
  const client = createClient();
  clients.set(area, client);
  return client;
};
