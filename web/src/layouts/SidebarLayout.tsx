import { Box, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Area } from '../areas.ts';
import { useLive } from '../live/useLive.ts';
import { usePermitted } from '../session/permissions.tsx';
import { useRememberedFrame } from '../session/rememberedFrame.ts';
import { useDialog } from '../ui/dialogs.tsx';
import { Logo } from '../ui/Logo.tsx';
import { Breadcrumbs } from './Breadcrumbs.tsx';
import { type NavItem, Navigation } from './Navigation.tsx';
import { LazyNavDrawer, Main, MenuButton, SkipLink } from './parts.tsx';
import { SecurityTabs } from './SecurityTabs.tsx';
import { TopBar } from './TopBar.tsx';

type SidebarLayoutProps = {
  area: Area;
  /** The area's name in the header, and below the product's name. */
  name: string;
  sub: string;
  items: readonly NavItem[];
  /** Screens that the search finds and the navigation does not show. */
  more?: readonly NavItem[];
  /** The signed-in account. */
  who: ReactNode;
  /** What is shown above each screen. */
  notices?: ReactNode;
};

/** Navigation at the side, a header above the screen. */
export const SidebarLayout = ({ area, name, sub, who, notices, ...screens }: SidebarLayoutProps) => {
  const items = usePermitted(screens.items);
  const more = usePermitted(screens.more ?? []);
  const drawer = useDialog();
  useLive(area);
  useRememberedFrame(area, items);
  const all = [...items, ...more];
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
        <TopBar
          ps="8"
          maxW="1320px"
          who={who}
          start={
            <>
              <MenuButton dialog={drawer} />
              <Breadcrumbs area={area} name={name} screens={all} />
            </>
          }
          area={area}
          screens={all}
        />
        <Main area={area}>
          {notices}
          <SecurityTabs area={area} />
        </Main>
      </Box>
      <LazyNavDrawer dialog={drawer} area={area} items={items} logo={<Logo sub={sub} />} />
    </Flex>
  );
};
