import { Button, Dialog, Flex, Text } from '@chakra-ui/react';
import { useRef } from 'react';
import type { InvitationReply } from '../../../../../src/contracts/team.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { teamTexts as texts } from '../texts.ts';

type LinkModalProps = { dialog: DialogState; invitation: Pick<InvitationReply, 'member' | 'path' | 'emailed'> };

/** Shows the link of a new invitation, once. */
export const LinkModal = ({ dialog, invitation: { member, path, emailed } }: LinkModalProps) => {
  const done = useRef<HTMLButtonElement>(null);
  const hint = emailed ? texts.linkEmailed : texts.linkHint;
  const link = `${location.origin}${path}`;
  return (
    <Modal dialog={dialog} title={texts.linkTitle} description={hint(member.name, member.email)} initialFocus={done}>
      <Dialog.Body display="flex" flexDirection="column" gap="3">
        <Flex align="center" gap="3" px="3.5" py="2" bg="bg.muted" borderWidth="1px" borderRadius="l2">
          <Text as="code" fontFamily="mono" textStyle="sm" letterSpacing="0" overflowWrap="anywhere" flex="1" data-invitation-link>
            {link}
          </Text>
          <CopyButton text={link} label={texts.copyLink} />
        </Flex>
        <Text textStyle="sm" color="fg.muted">
          {texts.linkOnce}
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
