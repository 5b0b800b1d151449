import type { Credential } from '../../../../../src/contracts/credentials.ts';
import { messageOf } from '../../../api/error.ts';
import { useCustomerSession } from '../../../session/session.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { useDeleteCredential } from '../api/credentials.ts';
import { credentialTexts as texts } from '../texts.ts';

type DeleteCredentialDialogProps = { dialog: DialogState; credential: Credential };

export const DeleteCredentialDialog = ({ dialog, credential }: DeleteCredentialDialogProps) => {
  const remove = useDeleteCredential(useCustomerSession().id);
  const confirm = () =>
    remove.mutate(credential.id, {
      onSuccess: () => {
        notify.success(texts.deleted);
        dialog.close();
      },
    });
  return (
    <ConfirmDialog
      dialog={dialog}
      title={texts.deleteTitle}
      confirmLabel={texts.delete}
      busyLabel={texts.deleting}
      isBusy={remove.isPending}
      error={remove.error ? messageOf(remove.error, texts.deleteFailed) : undefined}
      onConfirm={confirm}
    >
      {texts.deleteQuestion(texts.services[credential.service], credential.instanceUrl)}
    </ConfirmDialog>
  );
};
