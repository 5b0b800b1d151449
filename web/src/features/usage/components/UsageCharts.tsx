import { Flex, SimpleGrid, Text } from '@chakra-ui/react';
import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Usage } from '../../../../../src/contracts/usage.ts';
import { format } from '../../../lib/format.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { ChartKey } from '../../../ui/charts/chartParts.tsx';
import { DailyChart, LatencyChart } from '../../../ui/charts/lazyCharts.tsx';
import { usageScreenTexts } from '../screenTexts.ts';
import { usageTexts } from '../texts.ts';
import { type CallsOf, periodOf } from './usageCalls.ts';

type OutcomeProps = {
  usage: Pick<Usage, 'zone' | 'totalApiCalls' | 'totalErrors'> & {
    daily: readonly Omit<Usage['daily'][number], 'p95'>[];
    previous: { calls: readonly number[] } | null;
  };
  /** The range in words. */
  range: string;
  /** The address of single calls with a filter; null where the session may not see them. */
  callsOf: CallsOf | null;
};
type UsageChartsProps = OutcomeProps & { usage: Usage };

const PERCENTILES = ['p50', 'p95', 'p99'] as const;

/** The figures of the whole range. */
const Figures = ({ of }: { of: readonly (readonly [label: string, value: string])[] }) => (
  <SimpleGrid as="dl" columns={3} borderTopWidth="1px" borderColor="border" mt="3">
    {of.map(([label, value]) => (
      <Flex key={label} direction="column" px={{ base: '4', md: '5' }} py="3" data-stat={label}>
        <Text as="dt" textStyle="xs" color="fg.subtle">
          {label}
        </Text>
        <Text as="dd" textStyle="lg" fontWeight="semibold" fontVariantNumeric="tabular-nums">
          {value}
        </Text>
      </Flex>
    ))}
  </SimpleGrid>
);

/** Calls of each day by outcome. */
export const OutcomeCard = ({ usage, range, callsOf }: OutcomeProps) => {
  const navigate = useNavigate();
  const { daily, previous, zone } = usage;
  const onDay = useCallback(
    (chosen: string) => {
      const found = daily.find(({ day }) => day === chosen);
      if (found && callsOf) void navigate(callsOf(periodOf(found.from, found.to)));
    },
    [navigate, callsOf, daily],
  );
  return (
    <Card>
      <CardHead
        title={usageScreenTexts.outcome}
        sub={usageTexts.zone(zone)}
        right={
          <Flex gap="4" wrap="wrap">
            <ChartKey color="chart-1" label={usageTexts.successful} />
            <ChartKey color="chart-6" label={usageTexts.failed} />
            {previous && <ChartKey color="chart-axis" label={usageScreenTexts.previous} />}
          </Flex>
        }
      />
      <DailyChart
        label={usageTexts.chart(range)}
        daily={daily}
        {...(previous && { previous: previous.calls, previousName: usageScreenTexts.previous })}
        {...(callsOf !== null && { onDay })}
      />
      <Figures
        of={[
          [usageTexts.successful, format.whole(usage.totalApiCalls - usage.totalErrors)],
          [usageTexts.failed, format.whole(usage.totalErrors)],
          [usageScreenTexts.perDay, format.whole(Math.round(usage.totalApiCalls / Math.max(1, usage.daily.length)))],
        ]}
      />
    </Card>
  );
};

/** Response times of each day, and the percentiles of the whole range. */
const LatencyCard = ({ usage, range }: Omit<UsageChartsProps, 'callsOf'>) => (
  <Card>
    <CardHead
      title={usageScreenTexts.latency}
      sub={`${usageScreenTexts.latencySub}. ${usageTexts.zone(usage.zone)}`}
      right={
        <Flex gap="4">
          <ChartKey color="chart-1" label={usageScreenTexts.average} />
          <ChartKey color="chart-3" label={usageScreenTexts.percentiles.p95} />
        </Flex>
      }
    />
    <LatencyChart
      label={usageScreenTexts.latencyChart(range)}
      daily={usage.daily}
      averageName={usageScreenTexts.average}
      p95Name={usageScreenTexts.percentiles.p95}
    />
    <Figures of={PERCENTILES.map((name) => [usageScreenTexts.percentiles[name], format.duration(usage[name])])} />
  </Card>
);

export const UsageCharts = (props: UsageChartsProps) => (
  <SimpleGrid columns={{ base: 1, xl: 2 }} gap="4" alignItems="stretch">
    <OutcomeCard {...props} />
    <LatencyCard usage={props.usage} range={props.range} />
  </SimpleGrid>
);
