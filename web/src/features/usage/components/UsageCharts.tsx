import { Flex, SimpleGrid, Text } from '@chakra-ui/react';
import type { Usage, UsageFigures } from '../../../../../src/contracts/usage.ts';
import { format } from '../../../lib/format.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { ChartKey } from '../../../ui/charts/chartParts.tsx';
import { DailyChart, LatencyChart } from '../../../ui/charts/lazyCharts.tsx';
import { LinkedFigure } from '../../../ui/LinkedFigure.tsx';
import { usageScreenTexts } from '../screenTexts.ts';
import { usageTexts } from '../texts.ts';
import { type CallsOf, countedBy } from './usageCalls.ts';

type OutcomeProps = {
  usage: Pick<Usage, 'zone' | 'totalApiCalls' | 'totalErrors'> & {
    daily: readonly Omit<Usage['daily'][number], 'p95'>[];
    previous: (Pick<Usage, 'totalApiCalls' | 'totalErrors'> & { daily: readonly Pick<Usage['daily'][number], 'calls'>[] }) | null;
  };
  /** The range in words. */
  range: string;
  /** The address of single calls with a filter; null where the session may not see them. */
  callsOf: CallsOf | null;
};
type UsageChartsProps = OutcomeProps & { usage: Usage };

const PERCENTILES = ['p50', 'p95', 'p99'] as const;

type FigureOf = readonly [label: string, value: string, before: string | undefined, to?: string | undefined];

/** The figures of the whole range, each with that of the previous period where it is compared. */
const Figures = ({ of }: { of: readonly FigureOf[] }) => (
  <SimpleGrid as="dl" columns={3} borderTopWidth="1px" borderColor="border" mt="3">
    {of.map(([label, value, before, to]) => (
      <Flex key={label} direction="column" px={{ base: '4', md: '5' }} py="3" data-stat={label}>
        <Text as="dt" textStyle="xs" color="fg.subtle">
          {label}
        </Text>
        <Text as="dd" textStyle="lg" fontWeight="semibold" fontVariantNumeric="tabular-nums">
          <LinkedFigure value={value} to={to} />
        </Text>
        {before !== undefined && (
          <Text as="dd" textStyle="xs" color="fg.subtle" fontVariantNumeric="tabular-nums">
            {usageScreenTexts.before(before)}
          </Text>
        )}
      </Flex>
    ))}
  </SimpleGrid>
);

type Totals = Pick<Usage, 'totalApiCalls' | 'totalErrors'> & { daily: readonly unknown[] };

const totalsOf = ({ totalApiCalls, totalErrors, daily }: Totals) => ({
  successful: format.whole(totalApiCalls - totalErrors),
  failed: format.whole(totalErrors),
  perDay: format.whole(Math.round(totalApiCalls / Math.max(1, daily.length))),
});

/** Calls of each day by outcome. */
export const OutcomeCard = ({ usage, range, callsOf }: OutcomeProps) => {
  const { daily, previous, zone } = usage;
  const [totals, before] = [totalsOf(usage), previous && totalsOf(previous)];
  const to = countedBy(usage, callsOf);
  return (
    <Card>
      <CardHead
        title={usageScreenTexts.outcome}
        sub={usageTexts.zone(zone)}
        right={
          <Flex gap="4" wrap="wrap">
            <ChartKey color="chart-1" label={usageTexts.successful} />
            <ChartKey color="chart-6" label={usageTexts.failed} />
            {previous && <ChartKey color="chart-axis" label={usageScreenTexts.previous} isDashed />}
          </Flex>
        }
      />
      <DailyChart
        label={usageTexts.chart(range)}
        daily={daily}
        {...(previous && { previous: previous.daily.map(({ calls }) => calls), previousName: usageScreenTexts.previous })}
        calls={callsOf?.({}) ?? null}
      />
      <Figures
        of={[
          [usageTexts.successful, totals.successful, before?.successful, to.successRate],
          [usageTexts.failed, totals.failed, before?.failed, to.totalErrors],
          [usageScreenTexts.perDay, totals.perDay, before?.perDay, to.totalApiCalls],
        ]}
      />
    </Card>
  );
};

const shownTime = (of: Times, name: (typeof PERCENTILES)[number]): string =>
  of.totalApiCalls > 0 ? format.duration(of[name]) : usageTexts.none;

type Times = Pick<UsageFigures, 'totalApiCalls' | (typeof PERCENTILES)[number]>;
type LatencyProps = Pick<UsageChartsProps, 'range' | 'callsOf'> & {
  usage: Times & Pick<Usage, 'zone' | 'daily'> & { previous: (Times & Pick<Usage, 'daily'>) | null };
  /** What the lower line shows; the average by default. */
  averageName?: string;
  sub?: string;
};

/** Response times of each day, and the percentiles of the whole range. */
export const LatencyCard = ({
  usage,
  range,
  callsOf,
  averageName = usageScreenTexts.average,
  sub = usageScreenTexts.latencySub,
}: LatencyProps) => (
  <Card>
    <CardHead
      title={usageScreenTexts.latency}
      sub={`${sub}. ${usageTexts.zone(usage.zone)}`}
      right={
        <Flex gap="4" wrap="wrap">
          <ChartKey color="chart-1" label={averageName} />
          <ChartKey color="chart-3" label={usageScreenTexts.percentiles.p95} />
          {usage.previous && <ChartKey color="chart-axis" label={usageScreenTexts.previous} isDashed />}
        </Flex>
      }
    />
    <LatencyChart
      label={usageScreenTexts.latencyChart(range)}
      daily={usage.daily}
      averageName={averageName}
      p95Name={usageScreenTexts.percentiles.p95}
      previous={usage.previous?.daily}
      previousName={usageScreenTexts.ofPrevious}
      calls={callsOf?.({}) ?? null}
    />
    <Figures
      of={PERCENTILES.map((name) => [
        usageScreenTexts.percentiles[name],
        shownTime(usage, name),
        usage.previous ? shownTime(usage.previous, name) : undefined,
      ])}
    />
  </Card>
);

export const UsageCharts = (props: UsageChartsProps) => (
  <SimpleGrid columns={{ base: 1, xl: 2 }} gap="4" alignItems="stretch">
    <OutcomeCard {...props} />
    <LatencyCard {...props} />
  </SimpleGrid>
);
