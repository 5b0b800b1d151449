import { Box, Flex, Image, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { Guard } from '../app/Guard.tsx';
import { useIntegratorSession } from '../features/auth/api/session.ts';
import { SearchButton } from '../features/search/components/SearchButton.tsx';
import { useLive } from '../live/useLive.ts';
import { StatusBadge } from '../ui/badges.tsx';
import { ColorModeButton } from '../ui/ColorModeButton.tsx';
import { useDialog } from '../ui/dialogs.tsx';
import { Globe, LayoutDashboard, Palette, Settings, UserRound, Users } from '../ui/icons.ts';
import { LogoMark } from '../ui/Logo.tsx';
import { LiveBadge } from './LiveBadge.tsx';
import { type NavItem, Navigation } from './Navigation.tsx';
import { LazyNavDrawer, LogoutButton, Main, MenuButton, SkipLink } from './parts.tsx';
import { layoutTexts } from './texts.ts';

const items: readonly NavItem[] = [
  { to: '/service-integrator/dashboard', label: 'Dashboard', icon: LayoutDashboard },
  { to: '/service-integrator/customers', label: 'Customers', icon: Users },
  { to: '/service-integrator/users', label: 'Users', icon: UserRound },
  { to: '/service-integrator/themes', label: 'Themes', icon: Palette },
  { to: '/service-integrator/white-label', label: 'White-Label', icon: Globe },
  { to: '/service-integrator/settings', label: 'Settings', icon: Settings },
];

/** The integrator's own logo while white-label is on, else the product's; a broken one is not shown. */
const OwnLogo = () => {
  const { whiteLabelEnabled, logoUrl } = useIntegratorSession();
  const [broken, setBroken] = useState<string | null>(null);
  if (!whiteLabelEnabled || !logoUrl || broken === logoUrl) return <LogoMark />;
  return <Image src={logoUrl} alt="" height="28px" maxW="112px" objectFit="contain" onError={() => setBroken(logoUrl)} />;
};

const Brand = () => (
  <Flex align="center" gap="2.5" minW="0">
    <OwnLogo />
    <Text as="span" textStyle="md" fontWeight="semibold" letterSpacing="-0.018em" truncate>
      {layoutTexts.integrator.area}
    </Text>
  </Flex>
);

const TopBar = ({ menu }: { menu: ReturnType<typeof useDialog> }) => {
  const { companyName, whiteLabelEnabled } = useIntegratorSession();
  return (
    <Flex
      as="header"
      position="sticky"
      top="0"
      zIndex="sticky"
      h="14"
      align="center"
      gap={{ base: '2', md: '3' }}
      px={{ base: '4', md: '5' }}
      bg="color-mix(in srgb, var(--chakra-colors-bg-canvas), transparent 14%)"
      backdropFilter="blur(10px)"
      borderBottomWidth="1px"
      borderColor="border"
    >
      <MenuButton dialog={menu} />
      <Brand />
      {whiteLabelEnabled && (
        <Box hideBelow="md">
          <StatusBadge status="enabled">{layoutTexts.integrator.whiteLabel}</StatusBadge>
        </Box>
      )}
      <Box flex="1" />
      <SearchButton area="integrator" screens={items} />
      <LiveBadge area="integrator" />
      <Box w="1px" h="5" bg="border" hideBelow="md" />
      <Text as="span" textStyle="sm" color="fg.muted" hideBelow="md" truncate maxW="240px">
        {companyName}
      </Text>
      <ColorModeButton />
      <LogoutButton area="integrator" />
    </Flex>
  );
};

const Shell = () => {
  const drawer = useDialog();
  useLive('integrator');
  return (
    <Box minH="100dvh">
      <SkipLink />
      <TopBar menu={drawer} />
      <Flex>
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
          <Main area="integrator" />
        </Box>
      </Flex>
      <LazyNavDrawer dialog={drawer} area="integrator" items={items} logo={<Brand />} />
    </Box>
  );
};

export const IntegratorLayout = () => (
  <Guard area="integrator">
    <Shell />
  </Guard>
);
