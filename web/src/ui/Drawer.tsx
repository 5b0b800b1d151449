import { Dialog } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { DialogState } from './dialogs.tsx';
import { TitledContent } from './Modal.tsx';

type DrawerProps = { dialog: DialogState; title: string; description?: ReactNode; children: ReactNode };

/** Details beside a list, at the right edge. A click outside closes it. */
export const Drawer = ({ dialog, title, description, children }: DrawerProps) => (
  <Dialog.Root
    open={dialog.isOpen}
    onOpenChange={({ open }) => !open && dialog.close()}
    onExitComplete={dialog.exited}
    motionPreset="slide-in-right"
  >
    <TitledContent title={title} description={description}>
      {children}
    </TitledContent>
  </Dialog.Root>
);
