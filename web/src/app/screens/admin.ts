import { type AreaScreen, lazyScreen } from '../../lib/lazyScreen.tsx';
import { movedTo } from './moved.tsx';

export const adminLayout = lazyScreen(async () => {
  const { AdminLayout } = await import('../../layouts/AdminLayout.tsx');
  return { Screen: AdminLayout };
});

/** Below /admin. The area's index shows the first. */
export const adminScreens: readonly AreaScreen[] = [
  {
    path: 'dashboard',
    screen: lazyScreen(async () => {
      const { DashboardScreen, prefetchDashboard } = await import('../../features/dashboard/components/DashboardScreen.tsx');
      return { Screen: DashboardScreen, prefetch: prefetchDashboard };
    }),
  },
  {
    path: 'customers',
    screen: lazyScreen(async () => {
      const { CustomersScreen, prefetchCustomers } = await import('../../features/customers/components/CustomersScreen.tsx');
      return { Screen: CustomersScreen, prefetch: prefetchCustomers };
    }),
  },
  {
    path: 'customers/:customerId',
    screen: lazyScreen(async () => {
      const { CustomerScreen, prefetchCustomer } = await import('../../features/customers/components/CustomerScreen.tsx');
      return { Screen: CustomerScreen, prefetch: prefetchCustomer };
    }),
  },
  {
    path: 'customers/:customerId/seats',
    screen: lazyScreen(async () => {
      const { AdminSeatsScreen, prefetchAdminSeats } = await import('../../features/users/components/SeatsScreen.tsx');
      return { Screen: AdminSeatsScreen, prefetch: prefetchAdminSeats };
    }),
  },
  {
    path: 'plans',
    screen: lazyScreen(async () => {
      const { PlansScreen, prefetchPlans } = await import('../../features/plans/components/PlansScreen.tsx');
      return { Screen: PlansScreen, prefetch: prefetchPlans };
    }),
  },
  {
    path: 'usage',
    screen: lazyScreen(async () => {
      const { AdminUsageScreen, prefetchAdminUsage } = await import('../../features/usage/components/CustomerUsageScreen.tsx');
      return { Screen: AdminUsageScreen, prefetch: prefetchAdminUsage };
    }),
  },
  {
    path: 'service-integrators',
    screen: lazyScreen(async () => {
      const { IntegratorsScreen, prefetchIntegrators } = await import(
        '../../features/integrators/components/IntegratorsScreen.tsx'
      );
      return { Screen: IntegratorsScreen, prefetch: prefetchIntegrators };
    }),
  },
  {
    path: 'service-integrators/:integratorId',
    screen: lazyScreen(async () => {
      const { IntegratorScreen, prefetchIntegrator } = await import('../../features/integrator/components/IntegratorScreen.tsx');
      return { Screen: IntegratorScreen, prefetch: prefetchIntegrator };
    }),
  },
  {
    path: 'users',
    screen: lazyScreen(async () => {
      const { AdminUsersScreen, prefetchAdminUsers } = await import('../../features/users/components/UsersScreens.tsx');
      return { Screen: AdminUsersScreen, prefetch: prefetchAdminUsers };
    }),
  },
  {
    path: 'themes',
    screen: lazyScreen(async () => {
      const { ThemesScreen, prefetchThemes } = await import('../../features/themes/components/ThemesScreen.tsx');
      return { Screen: ThemesScreen, prefetch: prefetchThemes };
    }),
  },
  { path: 'monitoring/sign-ins', screen: movedTo('/admin/team/sign-ins') },
  {
    path: 'monitoring/calls',
    screen: lazyScreen(async () => {
      const { AdminCallsScreen, prefetchAdminCalls } = await import('../../features/calls/components/CallsScreen.tsx');
      return { Screen: AdminCallsScreen, prefetch: prefetchAdminCalls };
    }),
  },
  {
    path: 'monitoring/alerts',
    screen: lazyScreen(async () => {
      const { AlertsScreen, prefetchAlerts } = await import('../../features/alerts/components/AlertsScreen.tsx');
      return { Screen: AlertsScreen, prefetch: prefetchAlerts };
    }),
  },
  {
    path: 'monitoring/wallboard',
    screen: lazyScreen(async () => {
      const { prefetchWallboard, WallboardScreen } = await import('../../features/monitoring/components/WallboardScreen.tsx');
      return { Screen: WallboardScreen, prefetch: prefetchWallboard };
    }),
  },
  {
    path: 'monitoring',
    screen: lazyScreen(async () => {
      const { MonitoringScreen, prefetchMonitoring } = await import('../../features/monitoring/components/MonitoringScreen.tsx');
      return { Screen: MonitoringScreen, prefetch: prefetchMonitoring };
    }),
  },
  {
    path: 'audit',
    screen: lazyScreen(async () => {
      const { AdminAuditScreen, prefetchAdminAudit } = await import('../../features/audit/components/AuditScreen.tsx');
      return { Screen: AdminAuditScreen, prefetch: prefetchAdminAudit };
    }),
  },
  {
    path: 'team/activity',
    screen: lazyScreen(async () => {
      const { AdminActivityScreen } = await import('../../features/team/components/ActivityScreens.tsx');
      return { Screen: AdminActivityScreen };
    }),
  },
  {
    path: 'team/sign-ins',
    screen: lazyScreen(async () => {
      const { SignInsScreen, prefetchSignIns } = await import('../../features/signIns/components/SignInsScreen.tsx');
      return { Screen: SignInsScreen, prefetch: prefetchSignIns };
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
      const { AdminApiTokensScreen } = await import('../../features/apiTokens/components/ApiTokensScreens.tsx');
      return { Screen: AdminApiTokensScreen };
    }),
  },
  {
    path: 'team',
    screen: lazyScreen(async () => {
      const { AdminTeamScreen, prefetchAdminTeam } = await import('../../features/team/components/TeamScreens.tsx');
      return { Screen: AdminTeamScreen, prefetch: prefetchAdminTeam };
    }),
  },
  {
    path: 'account',
    screen: lazyScreen(async () => {
      const { AdminAccountScreen, prefetchAdminAccount } = await import('../../features/account/components/AccountScreens.tsx');
      return { Screen: AdminAccountScreen, prefetch: prefetchAdminAccount };
    }),
  },
];
