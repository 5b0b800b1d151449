import { Flex, SimpleGrid, Text } from '@chakra-ui/react';
import type { Usage } from '../../../../../src/contracts/usage.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { ChartKey } from '../../../ui/charts/chartParts.tsx';
import { DailyChart, LatencyChart } from '../../../ui/charts/lazyCharts.tsx';
import { format } from '../../../ui/format.ts';
import { usageScreenTexts } from '../screenTexts.ts';
import { usageTexts } from '../texts.ts';

type UsageChartsProps = { usage: Usage; days: number };

const PERCENTILES = ['p50', 'p95', 'p99'] as const;

/** Calls of each day by outcome. */
export const OutcomeCard = ({ usage, days }: UsageChartsProps) => (
  <Card>
    <CardHead
      title={usageScreenTexts.outcome}
      sub={usageScreenTexts.inRange(days)}
      right={
        <Flex gap="4">
          <ChartKey color="chart-1" label={usageTexts.successful} />
          <ChartKey color="chart-6" label={usageTexts.failed} />
        </Flex>
      }
    />
    <DailyChart label={usageTexts.chart(days)} daily={usage.daily} />
  </Card>
);

/** Response times of each day, and the percentiles of the whole range. */
const LatencyCard = ({ usage, days }: UsageChartsProps) => (
  <Card>
    <CardHead
      title={usageScreenTexts.latency}
      sub={usageScreenTexts.latencySub}
      right={
        <Flex gap="4">
          <ChartKey color="chart-1" label={usageScreenTexts.average} />
          <ChartKey color="chart-3" label={usageScreenTexts.percentiles.p95} />
        </Flex>
      }
    />
    <LatencyChart
      label={usageScreenTexts.latencyChart(days)}
      daily={usage.daily}
      averageName={usageScreenTexts.average}
      p95Name={usageScreenTexts.percentiles.p95}
    />
    <SimpleGrid as="dl" columns={3} borderTopWidth="1px" borderColor="border" mt="3">
      {PERCENTILES.map((name) => (
        <Flex key={name} direction="column" px={{ base: '4', md: '5' }} py="3" data-stat={name}>
          <Text as="dt" textStyle="xs" color="fg.subtle">
            {usageScreenTexts.percentiles[name]}
          </Text>
          <Text as="dd" textStyle="lg" fontWeight="semibold" fontVariantNumeric="tabular-nums">
            {format.duration(usage[name])}
          </Text>
        </Flex>
      ))}
    </SimpleGrid>
  </Card>
);

export const UsageCharts = (props: UsageChartsProps) => (
  <SimpleGrid columns={{ base: 1, xl: 2 }} gap="4" alignItems="stretch">
    <OutcomeCard {...props} />
    <LatencyCard {...props} />
  </SimpleGrid>
);
