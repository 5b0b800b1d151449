import { Box, Button, Flex, SimpleGrid } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { Usage } from '../../../../../src/contracts/usage.ts';
import { DEFAULT_USAGE_RANGE } from '../../../../../src/domain/limits.ts';
import { format } from '../../../lib/format.ts';
import { Allowed, usePermission } from '../../../session/permissions.tsx';
import { prefetchAsCustomer, useCustomerSession } from '../../../session/session.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { ChartKey } from '../../../ui/charts/chartParts.tsx';
import { DailyChart } from '../../../ui/charts/lazyCharts.tsx';
import { Activity, Cable, CircleCheck, Zap } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { useNow } from '../../../ui/media.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { SeatPanel } from '../../../ui/SeatPanel.tsx';
import { StatCard } from '../../../ui/StatCard.tsx';
import { developersIn } from '../../../ui/seats.ts';
import { Banner } from '../../../ui/states.tsx';
import { firstCredentialsQuery } from '../../credentials/index.ts';
import { FirstSteps, ownUsageQuery, usageTexts } from '../../usage/index.ts';
import { portalDashboardTexts as texts } from '../texts.ts';
import { ConnectionsCard } from './ConnectionsCard.tsx';
import { LicenseCard } from './LicenseCard.tsx';

const { stats } = texts;
const CHART_HEIGHT = 280;
const AGO_EVERY_MS = 10_000;
const CALLS = '/portal/usage/calls';

/** The address of the seats, where the session may see them. */
const useSeats = (): string | undefined => (usePermission('users:read') ? '/portal/users/seats' : undefined);

/** Requests the customer's usage and first credentials before the screen is rendered. */
export const prefetchPortalDashboard = (queries: QueryClient): void => {
  prefetchAsCustomer(queries, ({ id }) => {
    void queries.prefetchQuery(ownUsageQuery(id, DEFAULT_USAGE_RANGE));
    void queries.prefetchQuery(firstCredentialsQuery(id));
  });
  DailyChart.preload();
};

const Figures = ({ customer, usage }: { customer: Customer; usage: Usage | undefined }) => {
  const now = useNow(AGO_EVERY_MS);
  const hasCalls = usage !== undefined && usage.totalApiCalls > 0;
  const calls = usePermission('calls:read') ? CALLS : undefined;
  const seats = useSeats();
  return (
    <SimpleGrid columns={{ base: 2, xl: 4 }} gap={{ base: '3', md: '4' }}>
      <StatCard
        label={stats.totalApiCalls}
        icon={Activity}
        value={format.whole(customer.totalApiCalls)}
        hint={texts.allTime}
        to={calls}
      />
      <StatCard
        label={stats.last30Days}
        icon={Zap}
        value={usage ? format.whole(usage.apiCallsLast30Days ?? 0) : '–'}
        hint={texts.lastCall(format.ago(customer.lastApiCall, now))}
        to="/portal/usage"
        trend={usage?.daily.map(({ calls }) => calls) ?? []}
      />
      <StatCard
        label={stats.successRate}
        icon={CircleCheck}
        value={hasCalls ? format.percent(1 - usage.errorRate, 2) : texts.noValue}
        hint={texts.successHint}
        to="/portal/usage"
        trend={usage?.daily.map(({ calls, errors }) => (calls > 0 ? 1 - errors / calls : 1)) ?? []}
        color="chart-5"
      />
      <StatCard
        label={stats.activeConnections}
        icon={Cable}
        value={format.whole(customer.activeConnections)}
        hint={texts.connectionsHint}
        to={seats}
      />
    </SimpleGrid>
  );
};

const UsageCard = ({ query }: { query: ReturnType<typeof useOwnUsage> }) => {
  const calls = usePermission('calls:read') ? CALLS : null;
  return (
    <Card display="flex" flexDirection="column">
      <CardHead
        title={texts.usage}
        sub={texts.usageSub(format.zone)}
        right={
          <Flex gap="4" align="center">
            <ChartKey color="chart-1" label={usageTexts.successful} />
            <ChartKey color="chart-6" label={usageTexts.failed} />
            <Button asChild size="sm" variant="outline">
              <Link to="/portal/usage">{texts.details}</Link>
            </Button>
          </Flex>
        }
      />
      <Box flex="1" pb="4">
        <QueryView query={query} loading={usageTexts.loading} fallback={usageTexts.loadFailed} height={`${CHART_HEIGHT}px`}>
          {({ usage }) => (
            <DailyChart
              label={usageTexts.chart(usageTexts.lastDays(DEFAULT_USAGE_RANGE))}
              daily={usage.daily}
              calls={calls}
              height={CHART_HEIGHT}
            />
          )}
        </QueryView>
      </Box>
    </Card>
  );
};

const useOwnUsage = () =>
  useQuery({ ...ownUsageQuery(useCustomerSession().id, DEFAULT_USAGE_RANGE), enabled: usePermission('usage:read') });

/** A customer's license, usage and seats. The live feed keeps the session, and so the license, up to date. */
export const PortalDashboardScreen = () => {
  const customer = useCustomerSession();
  const usage = useOwnUsage();
  const mayRecord = usePermission('calls:record');
  const seats = useSeats();
  return (
    <>
      <PageHead title={texts.title} sub={texts.sub(customer.name)} />
      {customer.deletionRequestedAt && (
        <Box mb="4">
          <Banner tone="warning">
            {texts.deletion(format.date(customer.deletionRequestedAt))}{' '}
            <Link className="text-link" to="/portal/profile">
              {texts.deletionLink}
            </Link>
          </Banner>
        </Box>
      )}
      <Allowed to="usage:read">
        <Box mb="4">
          <Figures customer={customer} usage={usage.data?.usage} />
        </Box>
      </Allowed>
      <SimpleGrid columns={{ base: 1, xl: 3 }} gap="4">
        <Allowed to="usage:read">
          <Box gridColumn={{ xl: 'span 2' }} minW="0" display="grid">
            {customer.totalApiCalls === 0 && mayRecord ? <FirstSteps /> : <UsageCard query={usage} />}
          </Box>
        </Allowed>
        <LicenseCard customer={customer} />
      </SimpleGrid>
      <Allowed to="usage:read">
        <SimpleGrid columns={{ base: 1, md: 2 }} gap="4" my="4">
          <SeatPanel
            title={texts.developerSeats}
            active={developersIn(customer)}
            allocated={customer.developerSeats}
            to={seats}
            isFloating={customer.floatingDeveloperMinutes !== undefined}
          />
          <SeatPanel
            title={texts.stakeholderSeats}
            active={customer.activeStakeholderSeats}
            allocated={customer.stakeholderSeats}
            to={seats}
          />
        </SimpleGrid>
      </Allowed>
      <Allowed to="credentials:read">
        <ConnectionsCard owner={customer.id} />
      </Allowed>
    </>
  );
};
