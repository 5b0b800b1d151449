import { Flex, SimpleGrid } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { CustomersUsage as Usage } from '../../../../../src/contracts/usage.ts';
import { format } from '../../../lib/format.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { Card } from '../../../ui/Card.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Banner } from '../../../ui/states.tsx';
import { StatementButton } from '../../statements/index.ts';
import { queryOf } from '../api/choice.ts';
import { customersUsagePath, customersUsageQuery } from '../api/usage.ts';
import { usageScreenTexts as texts } from '../screenTexts.ts';
import { usageTexts } from '../texts.ts';
import { ArrivedCards } from './LazyArrivedCards.tsx';
import { type NamedPart, PartsCard } from './PartsCard.tsx';
import { RangeControls } from './RangeControls.tsx';
import { Figure } from './UsageBand.tsx';
import { OutcomeCard } from './UsageCharts.tsx';
import { rangeOf } from './UsageView.tsx';
import { useUsageChoice } from './usageAddress.ts';
import { type CallsOf, callsAt, countedBy } from './usageCalls.ts';

const { stats } = texts;
/** The list of the calls of all customers. */
const OF_ALL = callsAt('/service-integrator/calls');

/** The figures that every period has. */
type Figures = Pick<Usage, 'totalApiCalls' | 'totalErrors' | 'avgResponseTime'> &
  Readonly<{ activeCustomers?: number | null | undefined; daily: readonly Usage['daily'][number][] }>;

const figuresOf = ({ totalApiCalls: calls, totalErrors, avgResponseTime, activeCustomers, daily }: Figures) => {
  const errorRate = calls > 0 ? totalErrors / calls : 0;
  const ofCalls = (value: string): string => (calls > 0 ? value : usageTexts.none);
  const peak = daily.reduce<Usage['daily'][number] | null>((best, day) => (day.calls > (best?.calls ?? 0) ? day : best), null);
  return {
    totalApiCalls: format.whole(calls),
    activeCustomers: countOf(activeCustomers),
    avgResponseTime: ofCalls(format.duration(avgResponseTime)),
    peakUsageDay: peak ? format.day(peak.day) : usageTexts.none,
    errorRate: format.percent(errorRate, 2),
    successRate: ofCalls(format.percent(1 - errorRate, 2)),
    totalErrors: format.whole(totalErrors),
  };
};

/** A count, which is unknown in some ranges. */
const countOf = (count: number | null | undefined): string => (typeof count === 'number' ? format.whole(count) : usageTexts.none);

const FIGURES = [
  'totalApiCalls',
  'apiCallsLast30Days',
  'activeInstances',
  'activeCustomers',
  'avgResponseTime',
  'peakUsageDay',
  'errorRate',
  'successRate',
  'totalErrors',
] as const;

/** Why a figure is unknown, or more about it. */
const detailsOf = (usage: Usage): Partial<Record<(typeof FIGURES)[number], string>> => ({
  ...(usage.peakUsageDay && { peakUsageDay: usageTexts.calls(format.whole(usage.peakUsageCalls)) }),
  ...(typeof usage.activeInstances !== 'number' && { activeInstances: texts.unknownInstances }),
});

const Band = ({ usage, callsOf, last30 }: { usage: Usage; callsOf: CallsOf | null; last30: string | null }) => {
  const { apiCallsLast30Days, activeInstances, previous } = usage;
  const shown = {
    ...figuresOf(usage),
    apiCallsLast30Days: countOf(apiCallsLast30Days),
    activeInstances: countOf(activeInstances),
  };
  const before = previous && { ...figuresOf(previous), apiCallsLast30Days: null, activeInstances: null };
  const details = detailsOf(usage);
  const to = countedBy(usage, callsOf, last30);
  return (
    <Card as="section" aria-label={texts.figures}>
      <SimpleGrid columns={{ base: 2, md: 3, '2xl': 9 }}>
        {FIGURES.map((name) => (
          <Figure
            key={name}
            label={stats[name]}
            value={shown[name]}
            detail={details[name] ?? null}
            before={before?.[name] ?? null}
            to={shown[name] === usageTexts.none ? undefined : to[name]}
          />
        ))}
      </SimpleGrid>
    </Card>
  );
};

const named = ({ customers }: Usage): NamedPart[] =>
  customers.map(({ name, ...part }) => ({
    ...part,
    lastActive: null,
    name: part.key === null ? texts.parts.others : (name ?? texts.parts.deletedCustomer),
    to: null,
  }));

/** The API calls of all customers of a service integrator. A customer opens its own usage of the same days. */
export const CustomersUsage = () => {
  const chosen = useUsageChoice();
  const { choice } = chosen;
  const query = useQuery(customersUsageQuery(choice));
  const shown = query.data?.usage;
  const callsOf = usePermission('calls:read') ? OF_ALL : null;
  const navigate = useNavigate();
  const [address] = useSearchParams();
  const open = useCallback(
    (customer: string) => {
      const next = new URLSearchParams(address);
      next.set('customer', customer);
      void navigate(`?${next}`);
    },
    [address, navigate],
  );
  return (
    <>
      <PageHead
        title={texts.title}
        sub={texts.allCustomers}
        actions={
          <>
            <StatementButton path="/api/service-integrator/statement" size="sm" />
            <ExportMenu lists={[{ path: customersUsagePath, query: queryOf({ ...choice, filter: {} }) }]} />
          </>
        }
      />
      <RangeControls {...chosen} shown={shown && { from: shown.from, to: shown.to }} />
      <QueryView query={query} loading={usageTexts.loading} fallback={usageTexts.loadFailed} height="60vh">
        {({ usage }) => (
          <Flex direction="column" gap="4" opacity={query.isPlaceholderData ? 0.6 : 1} aria-busy={query.isPlaceholderData}>
            {usage.zone !== choice.zone && !query.isPlaceholderData && <Banner tone="info">{texts.inUtc}</Banner>}
            <OutcomeCard usage={usage} range={rangeOf(choice)} callsOf={callsOf} />
            <Band usage={usage} callsOf={callsOf} last30={chosen.last30} />
            <PartsCard of="customers" parts={named(usage)} total={usage.totalApiCalls} onChoose={open} />
            {usage.arrived && (
              <ArrivedCards arrived={usage.arrived} choice={choice} zone={usage.zone} range={rangeOf(choice)} callsOf={callsOf} />
            )}
          </Flex>
        )}
      </QueryView>
    </>
  );
};
