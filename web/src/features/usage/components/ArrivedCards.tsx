import { Flex, Heading, SimpleGrid, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { ArrivedPart, ArrivedUsage } from '../../../../../src/contracts/usage.ts';
import { format } from '../../../lib/format.ts';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Banner } from '../../../ui/states.tsx';
import type { UsageChoice } from '../api/choice.ts';
import { customersPartsQuery } from '../api/parts.ts';
import { arrivedTexts as texts } from '../arrivedTexts.ts';
import { usageScreenTexts } from '../screenTexts.ts';
import { usageTexts } from '../texts.ts';
import { WeekCard } from './LazyWeekCard.tsx';
import { type NamedPart, PartsCard } from './PartsCard.tsx';
import { LatencyCard } from './UsageCharts.tsx';
import { type CallsOf, nameOfValue, periodOf } from './usageCalls.ts';

const PARTS_HEIGHT = '380px';

type Figures = Pick<ArrivedUsage, 'totalApiCalls' | 'totalErrors' | 'p50' | 'p95' | 'p99' | 'daily'>;

/** The chart draws the median in place of the average: durations of all customers are added up as histograms. */
const chartOf = ({ daily, ...figures }: Figures) => ({
  ...figures,
  daily: daily.map(({ p50, ...day }) => ({ ...day, avgResponseTime: p50 })),
});

type CallFilters = Parameters<CallsOf>[0];

const outcomeFilters = (outcome: string): CallFilters => ({ status: outcome === 'error' ? 'none' : outcome, outcome: 'failed' });

const KINDS = {
  services: { name: (key: string) => nameOfValue('service', key, null), filter: (service: string) => ({ service }) },
  operations: { name: (key: string) => key, filter: (operation: string) => ({ operation }) },
  outcomes: { name: (key: string) => texts.outcomes[key] ?? key, filter: outcomeFilters },
} as const;

const named = (
  parts: readonly ArrivedPart[],
  { name, filter }: (typeof KINDS)[keyof typeof KINDS],
  callsOf: CallsOf | null,
): NamedPart[] =>
  parts.map(({ key, ...counts }) => ({
    key,
    ...counts,
    avgResponseTime: 0,
    lastActive: null,
    name: key === null ? usageScreenTexts.parts.others : name(key),
    to: key === null || callsOf === null ? null : callsOf(filter(key)),
  }));

type ArrivedCardsProps = {
  arrived: ArrivedUsage;
  choice: UsageChoice;
  /** The time zone of the days of the screen. */
  zone: string;
  /** The range in words. */
  range: string;
  /** The address of single calls with a filter; null where the session may not see them. */
  callsOf: CallsOf | null;
};

/** Services and operations, which the server reads apart from the rest. */
const Parts = ({ choice, callsOf }: Pick<ArrivedCardsProps, 'choice' | 'callsOf'>) => (
  <QueryView
    query={useQuery(customersPartsQuery(choice))}
    loading={usageTexts.loading}
    fallback={usageTexts.loadFailed}
    height={PARTS_HEIGHT}
  >
    {({ parts: { from, to, totalApiCalls, services, operations } }) => {
      const ofPeriod = callsOf && ((filters: CallFilters) => callsOf({ ...periodOf(from, to), ...filters }));
      return (
        <SimpleGrid columns={{ base: 1, xl: 2 }} gap="4" alignItems="start">
          <PartsCard of="operations" parts={named(operations, KINDS.operations, ofPeriod)} total={totalApiCalls} />
          <PartsCard of="services" parts={named(services, KINDS.services, ofPeriod)} total={totalApiCalls} />
        </SimpleGrid>
      );
    }}
  </QueryView>
);

/** What is known of the calls of all customers together by their arrival: response times, parts and hours of the week. */
export const ArrivedCards = ({ arrived, choice, zone, range, callsOf }: ArrivedCardsProps) => {
  const { totalErrors, previous, daily } = arrived;
  const period = periodOf(arrived.from, daily.at(-1)?.to ?? arrived.from);
  const ofPeriod = callsOf && ((filters: CallFilters) => callsOf({ ...period, ...filters }));
  return (
    <Flex as="section" aria-label={texts.title} direction="column" gap="4">
      <div>
        <Heading as="h2" textStyle="md" fontWeight="semibold">
          {texts.title}
        </Heading>
        <Text textStyle="sm" color="fg.muted">
          {texts.sub}
        </Text>
      </div>
      {arrived.zone !== zone && <Banner tone="info">{texts.inUtc(zone)}</Banner>}
      {arrived.from !== daily[0]?.from && <Banner tone="info">{texts.kept(format.dateTime(arrived.from))}</Banner>}
      <LatencyCard
        usage={{ ...chartOf(arrived), zone: arrived.zone, previous: previous && chartOf(previous) }}
        range={range}
        callsOf={callsOf}
        averageName={usageScreenTexts.percentiles.p50}
        sub={texts.latencySub}
      />
      <Parts choice={choice} callsOf={callsOf} />
      <PartsCard of="reasons" parts={named(arrived.outcomes, KINDS.outcomes, ofPeriod)} total={totalErrors} />
      <WeekCard week={arrived.week} zone={arrived.zone} daily={daily} callsOf={callsOf} />
    </Flex>
  );
};
