import { Box, Button, chakra, Dialog, Flex, Text } from '@chakra-ui/react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { messageOf } from '../../../api/error.ts';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { Banner } from '../../../ui/states.tsx';
import { keyTexts } from '../texts.ts';

type RotationTexts = {
  rotate: string;
  question: string;
  consequences: readonly string[];
  failed: string;
  issued: string;
  newKey: string;
  hint: string;
  copy: string;
  done: string;
};

/** The call that replaces the key and returns the new one. */
type Rotation = { mutate: () => void; isPending: boolean; error: Error | null; data: string | undefined };

type RotateKeyModalProps = {
  dialog: DialogState;
  texts: RotationTexts;
  rotation: Rotation;
  /** The sign-ins that the rotation ends. */
  effects: ReactNode;
  onDone: () => void;
};

type QuestionProps = Omit<RotateKeyModalProps, 'onDone'> & { cancel: RefObject<HTMLButtonElement | null> };

const Question = ({ dialog, texts, rotation, effects, cancel }: QuestionProps) => (
  <>
    <Dialog.Body display="flex" flexDirection="column" gap="4">
      <Text color="fg.muted">{texts.question}</Text>
      <chakra.ul display="flex" flexDirection="column" gap="2" ps="5" listStyleType="disc" color="fg.muted">
        {texts.consequences.map((consequence) => (
          <li key={consequence}>{consequence}</li>
        ))}
      </chakra.ul>
      {effects}
      {rotation.error && <Banner tone="error">{messageOf(rotation.error, texts.failed)}</Banner>}
    </Dialog.Body>
    <Dialog.Footer>
      <Button ref={cancel} variant="outline" onClick={dialog.close} disabled={rotation.isPending}>
        {keyTexts.cancel}
      </Button>
      <BusyButton colorPalette="red" onClick={rotation.mutate} isBusy={rotation.isPending} busyLabel={keyTexts.rotating}>
        {texts.rotate}
      </BusyButton>
    </Dialog.Footer>
  </>
);

const KEY_NOTE = 'new-key-note';

type IssuedProps = { texts: RotationTexts; newKey: string; onDone: () => void };

const Issued = ({ texts, newKey, onDone }: IssuedProps) => {
  const done = useRef<HTMLButtonElement>(null);
  // The confirmation, which had the focus, was removed.
  useEffect(() => done.current?.focus(), []);
  return (
    <>
      <Dialog.Body display="flex" flexDirection="column" gap="4">
        <Box id={KEY_NOTE}>
          <Text color="fg.muted">{texts.newKey}</Text>
          <Text color="fg.muted">{texts.hint}</Text>
        </Box>
        <Flex
          align="center"
          justify="space-between"
          gap="3"
          bg="bg.muted"
          borderWidth="1px"
          borderRadius="l2"
          ps="3.5"
          pe="3.5"
          py="2"
        >
          <Text as="code" fontFamily="mono" textStyle="md" letterSpacing="0" fontWeight="medium" overflowWrap="anywhere">
            {newKey}
          </Text>
          <CopyButton text={newKey} label={texts.copy} />
        </Flex>
      </Dialog.Body>
      <Dialog.Footer>
        <BusyButton ref={done} colorPalette="brand" onClick={onDone} isBusy={false} aria-describedby={KEY_NOTE}>
          {texts.done}
        </BusyButton>
      </Dialog.Footer>
    </>
  );
};

const stay = () => undefined;

/** Asks before a key is replaced, then shows the new one. It cannot be closed before the reply, which contains the key. */
export const RotateKeyModal = ({ dialog, texts, rotation, effects, onDone }: RotateKeyModalProps) => {
  const cancel = useRef<HTMLButtonElement>(null);
  const newKey = rotation.data;
  const close = rotation.isPending ? stay : newKey === undefined ? dialog.close : onDone;
  return (
    <Modal
      dialog={{ ...dialog, close }}
      title={newKey === undefined ? texts.rotate : texts.issued}
      size="sm"
      role="alertdialog"
      initialFocus={cancel}
    >
      {newKey === undefined ? (
        <Question dialog={dialog} texts={texts} rotation={rotation} effects={effects} cancel={cancel} />
      ) : (
        <Issued texts={texts} newKey={newKey} onDone={onDone} />
      )}
    </Modal>
  );
};
