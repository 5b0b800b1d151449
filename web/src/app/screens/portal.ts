import { type AreaScreen, lazyScreen } from '../../lib/lazyScreen.tsx';
import { movedTo } from './moved.tsx';

export const portalLayout = lazyScreen(async () => {
  const { PortalLayout } = await import('../../layouts/PortalLayout.tsx');
  return { Screen: PortalLayout };
});

/** Below /portal. The area's index shows the first. */
export const portalScreens: readonly AreaScreen[] = [
  {
    path: 'dashboard',
    screen: lazyScreen(async () => {
      const screen = await import('../../features/portalDashboard/components/PortalDashboardScreen.tsx');
      return { Screen: screen.PortalDashboardScreen, prefetch: screen.prefetchPortalDashboard };
    }),
  },
  {
    path: 'credentials',
    screen: lazyScreen(async () => {
      const screen = await import('../../features/credentials/components/CredentialsScreen.tsx');
      return { Screen: screen.CredentialsScreen, prefetch: screen.prefetchCredentials };
    }),
  },
  {
    path: 'usage/calls',
    screen: lazyScreen(async () => {
      const { PortalCallsScreen, prefetchPortalCalls } = await import('../../features/calls/components/CallsScreen.tsx');
      return { Screen: PortalCallsScreen, prefetch: prefetchPortalCalls };
    }),
  },
  {
    path: 'my-usage/calls',
    screen: lazyScreen(async () => {
      const { OwnCallsScreen, prefetchOwnCalls } = await import('../../features/calls/components/CallsScreen.tsx');
      return { Screen: OwnCallsScreen, prefetch: prefetchOwnCalls };
    }),
  },
  {
    path: 'usage',
    screen: lazyScreen(async () => {
      const { UsageScreen, prefetchUsage } = await import('../../features/usage/components/UsageScreen.tsx');
      return { Screen: UsageScreen, prefetch: prefetchUsage };
    }),
  },
  {
    path: 'my-usage',
    screen: lazyScreen(async () => {
      const { MyUsageScreen, prefetchMyUsage } = await import('../../features/usage/components/UsageScreen.tsx');
      return { Screen: MyUsageScreen, prefetch: prefetchMyUsage };
    }),
  },
  {
    path: 'my-machines',
    screen: lazyScreen(async () => {
      const screen = await import('../../features/users/components/MyMachinesScreen.tsx');
      return { Screen: screen.MyMachinesScreen, prefetch: screen.prefetchMyMachines };
    }),
  },
  {
    path: 'team/sign-ins',
    screen: lazyScreen(async () => {
      const { PortalSignInsScreen, prefetchPortalSignIns } = await import('../../features/signIns/components/SignInsScreen.tsx');
      return { Screen: PortalSignInsScreen, prefetch: prefetchPortalSignIns };
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
      const { CustomerApiTokensScreen } = await import('../../features/apiTokens/components/ApiTokensScreens.tsx');
      return { Screen: CustomerApiTokensScreen };
    }),
  },
  {
    path: 'team/activity',
    screen: lazyScreen(async () => {
      const { CustomerActivityScreen } = await import('../../features/team/components/ActivityScreens.tsx');
      return { Screen: CustomerActivityScreen };
    }),
  },
  {
    path: 'device',
    screen: lazyScreen(async () => {
      const { DeviceScreen } = await import('../../features/users/components/DeviceScreen.tsx');
      return { Screen: DeviceScreen };
    }),
  },
  {
    path: 'account',
    screen: lazyScreen(async () => {
      const { CustomerAccountScreen, prefetchCustomerAccount } = await import(
        '../../features/account/components/AccountScreens.tsx'
      );
      return { Screen: CustomerAccountScreen, prefetch: prefetchCustomerAccount };
    }),
  },
  {
    path: 'team',
    screen: lazyScreen(async () => {
      const { CustomerTeamScreen, prefetchCustomerTeam } = await import('../../features/team/components/TeamScreens.tsx');
      return { Screen: CustomerTeamScreen, prefetch: prefetchCustomerTeam };
    }),
  },
  {
    path: 'users/seats',
    screen: lazyScreen(async () => {
      const { PortalSeatsScreen, prefetchPortalSeats } = await import('../../features/users/components/SeatsScreen.tsx');
      return { Screen: PortalSeatsScreen, prefetch: prefetchPortalSeats };
    }),
  },
  {
    path: 'users',
    screen: lazyScreen(async () => {
      const { PortalUsersScreen, prefetchPortalUsers } = await import('../../features/users/components/UsersScreens.tsx');
      return { Screen: PortalUsersScreen, prefetch: prefetchPortalUsers };
    }),
  },
  { path: 'profile/sign-ins', screen: movedTo('/portal/team/sign-ins') },
  {
    path: 'profile',
    screen: lazyScreen(async () => {
      const { ProfileScreen, prefetchProfile } = await import('../../features/profile/components/ProfileScreen.tsx');
      return { Screen: ProfileScreen, prefetch: prefetchProfile };
    }),
  },
];
