import { SimpleGrid } from '@chakra-ui/react';
import type { DashboardStats as Stats } from '../../../../../src/contracts/stats.ts';
import { format } from '../../../lib/format.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { Building2 } from '../../../ui/icons.ts';
import { StatCard } from '../../../ui/StatCard.tsx';
import { dashboardTexts } from '../texts.ts';
import { CustomerStatCards, GainedDelta } from './CustomerStatCards.tsx';

/** The four numbers of the whole server, each with its last 30 days. */
export const DashboardStats = ({ stats }: { stats: Stats }) => (
  <SimpleGrid columns={{ base: 2, xl: 4 }} gap={{ base: '3', md: '4' }}>
    <CustomerStatCards stats={stats} manager="admin" />
    <StatCard
      label={dashboardTexts.serviceIntegrators}
      icon={Building2}
      value={format.whole(stats.totalServiceIntegrators)}
      hint={<GainedDelta count={stats.newServiceIntegratorsLast30Days} />}
      trend={stats.trend.map(({ serviceIntegrators }) => serviceIntegrators)}
      color="chart-4"
      to={usePermission('integrators:read') ? '/admin/service-integrators' : undefined}
    />
  </SimpleGrid>
);
