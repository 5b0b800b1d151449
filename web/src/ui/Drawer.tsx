import { Button, Dialog, Portal } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { DialogState } from './dialogs.tsx';
import { X } from './icons.ts';

type DrawerProps = { dialog: DialogState; title: string; description?: ReactNode; children: ReactNode };

/** Details beside a list, at the right edge. A click outside closes it. */
export const Drawer = ({ dialog, title, description, children }: DrawerProps) => (
  <Dialog.Root
    open={dialog.isOpen}
    onOpenChange={({ open }) => !open && dialog.close()}
    onExitComplete={dialog.exited}
    motionPreset="slide-in-right"
  >
    <Portal>
      <Dialog.Backdrop />
      <Dialog.Positioner>
        <Dialog.Content>
          <Dialog.Header>
            <Dialog.Title>{title}</Dialog.Title>
            {description && <Dialog.Description>{description}</Dialog.Description>}
          </Dialog.Header>
          {children}
          <Dialog.CloseTrigger asChild>
            <Button variant="ghost" size="sm" px="0" aria-label="Close">
              <X aria-hidden />
            </Button>
          </Dialog.CloseTrigger>
        </Dialog.Content>
      </Dialog.Positioner>
    </Portal>
  </Dialog.Root>
);
