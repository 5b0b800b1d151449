import { Button, Dialog, Text } from '@chakra-ui/react';
import { type ReactNode, useRef, useState } from 'react';
import { BusyButton } from './BusyButton.tsx';
import { FieldFrame, Input } from './controls.tsx';
import type { DialogState } from './dialogs.tsx';
import { Modal } from './Modal.tsx';
import { Banner } from './states.tsx';

type ConfirmDialogProps = {
  dialog: DialogState;
  title: string;
  children: ReactNode;
  cancelLabel?: string;
  confirmLabel: string;
  busyLabel?: string;
  isBusy?: boolean;
  isDisabled?: boolean;
  error?: string | undefined;
  /** A name that the user must type or paste to enable the action. */
  typedName?: string;
  onConfirm: () => void;
};

/** A page shows several spaces as one, so they are compared as one. */
const comparable = (name: string): string => name.normalize('NFC').trim().replace(/\s+/g, ' ');

/** Asks before an action that cannot be undone. The field for the name has the focus, or else Cancel. */
export const ConfirmDialog = ({ isBusy = false, busyLabel = '', isDisabled = false, typedName, ...props }: ConfirmDialogProps) => {
  const cancel = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const isBlocked = isDisabled || (typedName !== undefined && comparable(typed) !== comparable(typedName));
  return (
    <Modal
      dialog={props.dialog}
      title={props.title}
      size="sm"
      role="alertdialog"
      initialFocus={typedName === undefined ? cancel : field}
    >
      <Dialog.Body display="flex" flexDirection="column" gap="4">
        <Text as="div" textStyle="md" color="fg.muted" overflowWrap="anywhere">
          {props.children}
        </Text>
        {typedName !== undefined && (
          <FieldFrame label={`Type "${typedName}" to confirm`} isRequired>
            <Input
              ref={field}
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => event.key === 'Enter' && !isBlocked && !isBusy && props.onConfirm()}
            />
          </FieldFrame>
        )}
        {props.error && <Banner tone="error">{props.error}</Banner>}
      </Dialog.Body>
      <Dialog.Footer>
        <Button ref={cancel} variant="outline" onClick={props.dialog.close}>
          {props.cancelLabel ?? 'Cancel'}
        </Button>
        <BusyButton colorPalette="red" onClick={props.onConfirm} disabled={isBlocked} isBusy={isBusy} busyLabel={busyLabel}>
          {props.confirmLabel}
        </BusyButton>
      </Dialog.Footer>
    </Modal>
  );
};
