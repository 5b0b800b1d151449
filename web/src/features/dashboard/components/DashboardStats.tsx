import { SimpleGrid } from '@chakra-ui/react';
import type { DashboardStats as Stats } from '../../../../../src/contracts/stats.ts';
import { format } from '../../../lib/format.ts';
import { Delta } from '../../../ui/Delta.tsx';
import { Activity, Building2, Users, Zap } from '../../../ui/icons.ts';
import { StatCard } from '../../../ui/StatCard.tsx';
import { dashboardTexts } from '../texts.ts';

const { stats: labels } = dashboardTexts;

const Gained = ({ count }: { count: number }) => (
  <Delta value={format.whole(count)} text={dashboardTexts.newThisMonth} direction={count > 0 ? 'up' : 'none'} />
);

const CallsDelta = ({ stats }: { stats: Stats }) => {
  const { apiCallsLast30Days: now, apiCallsPrevious30Days: before } = stats;
  if (before === 0) return <Delta value={format.short(now)} text={dashboardTexts.noneBefore} />;
  const change = (now - before) / before;
  return (
    <Delta value={format.percent(Math.abs(change), 1)} text={dashboardTexts.versusBefore} direction={change >= 0 ? 'up' : 'down'} />
  );
};

/** The four numbers of the whole server, each with its last 30 days. */
export const DashboardStats = ({ stats }: { stats: Stats }) => {
  const { trend } = stats;
  const activeShare = stats.totalCustomers > 0 ? stats.activeCustomers / stats.totalCustomers : 0;
  return (
    <SimpleGrid columns={{ base: 2, xl: 4 }} gap={{ base: '3', md: '4' }}>
      <StatCard
        label={labels.totalCustomers}
        icon={Users}
        value={format.whole(stats.totalCustomers)}
        hint={<Gained count={stats.newCustomersLast30Days} />}
        trend={trend.map(({ customers }) => customers)}
      />
      <StatCard
        label={labels.activeCustomers}
        icon={Zap}
        value={format.whole(stats.activeCustomers)}
        hint={<Delta value={format.percent(activeShare)} text={dashboardTexts.ofAllCustomers} />}
        trend={trend.map(({ activeCustomers }) => activeCustomers)}
        color="chart-5"
      />
      <StatCard
        label={labels.totalApiCalls}
        icon={Activity}
        value={format.whole(stats.totalApiCalls)}
        hint={<CallsDelta stats={stats} />}
        trend={trend.map(({ apiCalls }) => apiCalls)}
        color="chart-2"
      />
      <StatCard
        label={labels.serviceIntegrators}
        icon={Building2}
        value={format.whole(stats.totalServiceIntegrators)}
        hint={<Gained count={stats.newServiceIntegratorsLast30Days} />}
        trend={trend.map(({ serviceIntegrators }) => serviceIntegrators)}
        color="chart-4"
      />
    </SimpleGrid>
  );
};
