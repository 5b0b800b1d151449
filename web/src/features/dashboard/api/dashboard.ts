import { queryOptions } from '@tanstack/react-query';
import type { DashboardStatsReply } from '../../../../../src/contracts/stats.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { api } from '../../../api/client.ts';
import { customersQuery } from '../../customers/index.ts';
import { dashboardTexts } from '../texts.ts';

const RECENT = 5;

/** The figures of all customers, and the trend of 30 days. */
export const dashboardStatsQuery = () =>
  queryOptions({
    queryKey: [...topic.stats(), 'dashboard'],
    queryFn: ({ signal }) =>
      api.get<DashboardStatsReply>('/api/admin/stats/dashboard', { signal, fallback: dashboardTexts.loadFailed }),
  });

/** The five newest customers. */
export const recentCustomersQuery = () => customersQuery({ sort: '-createdAt', limit: RECENT });
