import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { SignInEntry, SignInsChartReply, SignInsReply } from '../../../../../src/contracts/signIns.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { api } from '../../../api/client.ts';
import { signInTexts } from '../texts.ts';

/** The query of the list of sign-ins; absent fields do not filter. */
export type SignInFilter = {
  search?: string;
  audience?: SignInEntry['audience'] | undefined;
  outcome?: SignInEntry['outcome'] | undefined;
  /** A named user. */
  user?: string;
  /** Moments, ISO-8601 UTC. */
  from?: string;
  to?: string;
  limit?: number;
  cursor?: string;
};

/** The part of the API with the sign-ins that an area sees. */
export type SignInsPath = '/api/admin' | '/api/service-integrator' | '/api/customer';

/** A page of the recorded sign-ins, newest first. */
export const signInsQuery = (path: SignInsPath, filter: SignInFilter) =>
  queryOptions({
    queryKey: [...topic.signIns(), filter],
    queryFn: ({ signal }) => api.get<SignInsReply>(`${path}/sign-ins`, { query: filter, signal, fallback: signInTexts.loadFailed }),
    placeholderData: keepPreviousData,
  });

/** The chart ends now, so it moves on without a sign-in. */
const CHART_REFETCH_MS = 60_000;

/** How many matching sign-ins there were over time. */
export const signInsChartQuery = (path: SignInsPath, { limit: _limit, cursor: _cursor, ...query }: SignInFilter) =>
  queryOptions({
    queryKey: [...topic.signIns(), 'chart', query],
    queryFn: ({ signal }) =>
      api.get<SignInsChartReply>(`${path}/sign-ins/chart`, { query, signal, fallback: signInTexts.chart.loadFailed }),
    placeholderData: keepPreviousData,
    refetchInterval: CHART_REFETCH_MS,
  });
