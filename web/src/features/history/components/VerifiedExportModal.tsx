import { Button, Dialog, Flex, Text } from '@chakra-ui/react';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { messageOf } from '../../../api/error.ts';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { notify } from '../../../ui/notify.ts';
import { historyTexts as texts } from '../texts.ts';

type VerifiedExportModalProps = { dialog: DialogState; download: () => Promise<string> };

const Command = ({ intro, command, copy }: { intro: string; command: string; copy: string }) => (
  <Flex direction="column" gap="1.5">
    <Text textStyle="sm" color="fg.muted">
      {intro}
    </Text>
    <Flex align="center" gap="3" px="3.5" py="2" bg="bg.muted" borderWidth="1px" borderRadius="l2">
      <Text as="code" fontFamily="mono" textStyle="sm" letterSpacing="0" overflowWrap="anywhere" flex="1">
        {command}
      </Text>
      <CopyButton text={command} label={copy} />
    </Flex>
  </Flex>
);

/** Exports entries with proofs, and shows how to verify the file. */
export const VerifiedExportModal = ({ dialog, download }: VerifiedExportModalProps) => {
  const start = useRef<HTMLButtonElement>(null);
  const run = useMutation({ mutationFn: download });
  const press = () => run.mutate(undefined, { onError: (error) => notify.error(messageOf(error, texts.exportFailed)) });
  return (
    <Modal dialog={dialog} title={texts.exportVerified} description={texts.verifiedDescription} size="lg" initialFocus={start}>
      <Dialog.Body display="flex" flexDirection="column" gap="4">
        <Command intro={texts.verifiedKeys} command={texts.keysCommand(location.origin)} copy={texts.copyKeys} />
        <Command
          intro={texts.verifiedCommand}
          command={texts.verifyCommand(run.data ?? texts.verifiedFile)}
          copy={texts.copyCommand}
        />
      </Dialog.Body>
      <Dialog.Footer>
        <Button variant="outline" onClick={dialog.close}>
          {texts.cancel}
        </Button>
        <BusyButton ref={start} colorPalette="brand" onClick={press} isBusy={run.isPending} busyLabel={texts.exporting}>
          {texts.export}
        </BusyButton>
      </Dialog.Footer>
    </Modal>
  );
};
