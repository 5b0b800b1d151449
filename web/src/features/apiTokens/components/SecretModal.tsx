import { Button, Dialog, Flex, Text } from '@chakra-ui/react';
import { useRef } from 'react';
import type { CreateApiTokenReply } from '../../../../../src/contracts/apiTokens.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { apiTokenTexts as texts } from '../texts.ts';

type SecretModalProps = { dialog: DialogState; created: CreateApiTokenReply };

/** Shows a new token, once. */
export const SecretModal = ({ dialog, created: { token, secret } }: SecretModalProps) => {
  const done = useRef<HTMLButtonElement>(null);
  return (
    <Modal dialog={dialog} title={texts.secretTitle} description={texts.secretDescription(token.name)} initialFocus={done}>
      <Dialog.Body display="flex" flexDirection="column" gap="3">
        <Flex align="center" gap="3" px="3.5" py="2" bg="bg.muted" borderWidth="1px" borderRadius="l2">
          <Text as="code" fontFamily="mono" textStyle="sm" letterSpacing="0" overflowWrap="anywhere" flex="1" data-api-token>
            {secret}
          </Text>
          <CopyButton text={secret} label={texts.copySecret} />
        </Flex>
        <Text textStyle="sm" color="fg.muted">
          {texts.secretOnce}
        </Text>
      </Dialog.Body>
      <Dialog.Footer>
        <Button ref={done} colorPalette="brand" onClick={dialog.close}>
          {texts.done}
        </Button>
      </Dialog.Footer>
    </Modal>
  );
};
