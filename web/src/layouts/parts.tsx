import '../ui/rows.css';
import { Box, Button, chakra, Text } from '@chakra-ui/react';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import type { Grants } from '../../../src/contracts/auth.ts';
import type { Area } from '../areas.ts';
import { format } from '../lib/format.ts';
import { usePreloader } from '../lib/preloader.ts';
import { useLiveState } from '../live/useLive.ts';
import { useSignOut } from '../session/session.ts';
import { type DialogState, lazyDialog, OpenDialogButton } from '../ui/dialogs.tsx';
import { CloudOff, LogOut, Menu } from '../ui/icons.ts';
import { Banner, Loading } from '../ui/states.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { layoutTexts } from './texts.ts';

export const LazyNavDrawer = lazyDialog(async () => (await import('./NavDrawer.tsx')).NavDrawer);

export const SkipLink = () => (
  <chakra.a
    href="#main"
    position="absolute"
    left="4"
    top="-20"
    zIndex="toast"
    bg="bg.panel"
    px="4"
    py="2"
    borderRadius="l2"
    boxShadow="lg"
    _focus={{ top: '3' }}
  >
    {layoutTexts.skip}
  </chakra.a>
);

export const MenuButton = ({ dialog }: { dialog: DialogState }) => (
  <OpenDialogButton
    dialog={dialog}
    preload={LazyNavDrawer.preload}
    hideFrom="lg"
    variant="ghost"
    size="sm"
    px="0"
    ms="-2"
    aria-label={layoutTexts.openMenu}
    aria-expanded={dialog.isOpen}
  >
    <Menu aria-hidden />
  </OpenDialogButton>
);

/** Who holds a session: its named user with the role, or a key. */
export const holderOf = ({ name, role }: Grants): string =>
  name === null || role === null ? layoutTexts.byKey : layoutTexts.holder(name, role);

export const LogoutButton = ({ area }: { area: Area }) => {
  const signOut = useSignOut(area);
  return (
    <Button variant="outline" size="sm" onClick={signOut}>
      <LogOut aria-hidden />
      <Box as="span" srOnly={{ base: true, sm: false }}>
        {layoutTexts.logout}
      </Box>
    </Button>
  );
};

/** The screen itself. Navigation scrolls to the top and moves the focus there. */
export const Main = ({ area, children }: { area: Area; children?: ReactNode }) => {
  const { pathname } = useLocation();
  const main = useRef<HTMLDivElement>(null);
  const shown = useRef(pathname);
  const isOffline = useLiveState(area) === 'offline';
  const preloader = usePreloader();
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <Box
      as="main"
      id="main"
      ref={main}
      tabIndex={-1}
      outline="0"
      w="full"
      px={{ base: '4', md: '8' }}
      py={{ base: '5', md: '7' }}
      maxW="1320px"
      mx="auto"
    >
      {isOffline && (
        <Box mb="5">
          <Banner tone="warning" icon={CloudOff}>
            {layoutTexts.offline}
          </Banner>
        </Box>
      )}
      {children}
      <ErrorBoundary resetKey={pathname} isOffline={isOffline} reload={() => preloader.page(location.pathname, location.search)}>
        <Suspense fallback={<Loading height="70vh" label={layoutTexts.loading} />}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
      <Text textStyle="xs" color="fg.subtle" mt="8">
        {layoutTexts.zone(format.zone)}
      </Text>
    </Box>
  );
};
