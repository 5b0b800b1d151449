import { type AreaScreen, lazyScreen } from '../../lib/lazyScreen.tsx';

export const integratorLayout = lazyScreen(async () => {
  const { IntegratorLayout } = await import('../../layouts/IntegratorLayout.tsx');
  return { Screen: IntegratorLayout };
});

/** Below /service-integrator. The area's index shows the first. */
export const integratorScreens: readonly AreaScreen[] = [
  {
    path: 'dashboard',
    screen: lazyScreen(async () => {
      const screen = await import('../../features/integratorDashboard/components/IntegratorDashboardScreen.tsx');
      return { Screen: screen.IntegratorDashboardScreen, prefetch: screen.prefetchIntegratorDashboard };
    }),
  },
  {
    path: 'customers',
    screen: lazyScreen(async () => {
      const screen = await import('../../features/integratorCustomers/components/OwnCustomersScreen.tsx');
      return { Screen: screen.OwnCustomersScreen, prefetch: screen.prefetchOwnCustomers };
    }),
  },
  {
    path: 'customers/:customerId',
    screen: lazyScreen(async () => {
      const screen = await import('../../features/integratorCustomers/components/OwnCustomerScreen.tsx');
      return { Screen: screen.OwnCustomerScreen, prefetch: screen.prefetchOwnCustomer };
    }),
  },
  {
    path: 'customers/:customerId/seats',
    screen: lazyScreen(async () => {
      const { IntegratorSeatsScreen, prefetchIntegratorSeats } = await import('../../features/users/components/SeatsScreen.tsx');
      return { Screen: IntegratorSeatsScreen, prefetch: prefetchIntegratorSeats };
    }),
  },
  {
    path: 'usage',
    screen: lazyScreen(async () => {
      const screen = await import('../../features/usage/components/CustomerUsageScreen.tsx');
      return { Screen: screen.IntegratorUsageScreen, prefetch: screen.prefetchIntegratorUsage };
    }),
  },
  {
    path: 'calls',
    screen: lazyScreen(async () => {
      const { IntegratorCallsScreen, prefetchIntegratorCalls } = await import('../../features/calls/components/CallsScreen.tsx');
      return { Screen: IntegratorCallsScreen, prefetch: prefetchIntegratorCalls };
    }),
  },
  {
    path: 'users',
    screen: lazyScreen(async () => {
      const { IntegratorUsersScreen, prefetchIntegratorUsers } = await import('../../features/users/components/UsersScreens.tsx');
      return { Screen: IntegratorUsersScreen, prefetch: prefetchIntegratorUsers };
    }),
  },
  {
    path: 'themes',
    screen: lazyScreen(async () => {
      const screen = await import('../../features/customThemes/components/CustomThemesScreen.tsx');
      return { Screen: screen.CustomThemesScreen, prefetch: screen.prefetchCustomThemes };
    }),
  },
  {
    path: 'white-label',
    screen: lazyScreen(async () => {
      const { WhiteLabelScreen, prefetchWhiteLabel } = await import('../../features/whiteLabel/components/WhiteLabelScreen.tsx');
      return { Screen: WhiteLabelScreen, prefetch: prefetchWhiteLabel };
    }),
  },
  {
    path: 'settings',
    screen: lazyScreen(async () => {
      const screen = await import('../../features/accountSettings/components/AccountSettingsScreen.tsx');
      return { Screen: screen.AccountSettingsScreen, prefetch: screen.prefetchAccountSettings };
    }),
  },
  {
    path: 'audit',
    screen: lazyScreen(async () => {
      const { IntegratorAuditScreen, prefetchIntegratorAudit } = await import('../../features/audit/components/AuditScreen.tsx');
      return { Screen: IntegratorAuditScreen, prefetch: prefetchIntegratorAudit };
    }),
  },
  {
    path: 'team/activity',
    screen: lazyScreen(async () => {
      const { IntegratorActivityScreen } = await import('../../features/team/components/ActivityScreens.tsx');
      return { Screen: IntegratorActivityScreen };
    }),
  },
  {
    path: 'team/sign-ins',
    screen: lazyScreen(async () => {
      const { IntegratorSignInsScreen, prefetchIntegratorSignIns } = await import(
        '../../features/signIns/components/SignInsScreen.tsx'
      );
      return { Screen: IntegratorSignInsScreen, prefetch: prefetchIntegratorSignIns };
    }),
  },
  {
    path: 'team/sessions',
    screen: lazyScreen(async () => {
      const { SessionsScreen } = await import('../../features/sessions/components/SessionsScreen.tsx');
      return { Screen: SessionsScreen };
    }),
  },
  {
    path: 'team/tokens',
    screen: lazyScreen(async () => {
      const { IntegratorApiTokensScreen } = await import('../../features/apiTokens/components/ApiTokensScreens.tsx');
      return { Screen: IntegratorApiTokensScreen };
    }),
  },
  {
    path: 'team',
    screen: lazyScreen(async () => {
      const { IntegratorTeamScreen, prefetchIntegratorTeam } = await import('../../features/team/components/TeamScreens.tsx');
      return { Screen: IntegratorTeamScreen, prefetch: prefetchIntegratorTeam };
    }),
  },
  {
    path: 'account',
    screen: lazyScreen(async () => {
      const { IntegratorAccountScreen, prefetchIntegratorAccount } = await import(
        '../../features/account/components/AccountScreens.tsx'
      );
      return { Screen: IntegratorAccountScreen, prefetch: prefetchIntegratorAccount };
    }),
  },
];
