import { Box, Flex, Text } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Area } from '../areas.ts';
import { rememberedFrame } from '../session/rememberedFrame.ts';
import { useOwnBrand } from '../ui/branding.ts';
import { Logo } from '../ui/Logo.tsx';
import { Loading } from '../ui/states.tsx';
import { Breadcrumbs } from './Breadcrumbs.tsx';
import { isCurrent, type NavItem, Navigation } from './Navigation.tsx';
import { layoutTexts } from './texts.ts';

const Bar = ({ children }: { children?: ReactNode }) => (
  <Flex as="header" h="14" align="center" px={{ base: '4', md: '5' }} gap="2.5" borderBottomWidth="1px" borderColor="border">
    {children}
  </Flex>
);

const Content = ({ title }: { title: string }) => (
  <Box as="main" px={{ base: '4', md: '8' }} py="7">
    <Text as="h1" srOnly data-pending>
      {title}
    </Text>
    <Loading label={layoutTexts.loading} height="70vh" />
  </Box>
);

const side = { as: 'aside', hideBelow: 'lg', flexShrink: '0', px: '3', borderEndWidth: '1px', borderColor: 'border' } as const;

type PendingShellProps = {
  area: Area;
  /** The screens of the navigation, and others that have a name. */
  items: readonly NavItem[];
  more?: readonly NavItem[];
  /** What stands for the brand that is remembered, or for the host's. The frame that has it has a header above the navigation. */
  mark?: (brand: string | null) => ReactNode;
};

/**
 * The frame of an area while its session is checked: the navigation and the brand that were shown last, the name of the screen, and no
 * data.
 */
export const PendingShell = ({ area, items, more = [], mark }: PendingShellProps) => {
  const { pathname } = useLocation();
  const [frame] = useState(() => rememberedFrame(area));
  const brand = frame?.brand ?? null;
  useOwnBrand(brand?.name ?? null, brand?.color ?? null);
  const screens = [...items, ...more];
  const texts = layoutTexts[area];
  const shown = items.filter(({ to }) => frame?.screens.includes(to));
  const title = screens.find((item) => isCurrent(area, item, pathname))?.label ?? texts.area;
  const navigation = shown.length > 0 && <Navigation area={area} items={shown} />;
  return mark ? (
    <Box minH="100dvh">
      <Bar>
        {frame && mark(brand?.name ?? null)}
        <Text as="span" textStyle="md" fontWeight="semibold" letterSpacing="-0.018em">
          {texts.area}
        </Text>
        <Box ps="3" borderStartWidth="1px" borderColor="border">
          <Breadcrumbs area={area} screens={screens} />
        </Box>
      </Bar>
      <Flex>
        <Box {...side} w="232px" minH="calc(100dvh - 56px)" py="5">
          {navigation}
        </Box>
        <Box flex="1">
          <Content title={title} />
        </Box>
      </Flex>
    </Box>
  ) : (
    <Flex minH="100dvh">
      <Box {...side} w="248px" py="4">
        <Box px="2" mb="6">
          <Logo {...('sub' in texts && { sub: texts.sub })} />
        </Box>
        {navigation}
      </Box>
      <Box flex="1" minW="0">
        <Bar>
          <Breadcrumbs area={area} name={texts.area} screens={screens} />
        </Bar>
        <Content title={title} />
      </Box>
    </Flex>
  );
};
