import { Button, Dialog } from '@chakra-ui/react';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { RecoveryCodes } from '../../secondFactor/index.ts';
import { accountTexts as texts } from '../texts.ts';

type RecoveryCodesModalProps = { dialog: DialogState; codes: readonly string[]; account: string };

/** Shows new recovery codes, once. */
export const RecoveryCodesModal = ({ dialog, codes, account }: RecoveryCodesModalProps) => (
  <Modal dialog={dialog} title={texts.codesTitle}>
    <Dialog.Body>
      <RecoveryCodes codes={codes} account={account} />
    </Dialog.Body>
    <Dialog.Footer>
      <Button colorPalette="brand" onClick={dialog.close}>
        {texts.done}
      </Button>
    </Dialog.Footer>
  </Modal>
);
