import { SimpleGrid } from '@chakra-ui/react';
import type { DashboardStats } from '../../../../../src/contracts/stats.ts';
import { format } from '../../../lib/format.ts';
import { Delta } from '../../../ui/Delta.tsx';
import { Activity, Palette, Users, Zap } from '../../../ui/icons.ts';
import { StatCard } from '../../../ui/StatCard.tsx';
import { integratorDashboardTexts as texts } from '../texts.ts';

const { stats: labels } = texts;

const CallsDelta = ({ stats }: { stats: DashboardStats }) => {
  const { apiCallsLast30Days: now, apiCallsPrevious30Days: before } = stats;
  if (before === 0) return <Delta value={format.short(now)} text={texts.noneBefore} />;
  const change = (now - before) / before;
  return <Delta value={format.percent(Math.abs(change), 1)} text={texts.versusBefore} direction={change >= 0 ? 'up' : 'down'} />;
};

/** The numbers of themes are undefined until they are loaded. */
type OwnStatsProps = { stats: DashboardStats; themes: number | undefined; activeThemes: number | undefined };

/** An integrator's four numbers, with their last 30 days. */
export const OwnStats = ({ stats, themes, activeThemes }: OwnStatsProps) => {
  const share = stats.totalCustomers > 0 ? stats.activeCustomers / stats.totalCustomers : 0;
  const gained = stats.newCustomersLast30Days;
  return (
    <SimpleGrid columns={{ base: 2, xl: 4 }} gap={{ base: '3', md: '4' }}>
      <StatCard
        label={labels.totalCustomers}
        icon={Users}
        value={format.whole(stats.totalCustomers)}
        hint={<Delta value={format.whole(gained)} text={texts.newThisMonth} direction={gained > 0 ? 'up' : 'none'} />}
        trend={stats.trend.map(({ customers }) => customers)}
      />
      <StatCard
        label={labels.activeCustomers}
        icon={Zap}
        value={format.whole(stats.activeCustomers)}
        hint={<Delta value={format.percent(share)} text={texts.ofAllCustomers} />}
        trend={stats.trend.map(({ activeCustomers }) => activeCustomers)}
        color="chart-5"
      />
      <StatCard
        label={labels.totalApiCalls}
        icon={Activity}
        value={format.whole(stats.totalApiCalls)}
        hint={<CallsDelta stats={stats} />}
        trend={stats.trend.map(({ apiCalls }) => apiCalls)}
        color="chart-2"
      />
      <StatCard
        label={labels.customThemes}
        icon={Palette}
        value={themes === undefined ? '–' : format.whole(themes)}
        hint={activeThemes !== undefined && <Delta value={format.whole(activeThemes)} text={texts.activeThemes} />}
      />
    </SimpleGrid>
  );
};
