import { Suspense } from 'react';
import { LazyFiringAlerts } from '../features/alerts/index.ts';
import { LazyNoticeList } from '../features/notices/index.ts';
import { administration } from '../features/team/index.ts';
import { useLiveState } from '../live/useLive.ts';
import { Guard } from '../session/Guard.tsx';
import { Allowed } from '../session/permissions.tsx';
import { useAdminSession } from '../session/session.ts';
import { Activity, Building2, History, KeyRound, LayoutDashboard, Palette, TriangleAlert, UserRound, Users } from '../ui/icons.ts';
import type { NavItem } from './Navigation.tsx';
import { PendingShell } from './PendingShell.tsx';
import { holderOf } from './parts.tsx';
import { SidebarLayout } from './SidebarLayout.tsx';
import { securityItem, securityScreens } from './security.ts';
import { Who } from './TopBar.tsx';
import { layoutTexts } from './texts.ts';

const items: readonly NavItem[] = [
  { to: '/admin/dashboard', label: 'Dashboard', icon: LayoutDashboard },
  { to: '/admin/customers', label: 'Customers', icon: Users, needs: 'customers:read' },
  { to: '/admin/service-integrators', label: 'Service Integrators', icon: Building2, needs: 'integrators:read' },
  { to: '/admin/users', label: 'Users', icon: UserRound, needs: 'users:read' },
  { to: '/admin/themes', label: 'Themes', icon: Palette, needs: 'themes:read' },
  { to: '/admin/monitoring', label: 'Monitoring', icon: Activity, needs: 'monitoring:read' },
  { to: '/admin/audit', label: layoutTexts.audit, icon: History, needs: 'history:read' },
  securityItem('admin'),
];

const ACCOUNT = '/admin/account';

/** Reached from Customers, Monitoring, Security and the header. */
const more: readonly NavItem[] = [
  { to: '/admin/plans', label: layoutTexts.plans, icon: KeyRound, needs: 'customers:read' },
  { to: '/admin/monitoring/calls', label: layoutTexts.calls, icon: Activity, needs: 'calls:read' },
  { to: '/admin/monitoring/wallboard', label: layoutTexts.wallboard, icon: Activity, needs: 'monitoring:read' },
  { to: '/admin/monitoring/alerts', label: layoutTexts.alerts, icon: TriangleAlert, needs: 'monitoring:read' },
  ...securityScreens('admin').slice(1),
  { to: ACCOUNT, label: layoutTexts.account, icon: UserRound },
];

const Administrator = () => {
  const session = useAdminSession();
  return <Who name={session.email ?? layoutTexts.admin.nobody} holder={holderOf(session)} to={ACCOUNT} />;
};

/**
 * Alerts are shown to each session that may read them, notices to named users: a sign-in with the key has none. Alerts are loaded with the
 * live feed, after the screen.
 */
const Notices = () => {
  const { role } = useAdminSession();
  const isLoaded = useLiveState('admin') !== 'connecting';
  return (
    <Suspense>
      {isLoaded && (
        <Allowed to="monitoring:read">
          <LazyFiringAlerts />
        </Allowed>
      )}
      {role !== null && <LazyNoticeList team={administration} />}
    </Suspense>
  );
};

/** The frame of the administrator's screens, for a session only. */
export const AdminLayout = () => (
  <Guard area="admin" pending={<PendingShell area="admin" items={items} more={more} />}>
    <SidebarLayout
      area="admin"
      name={layoutTexts.admin.area}
      sub={layoutTexts.admin.sub}
      items={items}
      more={more}
      who={<Administrator />}
      notices={<Notices />}
    />
  </Guard>
);
