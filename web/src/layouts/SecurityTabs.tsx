import { chakra } from '@chakra-ui/react';
import { useLocation } from 'react-router-dom';
import type { Area } from '../areas.ts';
import { usePreloader } from '../lib/preloader.ts';
import { usePermitted } from '../session/permissions.tsx';
import { Link } from '../ui/Link.tsx';
import { isCurrent } from './Navigation.tsx';
import { securityItem, securityScreens } from './security.ts';
import { layoutTexts } from './texts.ts';

const Anchor = chakra(Link);

/** Links between the screens about security, above each of them. */
export const SecurityTabs = ({ area }: { area: Area }) => {
  const { pathname } = useLocation();
  const preloader = usePreloader();
  const screens = usePermitted(securityScreens(area));
  if (!isCurrent(area, securityItem(area), pathname)) return null;
  return (
    <chakra.nav
      aria-label={layoutTexts.security.title}
      display="flex"
      gap={{ base: '4', md: '5' }}
      overflowX="auto"
      mb="5"
      borderBottomWidth="1px"
      borderColor="border"
    >
      {screens.map(({ to, label }) => {
        const active = pathname.replace(/\/$/, '') === to;
        const preload = () => void preloader.screen(to).catch(() => undefined);
        return (
          <Anchor
            key={to}
            to={to}
            onPointerEnter={preload}
            onFocus={preload}
            aria-current={active ? 'page' : undefined}
            flexShrink="0"
            py="2.5"
            textStyle="sm"
            fontWeight="medium"
            whiteSpace="nowrap"
            borderBottomWidth="2px"
            borderColor={active ? 'brand.solid' : 'transparent'}
            color={active ? 'fg' : 'fg.muted'}
            _hover={{ color: 'fg' }}
            focusRingOffset="-2px"
          >
            {label}
          </Anchor>
        );
      })}
    </chakra.nav>
  );
};
