import { Button, Dialog, Portal } from '@chakra-ui/react';
import type { ReactNode, RefObject } from 'react';
import type { DialogState } from './dialogs.tsx';
import { X } from './icons.ts';
import { useReturnFocus } from './returnFocus.ts';

type ModalProps = {
  dialog: DialogState;
  title: string;
  description?: ReactNode;
  size?: 'sm' | 'md' | 'lg';
  role?: 'dialog' | 'alertdialog';
  /** The element that gets the focus first; the first field by default. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Body and footer: use `Dialog.Body` and `Dialog.Footer`. */
  children: ReactNode;
};

type TitledContentProps = Pick<ModalProps, 'title' | 'description' | 'children'>;

/** Inside `Dialog.Root`: the title, which names the dialog, the children and the button that closes it. */
export const TitledContent = ({ title, description, children }: TitledContentProps) => (
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
);

/** A dialog with its title as name; centered on a wide screen, at the bottom edge on a phone. */
export const Modal = ({ dialog, title, description, size = 'md', role = 'dialog', initialFocus, children }: ModalProps) => {
  useReturnFocus(dialog.isOpen);
  return (
    <Dialog.Root
      open={dialog.isOpen}
      onOpenChange={({ open }) => !open && dialog.close()}
      onExitComplete={dialog.exited}
      role={role}
      size={size}
      closeOnInteractOutside={false}
      {...(initialFocus && { initialFocusEl: () => initialFocus.current })}
    >
      <TitledContent title={title} description={description}>
        {children}
      </TitledContent>
    </Dialog.Root>
  );
};
