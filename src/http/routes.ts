import type { App, HttpDeps, Settle } from './deps.ts';
import type { Logos } from './logos.ts';
import type { Quotas } from './requests/limits.ts';
import type { Counters } from './requests/metrics.ts';
import type { Origins } from './requests/origins.ts';
import { adminCustomerRoutes } from './routes/adminCustomers.ts';
import { adminIntegratorRoutes } from './routes/adminIntegrators.ts';
import { adminSessionRoutes } from './routes/adminSessions.ts';
import { apiCallRoutes } from './routes/apiCalls.ts';
import { brandingRoutes } from './routes/branding.ts';
import { cliRoutes } from './routes/cli.ts';
import { credentialRoutes } from './routes/credentials.ts';
import { customerAccountRoutes } from './routes/customerAccount.ts';
import { customerSessionRoutes } from './routes/customerSessions.ts';
import { customerRoutes } from './routes/customers.ts';
import { customThemeRoutes } from './routes/customThemes.ts';
import { historyRoutes } from './routes/history.ts';
import { customerImpactRoutes, integratorImpactRoutes } from './routes/impact.ts';
import { integratorAccountRoutes } from './routes/integratorAccount.ts';
import { integratorCustomerRoutes } from './routes/integratorCustomers.ts';
import { integratorSessionRoutes } from './routes/integratorSessions.ts';
import { logoRoutes } from './routes/logos.ts';
import { machineApprovalRoutes, machineRoutes, toolMachineRoutes } from './routes/machines.ts';
import { memberAccountRoutes } from './routes/memberAccount.ts';
import { memberSessionRoutes } from './routes/memberSessions.ts';
import { signInRoutes } from './routes/signIns.ts';
import { teamRoutes } from './routes/team.ts';
import { themeRoutes } from './routes/themes.ts';
import { userListRoutes, userRoutes } from './routes/users.ts';

/** Every call of the API. */
export const apiRoutes = (
  app: App,
  deps: HttpDeps & { settle: Settle; origins: Origins; counters: Counters; quotas: Quotas; logos: Logos },
): void => {
  adminSessionRoutes(app, deps);
  customerSessionRoutes(app, deps);
  integratorSessionRoutes(app, deps);
  memberSessionRoutes(app, deps);
  memberAccountRoutes(app, deps);
  teamRoutes(app, deps);
  adminIntegratorRoutes(app, deps);
  adminCustomerRoutes(app, deps);
  integratorCustomerRoutes(app, deps);
  customerRoutes(app, deps, { prefix: '/api/admin', audience: 'admin' });
  customerRoutes(app, deps, { prefix: '/api/service-integrator', audience: 'integrator' });
  customerImpactRoutes(app, deps, { prefix: '/api/admin', audience: 'admin' });
  customerImpactRoutes(app, deps, { prefix: '/api/service-integrator', audience: 'integrator' });
  integratorImpactRoutes(app, deps);
  historyRoutes(app);
  signInRoutes(app);
  integratorAccountRoutes(app, deps);
  customerAccountRoutes(app, deps);
  userListRoutes(app);
  userRoutes(app, deps, { prefix: '/api', audience: ['customer', 'integrator'] });
  userRoutes(app, deps, { prefix: '/api/admin', audience: ['admin'] });
  machineRoutes(app, deps, { prefix: '/api', audience: ['customer', 'integrator'] });
  machineRoutes(app, deps, { prefix: '/api/admin', audience: ['admin'] });
  machineApprovalRoutes(app, deps);
  toolMachineRoutes(app, deps);
  themeRoutes(app, deps);
  customThemeRoutes(app, deps);
  credentialRoutes(app, deps);
  cliRoutes(app, deps);
  apiCallRoutes(app, deps);
  brandingRoutes(app, deps);
  logoRoutes(app, deps);
};
