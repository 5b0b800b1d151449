import { Button, chakra, Dialog, Flex } from '@chakra-ui/react';
import { type ReactNode, type SubmitEventHandler, useCallback, useEffect, useRef, useState } from 'react';
import { BusyButton } from '../ui/BusyButton.tsx';
import { type DialogState, useDialog } from '../ui/dialogs.tsx';
import { Modal } from '../ui/Modal.tsx';
import { Banner } from '../ui/states.tsx';
import { DiscardDialog } from './DiscardDialog.tsx';
import { useUnsavedGuard } from './useUnsavedGuard.ts';

type FormModalProps = {
  dialog: DialogState;
  title: string;
  description?: ReactNode;
  size?: 'sm' | 'md' | 'lg';
  submitLabel: string;
  busyLabel: string;
  isBusy: boolean;
  isDisabled?: boolean;
  /** A rejection that belongs to no field. */
  banner?: string | undefined;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  children: ReactNode;
};

/** The values of a form's fields, to find out whether it was changed. */
const contentOf = (form: HTMLFormElement | null): string => (form ? JSON.stringify([...new FormData(form).entries()]) : '');

/** A form in a dialog, with Cancel and one submit button. Escape, the close button and going back ask before changes are lost. */
export const FormModal = (props: FormModalProps) => {
  const form = useRef<HTMLFormElement>(null);
  const initial = useRef<string>(undefined);
  const leave = useRef<() => void>(undefined);
  const [isTouched, setTouched] = useState(false);
  const discard = useDialog();
  const opened = useCallback((element: HTMLFormElement | null): void => {
    form.current = element;
    if (element) initial.current ??= contentOf(element);
  }, []);
  const isModified = (): boolean => isTouched && contentOf(form.current) !== initial.current;
  const ask = (then?: () => void): void => {
    leave.current = then;
    discard.open();
  };
  const banner = useRef<HTMLDivElement>(null);
  // The same rejection may come again: it is shown when the request has ended.
  useEffect(() => {
    if (props.banner && !props.isBusy) banner.current?.scrollIntoView({ block: 'nearest' });
  }, [props.banner, props.isBusy]);
  useUnsavedGuard(isTouched, { isModified, ask });
  const close = (): void => (isModified() ? ask() : props.dialog.close());
  const onDiscard = (): void => {
    props.dialog.close();
    leave.current?.();
  };
  return (
    <Modal dialog={{ ...props.dialog, close }} title={props.title} size={props.size ?? 'md'} description={props.description}>
      <chakra.form ref={opened} noValidate display="contents" onSubmit={props.onSubmit} onChange={() => setTouched(true)}>
        <Dialog.Body>
          <Flex direction="column" gap="4">
            {props.banner && (
              <div ref={banner}>
                <Banner tone="error">{props.banner}</Banner>
              </div>
            )}
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
      <DiscardDialog dialog={discard} onDiscard={onDiscard} />
    </Modal>
  );
};
