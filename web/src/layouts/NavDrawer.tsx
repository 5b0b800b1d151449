import { Box, Button, Dialog, Portal } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Area } from '../areas.ts';
import type { DialogState } from '../ui/dialogs.tsx';
import { X } from '../ui/icons.ts';
import { type NavItem, Navigation } from './Navigation.tsx';
import { layoutTexts } from './texts.ts';

type NavDrawerProps = { dialog: DialogState; area: Area; items: readonly NavItem[]; logo: ReactNode };

/** The navigation of a narrow screen. */
export const NavDrawer = ({ dialog, area, items, logo }: NavDrawerProps) => (
  <Dialog.Root
    open={dialog.isOpen}
    onOpenChange={({ open }) => !open && dialog.close()}
    onExitComplete={dialog.exited}
    motionPreset="slide-in-left"
  >
    <Portal>
      <Dialog.Backdrop />
      <Dialog.Positioner>
        <Dialog.Content bg="bg.canvas" p="4" aria-label={layoutTexts.menu}>
          <Box mb="6" px="2" pe="10">
            {logo}
          </Box>
          <Navigation area={area} items={items} onNavigate={dialog.close} />
          <Dialog.CloseTrigger asChild>
            <Button variant="ghost" size="sm" px="0" aria-label={layoutTexts.closeMenu}>
              <X aria-hidden />
            </Button>
          </Dialog.CloseTrigger>
        </Dialog.Content>
      </Dialog.Positioner>
    </Portal>
  </Dialog.Root>
);
