import { Box, chakra } from '@chakra-ui/react';
import { useLocation } from 'react-router-dom';
import type { Permission } from '../../../src/domain/permissions.ts';
import { type Area, areaRoot, homePath } from '../areas.ts';
import { usePreloader } from '../lib/preloader.ts';
import type { LucideIcon } from '../ui/icons.ts';
import { Link } from '../ui/Link.tsx';
import { layoutTexts } from './texts.ts';

/** A screen of an area. It is listed where the session has the permission that it needs. The search finds it by its alias too. */
export type NavItem = { to: string; label: string; icon: LucideIcon; alias?: string; needs?: Permission };

const Anchor = chakra(Link);

/** Whether a path belongs to an item's screen. */
export const isCurrent = (area: Area, { to }: NavItem, pathname: string): boolean =>
  pathname === to || pathname.startsWith(`${to}/`) || (to === homePath[area] && pathname.replace(/\/$/, '') === areaRoot[area]);

type NavigationProps = { area: Area; items: readonly NavItem[]; onNavigate?: () => void };

/** The area's screens. A link is preloaded on hover and focus. */
export const Navigation = ({ area, items, onNavigate }: NavigationProps) => {
  const { pathname } = useLocation();
  const preloader = usePreloader();
  return (
    <chakra.nav aria-label={layoutTexts.mainNavigation} display="flex" flexDir="column" gap="0.5">
      {items.map((item) => {
        const active = isCurrent(area, item, pathname);
        const preload = () => void preloader.screen(item.to).catch(() => undefined);
        return (
          <Anchor
            key={item.to}
            to={item.to}
            {...(onNavigate && { onClick: onNavigate })}
            onPointerEnter={preload}
            onFocus={preload}
            aria-current={active ? 'page' : undefined}
            display="flex"
            alignItems="center"
            gap="2.5"
            minH={{ base: '40px', lg: '34px' }}
            px="2.5"
            borderRadius="l2"
            textStyle="md"
            fontWeight="medium"
            color={active ? 'fg' : 'fg.muted'}
            bg={active ? 'bg.panel' : 'transparent'}
            boxShadow={active ? '0 0 0 1px var(--chakra-colors-border), var(--chakra-shadows-xs)' : 'none'}
            _hover={{ bg: active ? 'bg.panel' : 'bg.muted', color: 'fg' }}
            transition="background-color .12s, color .12s"
          >
            <Box asChild color={active ? 'brand.solid' : 'fg.subtle'} _dark={{ color: active ? 'brand.300' : 'fg.subtle' }}>
              <item.icon size={17} strokeWidth={1.9} aria-hidden />
            </Box>
            {item.label}
          </Anchor>
        );
      })}
    </chakra.nav>
  );
};
