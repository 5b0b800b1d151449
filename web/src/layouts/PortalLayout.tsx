import { Guard } from '../session/Guard.tsx';
import { useCustomerSession } from '../session/session.ts';
import { Badge } from '../ui/badges.tsx';
import { Activity, Gauge, KeyRound, LayoutDashboard, Server, UserRound, UserRoundCog, Users } from '../ui/icons.ts';
import type { NavItem } from './Navigation.tsx';
import { SidebarLayout } from './SidebarLayout.tsx';
import { Who } from './TopBar.tsx';
import { layoutTexts } from './texts.ts';

const items: readonly NavItem[] = [
  { to: '/portal/dashboard', label: 'Dashboard', icon: LayoutDashboard },
  { to: '/portal/credentials', label: 'Credentials', icon: KeyRound, needs: 'credentials:read' },
  { to: '/portal/usage', label: 'Usage', icon: Activity, needs: 'usage:read' },
  { to: '/portal/my-usage', label: 'My usage', icon: Gauge, needs: 'ownUsage:read' },
  { to: '/portal/my-machines', label: 'My machines', icon: Server, needs: 'ownMachines:read' },
  { to: '/portal/users', label: 'Users', icon: Users, needs: 'users:read' },
  { to: '/portal/team', label: 'Users and sign-in', icon: UserRoundCog, needs: 'members:read' },
  { to: '/portal/profile', label: 'Profile', icon: UserRound, needs: 'settings:write' },
];

const CustomerAndTheme = () => {
  const { name, theme, themeDisplayName } = useCustomerSession();
  return <Who name={name}>{theme && <Badge tone="brand">{themeDisplayName ?? theme}</Badge>}</Who>;
};

/** The frame of a customer's screens, for a session only. */
export const PortalLayout = () => (
  <Guard area="portal">
    <SidebarLayout
      area="portal"
      name={layoutTexts.portal.area}
      sub={layoutTexts.portal.sub}
      items={items}
      who={<CustomerAndTheme />}
    />
  </Guard>
);
