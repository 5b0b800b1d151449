/**
 * The modules that each screen needs, by its path below the area's root, as in `src/app/screens/<area>.ts`. The first is
 * the area's index too.
 * @type {Readonly<Record<string, { root: string, layout: string, calls: readonly string[], screens: Readonly<Record<string, string>> }>>}
 */
export const areas = {
  admin: {
    root: '/admin',
    layout: 'src/layouts/AdminLayout.tsx',
    calls: ['/api/branding', '/api/auth/admin/session'],
    screens: {
      dashboard: 'src/features/dashboard/components/DashboardScreen.tsx',
      customers: 'src/features/customers/components/CustomersScreen.tsx',
      'customers/:customerId': 'src/features/customers/components/CustomerScreen.tsx',
      'customers/:customerId/seats': 'src/features/users/components/SeatsScreen.tsx',
      plans: 'src/features/plans/components/PlansScreen.tsx',
      usage: 'src/features/usage/components/CustomerUsageScreen.tsx',
      'service-integrators': 'src/features/integrators/components/IntegratorsScreen.tsx',
      'service-integrators/:integratorId': 'src/features/integrator/components/IntegratorScreen.tsx',
      users: 'src/features/users/components/UsersScreens.tsx',
      themes: 'src/features/themes/components/ThemesScreen.tsx',
      'monitoring/sign-ins': 'src/features/signIns/components/SignInsScreen.tsx',
      'monitoring/calls': 'src/features/calls/components/CallsScreen.tsx',
      'monitoring/alerts': 'src/features/alerts/components/AlertsScreen.tsx',
      'monitoring/wallboard': 'src/features/monitoring/components/WallboardScreen.tsx',
      monitoring: 'src/features/monitoring/components/MonitoringScreen.tsx',
      audit: 'src/features/audit/components/AuditScreen.tsx',
      'team/activity': 'src/features/team/components/ActivityScreens.tsx',
      'team/sign-ins': 'src/features/signIns/components/SignInsScreen.tsx',
      'team/sessions': 'src/features/sessions/components/SessionsScreen.tsx',
      'team/tokens': 'src/features/apiTokens/components/ApiTokensScreens.tsx',
      team: 'src/features/team/components/TeamScreens.tsx',
      account: 'src/features/account/components/AccountScreens.tsx',
    },
  },
  // Calls of the next two carry a token, which no page can name ahead.
  portal: {
    root: '/portal',
    layout: 'src/layouts/PortalLayout.tsx',
    calls: [],
    screens: {
      dashboard: 'src/features/portalDashboard/components/PortalDashboardScreen.tsx',
      credentials: 'src/features/credentials/components/CredentialsScreen.tsx',
      'usage/calls': 'src/features/calls/components/CallsScreen.tsx',
      'my-usage/calls': 'src/features/calls/components/CallsScreen.tsx',
      usage: 'src/features/usage/components/UsageScreen.tsx',
      'my-usage': 'src/features/usage/components/UsageScreen.tsx',
      'my-machines': 'src/features/users/components/MyMachinesScreen.tsx',
      'team/sign-ins': 'src/features/signIns/components/SignInsScreen.tsx',
      'team/sessions': 'src/features/sessions/components/SessionsScreen.tsx',
      'team/tokens': 'src/features/apiTokens/components/ApiTokensScreens.tsx',
      'team/activity': 'src/features/team/components/ActivityScreens.tsx',
      device: 'src/features/users/components/DeviceScreen.tsx',
      account: 'src/features/account/components/AccountScreens.tsx',
      team: 'src/features/team/components/TeamScreens.tsx',
      'users/seats': 'src/features/users/components/SeatsScreen.tsx',
      users: 'src/features/users/components/UsersScreens.tsx',
      'profile/sign-ins': 'src/features/signIns/components/SignInsScreen.tsx',
      profile: 'src/features/profile/components/ProfileScreen.tsx',
    },
  },
  integrator: {
    root: '/service-integrator',
    layout: 'src/layouts/IntegratorLayout.tsx',
    calls: [],
    screens: {
      dashboard: 'src/features/integratorDashboard/components/IntegratorDashboardScreen.tsx',
      customers: 'src/features/integratorCustomers/components/OwnCustomersScreen.tsx',
      'customers/:customerId': 'src/features/integratorCustomers/components/OwnCustomerScreen.tsx',
      'customers/:customerId/seats': 'src/features/users/components/SeatsScreen.tsx',
      usage: 'src/features/usage/components/CustomerUsageScreen.tsx',
      calls: 'src/features/calls/components/CallsScreen.tsx',
      users: 'src/features/users/components/UsersScreens.tsx',
      themes: 'src/features/customThemes/components/CustomThemesScreen.tsx',
      'white-label': 'src/features/whiteLabel/components/WhiteLabelScreen.tsx',
      settings: 'src/features/accountSettings/components/AccountSettingsScreen.tsx',
      audit: 'src/features/audit/components/AuditScreen.tsx',
      'team/activity': 'src/features/team/components/ActivityScreens.tsx',
      'team/sign-ins': 'src/features/signIns/components/SignInsScreen.tsx',
      'team/sessions': 'src/features/sessions/components/SessionsScreen.tsx',
      'team/tokens': 'src/features/apiTokens/components/ApiTokensScreens.tsx',
      team: 'src/features/team/components/TeamScreens.tsx',
      account: 'src/features/account/components/AccountScreens.tsx',
    },
  },
};

/** @typedef {{ file: string, paths: readonly string[], modules: readonly string[], calls: readonly string[] }} Page */

/**
 * The pages that are served: the paths of each, the modules that it needs, and the calls that it makes for any user. The browser
 * requests both while it parses the page. A path without a page gets the page of its area or the landing page.
 * @type {readonly Page[]}
 */
export const pages = [
  { file: 'index.html', paths: ['/'], modules: ['src/features/landing/components/LandingScreen.tsx'], calls: ['/api/branding'] },
  {
    file: 'login.html',
    paths: Object.values(areas).map(({ root }) => `${root}/login`),
    modules: ['src/features/auth/components/SignInScreens.tsx'],
    calls: ['/api/branding'],
  },
  { file: 'join.html', paths: ['/join'], modules: ['src/features/join/components/JoinScreen.tsx'], calls: ['/api/branding'] },
  ...Object.entries(areas).flatMap(([area, { root, layout, calls, screens }]) => [
    { file: `${area}.html`, paths: [`${root}/*`], modules: [layout], calls },
    ...Object.entries(screens).map(([path, screen], at) => ({
      file: `${area}-${path.replace(/\/:?/g, '-')}.html`,
      paths: at === 0 ? [root, `${root}/${path}`] : [`${root}/${path}`],
      modules: [layout, screen],
      calls,
    })),
  ]),
];
