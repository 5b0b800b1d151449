/**
 * The pages that are served, and the modules that the first screen of each needs. `login.html` is every sign-in.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const pages = {
  'index.html': ['src/features/landing/components/LandingScreen.tsx'],
  'login.html': ['src/features/auth/components/SignInScreens.tsx'],
  'admin.html': ['src/layouts/AdminLayout.tsx', 'src/features/dashboard/components/DashboardScreen.tsx'],
  'portal.html': ['src/layouts/PortalLayout.tsx', 'src/features/portalDashboard/components/PortalDashboardScreen.tsx'],
  'integrator.html': [
    'src/layouts/IntegratorLayout.tsx',
    'src/features/integratorDashboard/components/IntegratorDashboardScreen.tsx',
  ],
};
