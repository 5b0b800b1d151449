import { Button, Dialog, Text } from '@chakra-ui/react';
import { type ReactNode, useRef } from 'react';
import { BusyButton } from './BusyButton.tsx';
import type { DialogState } from './dialogs.tsx';
import { Modal } from './Modal.tsx';
import { Banner } from './states.tsx';

type ConfirmDialogProps = {
  dialog: DialogState;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  busyLabel: string;
  isBusy: boolean;
  isDisabled?: boolean;
  error?: string | undefined;
  onConfirm: () => void;
};

/** Asks before something that cannot be undone. Cancel has the focus. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Modal dialog={props.dialog} title={props.title} size="sm" role="alertdialog" initialFocus={cancel}>
      <Dialog.Body display="flex" flexDirection="column" gap="4">
        <Text as="div" textStyle="md" color="fg.muted">
          {props.children}
        </Text>
        {props.error && <Banner tone="error">{props.error}</Banner>}
      </Dialog.Body>
      <Dialog.Footer>
        <Button ref={cancel} variant="outline" onClick={props.dialog.close}>
          Cancel
        </Button>
        <BusyButton
          colorPalette="red"
          onClick={props.onConfirm}
          disabled={props.isDisabled}
          isBusy={props.isBusy}
          busyLabel={props.busyLabel}
        >
          {props.confirmLabel}
        </BusyButton>
      </Dialog.Footer>
    </Modal>
  );
};
