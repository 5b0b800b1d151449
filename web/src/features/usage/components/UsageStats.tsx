import { SimpleGrid } from '@chakra-ui/react';
import type { DailyUsage, Usage } from '../../../../../src/contracts/usage.ts';
import { format } from '../../../lib/format.ts';
import { Activity, Cable, CircleAlert, CircleCheck, Gauge, TriangleAlert, Zap } from '../../../ui/icons.ts';
import { StatCard } from '../../../ui/StatCard.tsx';
import { usageScreenTexts } from '../screenTexts.ts';
import { usageTexts } from '../texts.ts';

const { stats } = usageScreenTexts;

const trendOf = (usage: Usage, value: (day: DailyUsage) => number): number[] => usage.daily.map(value);
const shareOf = ({ calls, errors }: DailyUsage): number => (calls > 0 ? errors / calls : 0);

/** All figures of a range, with a curve of the days if available. */
export const UsageStats = ({ usage, days }: { usage: Usage; days: number }) => {
  const inRange = usageScreenTexts.inRange(days);
  const hasCalls = usage.totalApiCalls > 0;
  return (
    <SimpleGrid columns={{ base: 2, xl: 4 }} gap={{ base: '3', md: '4' }}>
      <StatCard
        label={stats.totalApiCalls}
        icon={Activity}
        value={format.whole(usage.totalApiCalls)}
        hint={inRange}
        trend={trendOf(usage, ({ calls }) => calls)}
      />
      <StatCard
        label={stats.apiCallsLast30Days}
        icon={Zap}
        value={format.whole(usage.apiCallsLast30Days)}
        hint={usageScreenTexts.inRange(30)}
      />
      <StatCard
        label={stats.activeInstances}
        icon={Cable}
        value={format.whole(usage.activeInstances)}
        hint={usageScreenTexts.instancesHint}
      />
      <StatCard
        label={stats.avgResponseTime}
        icon={Gauge}
        value={hasCalls ? format.duration(usage.avgResponseTime) : usageTexts.none}
        hint={inRange}
        trend={trendOf(usage, ({ avgResponseTime }) => avgResponseTime)}
        color="chart-2"
      />
      <StatCard
        label={stats.peakUsageDay}
        icon={Activity}
        value={usage.peakUsageDay ? format.day(usage.peakUsageDay) : usageTexts.none}
        hint={usage.peakUsageDay ? usageTexts.calls(format.whole(usage.peakUsageCalls)) : inRange}
      />
      <StatCard
        label={stats.errorRate}
        icon={TriangleAlert}
        value={format.percent(usage.errorRate, 2)}
        hint={usageScreenTexts.ofCalls}
        trend={trendOf(usage, shareOf)}
        color="chart-6"
      />
      <StatCard
        label={stats.successRate}
        icon={CircleCheck}
        value={hasCalls ? format.percent(1 - usage.errorRate, 2) : usageTexts.none}
        hint={usageScreenTexts.ofCalls}
        trend={trendOf(usage, (day) => 1 - shareOf(day))}
        color="chart-5"
      />
      <StatCard
        label={stats.totalErrors}
        icon={CircleAlert}
        value={format.whole(usage.totalErrors)}
        hint={inRange}
        trend={trendOf(usage, ({ errors }) => errors)}
        color="chart-6"
      />
    </SimpleGrid>
  );
};
