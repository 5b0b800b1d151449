import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Area } from '../areas.ts';
import { SearchButton } from '../features/search/index.ts';
import { ColorModeButton } from '../ui/ColorModeButton.tsx';
import { Link } from '../ui/Link.tsx';
import { useIsWide } from '../ui/media.ts';
import { LiveBadge } from './LiveBadge.tsx';
import type { NavItem } from './Navigation.tsx';
import { LogoutButton } from './parts.tsx';
import { layoutTexts } from './texts.ts';

const Anchor = chakra(Link);

type WhoProps = {
  name: string;
  /** The named user, or the key that signed in. */
  holder: string;
  /** The screen of the account. */
  to?: string;
  children?: ReactNode;
};

/** The signed-in account with its holder, and a badge. */
export const Who = ({ name, holder, to, children }: WhoProps) => {
  const texts = (
    <>
      <Text as="span" display="block" textStyle="sm" lineHeight="18px" color="fg.muted" title={name} truncate>
        {name}
      </Text>{' '}
      <Text as="span" display="block" textStyle="xs" lineHeight="15px" color="fg.subtle" title={holder} truncate>
        {holder}
      </Text>
    </>
  );
  const style = { minW: '0', maxW: { md: '240px' } } as const;
  return (
    <Flex align="center" justify="space-between" gap="2" minH="6" minW="0" maxW={{ md: '360px' }}>
      {to ? (
        <Anchor to={to} aria-label={layoutTexts.accountOf(name, holder)} {...style}>
          {texts}
        </Anchor>
      ) : (
        <Box {...style}>{texts}</Box>
      )}
      {children}
    </Flex>
  );
};

type TopBarProps = {
  area: Area;
  /** The screens that the search finds. */
  screens: readonly NavItem[];
  /** The start of the bar, up to the search. */
  start: ReactNode;
  /** The signed-in account, on a narrow screen in a line below the bar. */
  who: ReactNode;
  /** Padding at the start on a wide screen. */
  ps: string;
  /** The width of the bar's content, which aligns with the screen below it. */
  maxW: string;
};

/** The header above an area's screens. The bar stays visible while scrolling; the line below it, on a phone, does not. */
export const TopBar = ({ area, screens, start, who, ps, maxW }: TopBarProps) => {
  const isWide = useIsWide();
  return (
    <Box as="header" display="contents">
      <Box
        position="sticky"
        top="0"
        zIndex="sticky"
        bg="color-mix(in srgb, var(--chakra-colors-bg-canvas), transparent 14%)"
        backdropFilter="blur(10px)"
        borderBottomWidth="1px"
        borderColor="border"
      >
        <Flex
          h="14"
          align="center"
          gap={{ base: '2', md: '3' }}
          ps={{ base: '4', md: ps }}
          pe={{ base: '4', md: '8' }}
          maxW={maxW}
          mx="auto"
        >
          {start}
          <LiveBadge area={area} />
          <SearchButton area={area} screens={screens} />
          {isWide && (
            <>
              <Box w="1px" h="5" bg="border" />
              {who}
            </>
          )}
          <ColorModeButton />
          <LogoutButton area={area} />
        </Flex>
      </Box>
      {!isWide && (
        <Box px="4" py="2" borderBottomWidth="1px" borderColor="border">
          {who}
        </Box>
      )}
    </Box>
  );
};
