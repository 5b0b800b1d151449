import { Dialog } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { DialogState } from './dialogs.tsx';
import { TitledContent } from './Modal.tsx';
import { useReturnFocus } from './returnFocus.ts';

type DrawerProps = { dialog: DialogState; title: string; description?: ReactNode; children: ReactNode };

/** Details beside a list, at the right edge. A click outside closes it. */
export const Drawer = ({ dialog, title, description, children }: DrawerProps) => {
  useReturnFocus(dialog.isOpen);
  return (
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
};
