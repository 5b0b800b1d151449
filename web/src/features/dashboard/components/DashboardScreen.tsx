import { Box, Button, Flex } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Allowed } from '../../../session/permissions.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { Users } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty, ErrorState, Loading } from '../../../ui/states.tsx';
import {
  CreateCustomerButton,
  customerItem,
  customerKey,
  customerPath,
  customerTexts,
  DeletionNotice,
  recentColumns,
} from '../../customers/index.ts';
import { timelineQuery } from '../../monitoring/index.ts';
import { LazyOwnerOffer } from '../../team/index.ts';
import { dashboardStatsQuery, recentCustomersQuery } from '../api/dashboard.ts';
import { dashboardTexts } from '../texts.ts';
import { DashboardStats } from './DashboardStats.tsx';
import { QuickActions } from './QuickActions.tsx';
import { TrafficCard } from './TrafficCard.tsx';

const { recent } = dashboardTexts;
const RECENT_HEIGHT = '317px';

/** Requests the figures, the recent customers and the points of the traffic chart before the screen is rendered. */
export const prefetchDashboard = (queries: QueryClient): void => {
  void queries.prefetchQuery(dashboardStatsQuery());
  void queries.prefetchQuery(recentCustomersQuery());
  void queries.prefetchQuery(timelineQuery('15m'));
};

const StatsSection = () => {
  const { data, error, isFetching, refetch } = useQuery(dashboardStatsQuery());
  if (data) {
    return (
      <>
        <DashboardStats stats={data.stats} />
        <DeletionNotice count={data.stats.deletionRequests} list="/admin/customers" />
      </>
    );
  }
  if (error) {
    return (
      <Card>
        <ErrorState error={error} fallback={dashboardTexts.loadFailed} onRetry={refetch} isRetrying={isFetching} height="134px" />
      </Card>
    );
  }
  return <Loading label={dashboardTexts.loading} height={{ base: '246px', xl: '137px' }} />;
};

const RecentCustomers = () => (
  <Card>
    <CardHead
      title={recent.title}
      sub={recent.sub}
      right={
        <Button asChild variant="outline" size="sm">
          <Link to="/admin/customers">{recent.viewAll}</Link>
        </Button>
      }
    />
    <QueryView
      query={useQuery(recentCustomersQuery())}
      loading={customerTexts.loading}
      fallback={customerTexts.loadFailed}
      height={RECENT_HEIGHT}
    >
      {({ customers }) =>
        customers.length === 0 ? (
          <Empty icon={Users} title={customerTexts.noneYet} hint={customerTexts.noneYetHint} action={<CreateCustomerButton />} />
        ) : (
          <DataTable
            label={recent.table}
            rows={customers}
            keyOf={customerKey}
            columns={recentColumns}
            item={customerItem.admin}
            open={customerPath.admin}
          />
        )
      }
    </QueryView>
  </Card>
);

/** The administrator's figures, traffic, quick actions and recent customers. */
export const DashboardScreen = () => (
  <>
    <PageHead title={dashboardTexts.title} sub={dashboardTexts.sub} actions={<CreateCustomerButton />} />
    <Suspense>
      <LazyOwnerOffer />
    </Suspense>
    <StatsSection />
    <Flex gap="4" mt="4" direction={{ base: 'column', xl: 'row' }} align="stretch">
      <Allowed to="monitoring:read">
        <TrafficCard />
      </Allowed>
      <QuickActions />
    </Flex>
    <Box mt="4">
      <RecentCustomers />
    </Box>
  </>
);
