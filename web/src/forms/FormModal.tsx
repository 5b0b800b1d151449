import { Button, chakra, Dialog, Flex } from '@chakra-ui/react';
import type { ReactNode, SubmitEventHandler } from 'react';
import { BusyButton } from '../ui/BusyButton.tsx';
import type { DialogState } from '../ui/dialogs.tsx';
import { Modal } from '../ui/Modal.tsx';
import { Banner } from '../ui/states.tsx';

type FormModalProps = {
  dialog: DialogState;
  title: string;
  description?: ReactNode;
  size?: 'sm' | 'md' | 'lg';
  submitLabel: string;
  busyLabel: string;
  isBusy: boolean;
  isDisabled?: boolean;
  /** What the server refused as a whole. */
  banner?: string | undefined;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  children: ReactNode;
};

/** A form in a dialog, with Cancel and one way to submit. */
export const FormModal = (props: FormModalProps) => (
  <Modal dialog={props.dialog} title={props.title} size={props.size ?? 'md'} description={props.description}>
    <chakra.form noValidate display="contents" onSubmit={props.onSubmit}>
      <Dialog.Body>
        <Flex direction="column" gap="4">
          {props.banner && <Banner tone="error">{props.banner}</Banner>}
          {props.children}
        </Flex>
      </Dialog.Body>
      <Dialog.Footer>
        <Button variant="outline" onClick={props.dialog.close}>
          Cancel
        </Button>
        <BusyButton
          type="submit"
          colorPalette="brand"
          isBusy={props.isBusy}
          busyLabel={props.busyLabel}
          disabled={props.isDisabled}
        >
          {props.submitLabel}
        </BusyButton>
      </Dialog.Footer>
    </chakra.form>
  </Modal>
);
