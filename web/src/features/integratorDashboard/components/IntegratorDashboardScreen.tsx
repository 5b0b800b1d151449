import { Box, Flex, SimpleGrid } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { Allowed } from '../../../session/permissions.tsx';
import { prefetchAsIntegrator, useIntegratorSession } from '../../../session/session.ts';
import { ActionLink } from '../../../ui/ActionLink.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { Globe, Palette, Users } from '../../../ui/icons.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { DeletionNotice } from '../../customers/index.ts';
import { customThemesQuery } from '../../customThemes/index.ts';
import { ownStatsQuery, recentOwnCustomersQuery } from '../api/integratorDashboard.ts';
import { integratorDashboardTexts as texts } from '../texts.ts';
import { AccountCard } from './AccountCard.tsx';
import { OwnStats } from './OwnStats.tsx';
import { RecentCustomers } from './RecentCustomers.tsx';

const { actions, quickActions } = texts;
/** Only the totals of these pages are shown. */
const COUNTED = { limit: 1 } as const;
const COUNTED_ACTIVE = { active: true, limit: 1 } as const;

/** Requests the figures and the recent customers before the screen is rendered. */
export const prefetchIntegratorDashboard = (queries: QueryClient): void => {
  void queries.prefetchQuery(ownStatsQuery());
  void queries.prefetchQuery(recentOwnCustomersQuery());
  prefetchAsIntegrator(queries, ({ id }) => {
    void queries.prefetchQuery(customThemesQuery(id, COUNTED));
    void queries.prefetchQuery(customThemesQuery(id, COUNTED_ACTIVE));
  });
};

const QuickActions = () => (
  <Card>
    <CardHead title={quickActions.title} sub={quickActions.sub} />
    <Flex direction="column" px="2" pb="3" gap="0.5">
      <ActionLink to="/service-integrator/customers" icon={Users} texts={actions.customers} />
      <ActionLink to="/service-integrator/themes" icon={Palette} texts={actions.themes} />
      <Allowed to="settings:write">
        <ActionLink to="/service-integrator/white-label" icon={Globe} texts={actions.whiteLabel} />
      </Allowed>
    </Flex>
  </Card>
);

const StatsSection = () => {
  const { id } = useIntegratorSession();
  const themes = useQuery(customThemesQuery(id, COUNTED)).data?.total;
  const activeThemes = useQuery(customThemesQuery(id, COUNTED_ACTIVE)).data?.total;
  return (
    <QueryView query={useQuery(ownStatsQuery())} loading={texts.loading} fallback={texts.loadFailed} height="142px">
      {({ stats }) => (
        <>
          <OwnStats stats={stats} themes={themes} activeThemes={activeThemes} />
          <DeletionNotice count={stats.deletionRequests} list="/service-integrator/customers" />
        </>
      )}
    </QueryView>
  );
};

/** An integrator's customers, account and shortcuts at a glance. */
export const IntegratorDashboardScreen = () => {
  const integrator = useIntegratorSession();
  return (
    <>
      <PageHead title={texts.title} sub={texts.sub(integrator.companyName)} />
      <StatsSection />
      <SimpleGrid columns={{ base: 1, xl: 2 }} gap="4" my="4" alignItems="stretch">
        <AccountCard integrator={integrator} />
        <QuickActions />
      </SimpleGrid>
      <Box>
        <RecentCustomers />
      </Box>
    </>
  );
};
