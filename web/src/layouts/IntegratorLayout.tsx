import { Box, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import { customThemesQuery } from '../features/customThemes/index.ts';
import { LazyNoticeList } from '../features/notices/index.ts';
import { teamOfIntegrator } from '../features/team/index.ts';
import { useLive } from '../live/useLive.ts';
import { Guard } from '../session/Guard.tsx';
import { usePermitted } from '../session/permissions.tsx';
import { rememberedFrame, useRememberedFrame } from '../session/rememberedFrame.ts';
import { useIntegratorGrants, useIntegratorSession } from '../session/session.ts';
import { StatusBadge } from '../ui/badges.tsx';
import { useOwnBrand } from '../ui/branding.ts';
import { useDialog } from '../ui/dialogs.tsx';
import { useFetchedLogo } from '../ui/fetchedLogo.ts';
import { Activity, Globe, History, LayoutDashboard, Palette, Settings, UserRound, Users } from '../ui/icons.ts';
import { useIsWide } from '../ui/media.ts';
import { Breadcrumbs } from './Breadcrumbs.tsx';
import { IntegratorMark } from './IntegratorMark.tsx';
import { type NavItem, Navigation } from './Navigation.tsx';
import { PendingShell } from './PendingShell.tsx';
import { holderOf, LazyNavDrawer, Main, MenuButton, SkipLink } from './parts.tsx';
import { SecurityTabs } from './SecurityTabs.tsx';
import { securityItem, securityScreens } from './security.ts';
import { TopBar, Who } from './TopBar.tsx';
import { layoutTexts } from './texts.ts';

const screens: readonly NavItem[] = [
  { to: '/service-integrator/dashboard', label: 'Dashboard', icon: LayoutDashboard },
  { to: '/service-integrator/customers', label: 'Customers', icon: Users, needs: 'customers:read' },
  { to: '/service-integrator/usage', label: 'Usage', icon: Activity, needs: 'usage:read' },
  { to: '/service-integrator/users', label: 'Users', icon: UserRound, needs: 'users:read' },
  { to: '/service-integrator/themes', label: 'Themes', icon: Palette, needs: 'themes:read' },
  { to: '/service-integrator/white-label', label: 'White-Label', icon: Globe, needs: 'settings:write' },
  { to: '/service-integrator/settings', label: 'Settings', icon: Settings, needs: 'profile:read' },
  { to: '/service-integrator/audit', label: layoutTexts.audit, icon: History, needs: 'history:read' },
  securityItem('integrator'),
];

/** Reached from the header. */
const account: NavItem = { to: '/service-integrator/account', label: layoutTexts.account, icon: UserRound };
/** Reached from a customer, from Security and from the header. */
const others: readonly NavItem[] = [
  { to: '/service-integrator/calls', label: layoutTexts.calls, icon: Activity, needs: 'calls:read' },
  ...securityScreens('integrator').slice(1),
  account,
];

/** The integrator's own brand while white-label is on, else the product's. */
const OwnMark = () => {
  const { whiteLabelEnabled, companyName, logoUrl } = useIntegratorSession();
  const source = useFetchedLogo(whiteLabelEnabled ? logoUrl : null);
  return <IntegratorMark brand={whiteLabelEnabled ? companyName : null} logo={source} />;
};

const Brand = () => (
  <Flex align="center" gap="2.5" minW="0" flexShrink={{ md: 0 }}>
    <OwnMark />
    <Text as="span" textStyle="md" fontWeight="semibold" letterSpacing="-0.018em" truncate>
      {layoutTexts.integrator.area}
    </Text>
  </Flex>
);

/** While white-label is on, the frame and the title have the integrator's name and the color of its default theme. */
const useOwnFrame = (items: readonly NavItem[]): void => {
  const { id, companyName, whiteLabelEnabled } = useIntegratorSession();
  const { data } = useQuery({ ...customThemesQuery(id, { active: true, limit: MAX_THEMES }), enabled: whiteLabelEnabled });
  const [before] = useState(() => rememberedFrame('integrator')?.brand ?? null);
  const theme = data?.themes.find(({ isDefault }) => isDefault);
  // Until the theme is loaded, the frame keeps the color that it had while the session was checked.
  const color = data === undefined && before?.name === companyName ? before.color : (theme?.primaryColor ?? null);
  useOwnBrand(whiteLabelEnabled ? companyName : null, color);
  useRememberedFrame('integrator', items, whiteLabelEnabled ? { name: companyName, color } : null);
};

const Enabled = () => <StatusBadge status="enabled">{layoutTexts.integrator.whiteLabel}</StatusBadge>;

/** On a wide screen, the badge is beside the logo. */
const Start = ({ menu, screens }: { menu: ReturnType<typeof useDialog>; screens: readonly NavItem[] }) => {
  const { whiteLabelEnabled } = useIntegratorSession();
  const isWide = useIsWide();
  return (
    <>
      <MenuButton dialog={menu} />
      <Brand />
      {isWide && whiteLabelEnabled && <Enabled />}
      <Flex flex="1" minW="0">
        <Box hideBelow="lg" minW="0" flex="1" ps="3" borderStartWidth="1px" borderColor="border">
          <Breadcrumbs area="integrator" screens={screens} />
        </Box>
      </Flex>
    </>
  );
};

const CompanyName = () => {
  const { companyName, whiteLabelEnabled } = useIntegratorSession();
  const isWide = useIsWide();
  return (
    <Who name={companyName} holder={holderOf(useIntegratorGrants())} to={account.to}>
      {!isWide && whiteLabelEnabled && <Enabled />}
    </Who>
  );
};

/** A sign-in with the key has no notices. */
const Notices = () => {
  const { id } = useIntegratorSession();
  const { role } = useIntegratorGrants();
  const team = useMemo(() => teamOfIntegrator(id), [id]);
  return (
    role !== null && (
      <Suspense>
        <LazyNoticeList team={team} />
      </Suspense>
    )
  );
};

/** The server's maximum page size. */
const MAX_THEMES = 500;
/** The widths of the navigation and of the widest content. */
const FRAME = 'calc(232px + 1320px)';

const Shell = () => {
  const drawer = useDialog();
  const items = usePermitted(screens);
  const more = usePermitted(others);
  const all = [...items, ...more];
  useLive('integrator');
  useOwnFrame(items);
  return (
    <Box minH="100dvh">
      <SkipLink />
      <TopBar
        area="integrator"
        screens={all}
        ps="5"
        maxW={FRAME}
        start={<Start menu={drawer} screens={all} />}
        who={<CompanyName />}
      />
      <Flex maxW={FRAME} mx="auto">
        <Box
          as="aside"
          hideBelow="lg"
          w="232px"
          flexShrink="0"
          position="sticky"
          top="14"
          h="calc(100dvh - 56px)"
          px="3"
          py="5"
          borderEndWidth="1px"
          borderColor="border"
          overflowY="auto"
        >
          <Navigation area="integrator" items={items} />
        </Box>
        <Box flex="1" minW="0">
          <Main area="integrator">
            <Notices />
            <SecurityTabs area="integrator" />
          </Main>
        </Box>
      </Flex>
      <LazyNavDrawer dialog={drawer} area="integrator" items={items} logo={<Brand />} />
    </Box>
  );
};

/** The logo is fetched with the session. */
const pendingMark = (brand: string | null) => <IntegratorMark brand={brand} logo={null} />;

/** The frame of a service integrator's screens with its brand, for a session only. */
export const IntegratorLayout = () => (
  <Guard area="integrator" pending={<PendingShell area="integrator" items={screens} more={others} mark={pendingMark} />}>
    <Shell />
  </Guard>
);
