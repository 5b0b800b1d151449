import { Box, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import type { Area } from '../app/areas.ts';
import { SearchButton } from '../features/search/components/SearchButton.tsx';
import { useLive } from '../live/useLive.ts';
import { ColorModeButton } from '../ui/ColorModeButton.tsx';
import { useDialog } from '../ui/dialogs.tsx';
import { Logo } from '../ui/Logo.tsx';
import { LiveBadge } from './LiveBadge.tsx';
import { isCurrent, type NavItem, Navigation } from './Navigation.tsx';
import { LazyNavDrawer, LogoutButton, Main, MenuButton, SkipLink } from './parts.tsx';

type SidebarLayoutProps = {
  area: Area;
  /** The area's name in the header, and below the product's name. */
  name: string;
  sub: string;
  items: readonly NavItem[];
  /** Who is signed in. */
  who: ReactNode;
};

/** Navigation at the side, a header above the screen. */
export const SidebarLayout = ({ area, name, sub, items, who }: SidebarLayoutProps) => {
  const { pathname } = useLocation();
  const drawer = useDialog();
  useLive(area);
  const current = items.find((item) => isCurrent(area, item, pathname));
  return (
    <Flex minH="100dvh">
      <SkipLink />
      <Box
        as="aside"
        hideBelow="lg"
        w="248px"
        flexShrink="0"
        position="sticky"
        top="0"
        h="100dvh"
        px="3"
        py="4"
        borderEndWidth="1px"
        borderColor="border"
        overflowY="auto"
      >
        <Box px="2" mb="6">
          <Logo sub={sub} />
        </Box>
        <Navigation area={area} items={items} />
      </Box>
      <Box flex="1" minW="0">
        <Flex
          as="header"
          position="sticky"
          top="0"
          zIndex="sticky"
          h="14"
          align="center"
          gap={{ base: '2', md: '3' }}
          px={{ base: '4', md: '8' }}
          bg="color-mix(in srgb, var(--chakra-colors-bg-canvas), transparent 14%)"
          backdropFilter="blur(10px)"
          borderBottomWidth="1px"
          borderColor="border"
        >
          <MenuButton dialog={drawer} />
          <Flex align="center" gap="2" textStyle="md" color="fg.subtle" minW="0" flex="1">
            <Box as="span" hideBelow="md" whiteSpace="nowrap">
              {name}
            </Box>
            <Box as="span" hideBelow="md" color="border.emphasized" aria-hidden>
              /
            </Box>
            <Text as="span" color="fg" fontWeight="medium" truncate>
              {current?.label}
            </Text>
          </Flex>
          <SearchButton area={area} screens={items} />
          <LiveBadge area={area} />
          <Box w="1px" h="5" bg="border" hideBelow="md" />
          {who}
          <ColorModeButton />
          <LogoutButton area={area} />
        </Flex>
        <Main area={area} />
      </Box>
      <LazyNavDrawer dialog={drawer} area={area} items={items} logo={<Logo sub={sub} />} />
    </Flex>
  );
};
