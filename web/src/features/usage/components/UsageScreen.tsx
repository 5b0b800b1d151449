import { Box, Button, Flex } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { Usage, UsageRange } from '../../../../../src/contracts/usage.ts';
import { DEFAULT_USAGE_RANGE, USAGE_RANGES } from '../../../../../src/domain/limits.ts';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { useListAddress } from '../../../lib/listAddress.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { prefetchAsCustomer, useCustomerSession } from '../../../session/session.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { DailyChart, LatencyChart } from '../../../ui/charts/lazyCharts.tsx';
import { FilterButtons } from '../../../ui/FilterBar.tsx';
import { Activity, Cable } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { callTexts } from '../../calls/index.ts';
import { type OwnCalls, ownUsageQuery } from '../api/usage.ts';
import { usageScreenTexts } from '../screenTexts.ts';
import { usageTexts } from '../texts.ts';
import { InstancesTable } from './InstancesTable.tsx';
import { UsageCharts } from './UsageCharts.tsx';
import { UsageStats } from './UsageStats.tsx';

const rangeIn = (address: URLSearchParams): UsageRange => {
  const asked = Number(address.get('days'));
  return USAGE_RANGES.find((range) => range === asked) ?? DEFAULT_USAGE_RANGE;
};

const preloadCharts = (): void => {
  DailyChart.preload();
  LatencyChart.preload();
};

/** Requests the usage in the range of the address before the screen is rendered. */
export const prefetchUsage = (queries: QueryClient, { search }: ScreenAddress): void => {
  prefetchAsCustomer(queries, ({ id }) => void queries.prefetchQuery(ownUsageQuery(id, rangeIn(search))));
  preloadCharts();
};

/** The same of the named user of the session. */
export const prefetchMyUsage = (queries: QueryClient, { search }: ScreenAddress): void => {
  prefetchAsCustomer(queries, ({ id }) => void queries.prefetchQuery(ownUsageQuery(id, rangeIn(search), 'user')));
  preloadCharts();
};

const Instances = ({ usage, days }: { usage: Usage; days: UsageRange }) => (
  <Card>
    <CardHead title={usageTexts.instances} sub={usageScreenTexts.instancesSub(days)} />
    {usage.instanceUsage.length > 0 ? (
      <InstancesTable rows={usage.instanceUsage} />
    ) : (
      <Box borderTopWidth="1px" borderColor="border">
        <Empty icon={Cable} title={usageTexts.noInstances} hint={usageTexts.noInstancesHint} height="220px" />
      </Box>
    )}
  </Card>
);

type UsageViewProps = { of: OwnCalls; title: string; sub: string };

const CALLS = {
  customer: { path: '/portal/usage/calls', needs: 'calls:read' },
  user: { path: '/portal/my-usage/calls', needs: 'ownUsage:read' },
} as const;

/** API calls over 7, 30 or 90 days. */
const UsageView = ({ of, title, sub }: UsageViewProps) => {
  const { id } = useCustomerSession();
  const { address, change } = useListAddress();
  const days = rangeIn(address);
  const query = useQuery(ownUsageQuery(id, days, of));
  const callsPath = usePermission(CALLS[of].needs) ? CALLS[of].path : null;
  return (
    <>
      <PageHead
        title={title}
        sub={sub}
        actions={
          <>
            {callsPath !== null && (
              <Button asChild variant="outline">
                <Link to={callsPath}>
                  <Activity aria-hidden />
                  {callTexts.open}
                </Link>
              </Button>
            )}
            <FilterButtons
              label={usageScreenTexts.range}
              value={String(days)}
              onChange={(value) => change({ days: value === String(DEFAULT_USAGE_RANGE) ? '' : value })}
              options={USAGE_RANGES.map((range) => ({ value: String(range), label: usageScreenTexts.days(range) }))}
            />
          </>
        }
      />
      <QueryView query={query} loading={usageTexts.loading} fallback={usageTexts.loadFailed} height="60vh">
        {({ usage }) => (
          <Flex
            direction="column"
            gap="4"
            opacity={query.isPlaceholderData ? 0.6 : 1}
            transition="opacity .15s"
            aria-busy={query.isPlaceholderData}
          >
            <UsageStats usage={usage} days={days} />
            <UsageCharts usage={usage} days={days} callsPath={callsPath} />
            <Instances usage={usage} days={days} />
          </Flex>
        )}
      </QueryView>
    </>
  );
};

/** A customer's API calls. */
export const UsageScreen = () => <UsageView of="customer" title={usageScreenTexts.title} sub={usageScreenTexts.sub} />;

/** The API calls of the named user of the session. */
export const MyUsageScreen = () => <UsageView of="user" title={usageScreenTexts.myTitle} sub={usageScreenTexts.mySub} />;
