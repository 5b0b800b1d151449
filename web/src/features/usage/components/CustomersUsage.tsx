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
import { type NamedPart, PartsCard } from './PartsCard.tsx';
import { RangeControls } from './RangeControls.tsx';
import { Figure } from './UsageBand.tsx';
import { OutcomeCard } from './UsageCharts.tsx';
import { rangeOf } from './UsageView.tsx';
import { useUsageChoice } from './usageAddress.ts';
import { callsAt } from './usageCalls.ts';

const { stats } = texts;
/** The list of the calls of all customers. */
const OF_ALL = callsAt('/service-integrator/calls');

const Band = ({ usage }: { usage: Usage }) => {
  const { totalApiCalls: calls, previous } = usage;
  const ofCalls = (value: string): string => (calls > 0 ? value : usageTexts.none);
  const before = previous && {
    calls: format.whole(previous.totalApiCalls),
    errors: format.whole(previous.totalErrors),
    average: previous.totalApiCalls > 0 ? format.duration(previous.avgResponseTime) : usageTexts.none,
  };
  const peak = usage.peakUsageDay;
  return (
    <Card as="section" aria-label={texts.figures}>
      <SimpleGrid columns={{ base: 2, md: 3, '2xl': 6 }}>
        <Figure label={stats.totalApiCalls} value={format.whole(calls)} before={before?.calls ?? null} />
        <Figure label={texts.activeCustomers} value={format.whole(usage.activeCustomers)} />
        <Figure
          label={stats.avgResponseTime}
          value={ofCalls(format.duration(usage.avgResponseTime))}
          before={before?.average ?? null}
        />
        <Figure
          label={stats.peakUsageDay}
          value={peak ? format.day(peak) : usageTexts.none}
          detail={peak ? usageTexts.calls(format.whole(usage.peakUsageCalls)) : null}
        />
        <Figure label={stats.errorRate} value={format.percent(usage.errorRate, 2)} />
        <Figure label={stats.totalErrors} value={format.whole(usage.totalErrors)} before={before?.errors ?? null} />
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
          <Flex gap="3" wrap="wrap">
            <StatementButton path="/api/service-integrator/statement" />
            <ExportMenu lists={[{ path: customersUsagePath, query: queryOf({ ...choice, filter: {} }) }]} />
          </Flex>
        }
      />
      <RangeControls {...chosen} shown={shown && { from: shown.from, to: shown.to }} />
      <QueryView query={query} loading={usageTexts.loading} fallback={usageTexts.loadFailed} height="60vh">
        {({ usage }) => (
          <Flex direction="column" gap="4" opacity={query.isPlaceholderData ? 0.6 : 1} aria-busy={query.isPlaceholderData}>
            {usage.zone !== choice.zone && !query.isPlaceholderData && <Banner tone="info">{texts.inUtc}</Banner>}
            <OutcomeCard usage={usage} range={rangeOf(choice)} callsOf={callsOf} />
            <Band usage={usage} />
            <PartsCard of="customers" parts={named(usage)} total={usage.totalApiCalls} onChoose={open} />
          </Flex>
        )}
      </QueryView>
    </>
  );
};
