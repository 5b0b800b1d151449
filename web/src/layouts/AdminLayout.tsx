import { Guard } from '../session/Guard.tsx';
import { useAdminSession } from '../session/session.ts';
import { Activity, Building2, KeyRound, LayoutDashboard, Palette, UserRound, Users } from '../ui/icons.ts';
import type { NavItem } from './Navigation.tsx';
import { SidebarLayout } from './SidebarLayout.tsx';
import { Who } from './TopBar.tsx';
import { layoutTexts } from './texts.ts';

const items: readonly NavItem[] = [
  { to: '/admin/dashboard', label: 'Dashboard', icon: LayoutDashboard },
  { to: '/admin/customers', label: 'Customers', icon: Users },
  { to: '/admin/service-integrators', label: 'Service Integrators', icon: Building2 },
  { to: '/admin/users', label: 'Users', icon: UserRound },
  { to: '/admin/themes', label: 'Themes', icon: Palette },
  { to: '/admin/monitoring', label: 'Monitoring', icon: Activity },
];

/** Reached from Monitoring. */
const more: readonly NavItem[] = [{ to: '/admin/monitoring/sign-ins', label: 'Sign-ins', icon: KeyRound }];

const Administrator = () => <Who name={useAdminSession().email ?? layoutTexts.admin.nobody} />;

/** The frame of the administrator's screens, for a session only. */
export const AdminLayout = () => (
  <Guard area="admin">
    <SidebarLayout
      area="admin"
      name={layoutTexts.admin.area}
      sub={layoutTexts.admin.sub}
      items={items}
      more={more}
      who={<Administrator />}
    />
  </Guard>
);
