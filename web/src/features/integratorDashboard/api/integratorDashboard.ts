import { queryOptions } from '@tanstack/react-query';
import type { DashboardStatsReply } from '../../../../../src/contracts/stats.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { api } from '../../../api/client.ts';
import { ownCustomersQuery } from '../../integratorCustomers/index.ts';
import { integratorDashboardTexts as texts } from '../texts.ts';

const RECENT = 5;

/** The figures of an integrator's own customers. */
export const ownStatsQuery = () =>
  queryOptions({
    queryKey: [...topic.stats(), 'dashboard'],
    queryFn: ({ signal }) =>
      api.get<DashboardStatsReply>('/api/service-integrator/stats/dashboard', { signal, fallback: texts.loadFailed }),
  });

/** The five newest customers: a list is newest first. */
export const recentOwnCustomersQuery = () => ownCustomersQuery({ limit: RECENT });
