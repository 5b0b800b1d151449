/**
 * The pages that are served: the modules that the first screen of each needs, and the calls that it makes whoever looks, both
 * asked for while the page is still being read. `login.html` is every sign-in.
 * @type {Readonly<Record<string, { modules: readonly string[], calls: readonly string[] }>>}
 */
export const pages = {
  'index.html': { modules: ['src/features/landing/components/LandingScreen.tsx'], calls: ['/api/branding'] },
  'login.html': { modules: ['src/features/auth/components/SignInScreens.tsx'], calls: ['/api/branding'] },
  'admin.html': {
    modules: ['src/layouts/AdminLayout.tsx', 'src/features/dashboard/components/DashboardScreen.tsx'],
    calls: ['/api/branding', '/api/auth/admin/session'],
  },
  // Calls of these carry a token, which no page can name ahead.
  'portal.html': {
    modules: ['src/layouts/PortalLayout.tsx', 'src/features/portalDashboard/components/PortalDashboardScreen.tsx'],
    calls: [],
  },
  'integrator.html': {
    modules: ['src/layouts/IntegratorLayout.tsx', 'src/features/integratorDashboard/components/IntegratorDashboardScreen.tsx'],
    calls: [],
  },
};
