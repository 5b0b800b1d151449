import { Box, Flex, SimpleGrid } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { ActionLink } from '../../../ui/ActionLink.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { Globe, Palette, Users } from '../../../ui/icons.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { prefetchAsIntegrator } from '../../auth/api/ownAccount.ts';
import { useIntegratorSession } from '../../auth/api/session.ts';
import { customThemesQuery } from '../../customThemes/api/customThemes.ts';
import { ownStatsQuery, recentOwnCustomersQuery } from '../api/integratorDashboard.ts';
import { integratorDashboardTexts as texts } from '../texts.ts';
import { AccountCard } from './AccountCard.tsx';
import { OwnStats } from './OwnStats.tsx';
import { RecentCustomers } from './RecentCustomers.tsx';

const { actions, quickActions } = texts;

export const prefetchIntegratorDashboard = (queries: QueryClient): void => {
  void queries.prefetchQuery(ownStatsQuery());
  void queries.prefetchQuery(recentOwnCustomersQuery());
  prefetchAsIntegrator(queries, ({ id }) => void queries.prefetchQuery(customThemesQuery(id)));
};

const QuickActions = () => (
  <Card>
    <CardHead title={quickActions.title} sub={quickActions.sub} />
    <Flex direction="column" px="2" pb="3" gap="0.5">
      <ActionLink to="/service-integrator/customers" icon={Users} texts={actions.customers} />
      <ActionLink to="/service-integrator/themes" icon={Palette} texts={actions.themes} />
      <ActionLink to="/service-integrator/white-label" icon={Globe} texts={actions.whiteLabel} />
    </Flex>
  </Card>
);

const StatsSection = () => {
  const { id } = useIntegratorSession();
  const themes = useQuery(customThemesQuery(id));
  return (
    <QueryView query={useQuery(ownStatsQuery())} loading={texts.loading} fallback={texts.loadFailed} height="142px">
      {({ stats }) => <OwnStats stats={stats} themes={themes.data?.themes} />}
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
