import { Box } from '@chakra-ui/react';
import { Suspense, useMemo } from 'react';
import { CallQuotaNotice } from '../features/callQuotas/index.ts';
import { LazyNoticeList } from '../features/notices/index.ts';
import { teamOfCustomer } from '../features/team/index.ts';
import { LazyTermBanner } from '../features/terms/index.ts';
import { Guard } from '../session/Guard.tsx';
import { useCustomerGrants, useCustomerRole, useCustomerSession } from '../session/session.ts';
import { Badge } from '../ui/badges.tsx';
import { Activity, Gauge, KeyRound, LayoutDashboard, Server, UserRound, Users } from '../ui/icons.ts';
import type { NavItem } from './Navigation.tsx';
import { PendingShell } from './PendingShell.tsx';
import { holderOf } from './parts.tsx';
import { SidebarLayout } from './SidebarLayout.tsx';
import { securityItem, securityScreens } from './security.ts';
import { Who } from './TopBar.tsx';
import { layoutTexts } from './texts.ts';

const items: readonly NavItem[] = [
  { to: '/portal/dashboard', label: 'Dashboard', icon: LayoutDashboard },
  { to: '/portal/credentials', label: 'Credentials', icon: KeyRound, needs: 'credentials:read' },
  { to: '/portal/usage', label: 'Usage', icon: Activity, needs: 'usage:read' },
  { to: '/portal/my-usage', label: 'My usage', icon: Gauge, needs: 'ownUsage:read' },
  { to: '/portal/my-machines', label: 'My machines', icon: Server, needs: 'ownMachines:read' },
  { to: '/portal/users', label: 'Users', icon: Users, needs: 'users:read' },
  securityItem('portal'),
  { to: '/portal/profile', label: 'Profile', icon: UserRound, needs: 'settings:write' },
];

const ACCOUNT = '/portal/account';

/** Reached from Usage, from Users, from Security and from the header. */
const more: readonly NavItem[] = [
  { to: '/portal/usage/calls', label: layoutTexts.calls, icon: Activity, needs: 'calls:read' },
  { to: '/portal/users/seats', label: layoutTexts.seats, icon: Users, needs: 'users:read' },
  ...securityScreens('portal').slice(1),
  { to: ACCOUNT, label: layoutTexts.account, icon: UserRound },
];

const CustomerAndTheme = () => {
  const { name, theme, themeDisplayName } = useCustomerSession();
  const holder = holderOf(useCustomerGrants());
  return (
    <Who name={name} holder={holder} to={ACCOUNT}>
      {theme && <Badge tone="brand">{themeDisplayName ?? theme}</Badge>}
    </Who>
  );
};

/** A sign-in with the key has no notices. */
const Notices = () => {
  const { id } = useCustomerSession();
  const role = useCustomerRole();
  const team = useMemo(() => teamOfCustomer(id), [id]);
  return (
    role !== null && (
      <Suspense>
        <LazyNoticeList team={team} />
      </Suspense>
    )
  );
};

/** A license that expires soon or has expired. */
const Term = () => {
  const { term } = useCustomerSession();
  return term && term.state !== 'active' ? (
    <Box mb="4">
      <LazyTermBanner term={term} />
    </Box>
  ) : null;
};

/** A monthly quota that is used up, or soon will be. */
const CallQuota = () => <CallQuotaNotice customer={useCustomerSession()} />;

/** The frame of a customer's screens, for a session only. */
export const PortalLayout = () => (
  <Guard area="portal" pending={<PendingShell area="portal" items={items} more={more} />}>
    <SidebarLayout
      area="portal"
      name={layoutTexts.portal.area}
      sub={layoutTexts.portal.sub}
      items={items}
      more={more}
      who={<CustomerAndTheme />}
      notices={
        <>
          <Term />
          <CallQuota />
          <Notices />
        </>
      }
    />
  </Guard>
);
