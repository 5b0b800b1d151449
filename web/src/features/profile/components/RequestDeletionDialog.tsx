import { Text } from '@chakra-ui/react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { messageOf } from '../../../api/error.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { useRequestDeletion } from '../api/profile.ts';
import { profileTexts as texts } from '../texts.ts';

type RequestDeletionDialogProps = { dialog: DialogState; customer: Customer };

export const RequestDeletionDialog = ({ dialog, customer }: RequestDeletionDialogProps) => {
  const request = useRequestDeletion(customer.id);
  const confirm = () =>
    request.mutate(undefined, {
      onSuccess: () => {
        notify.success(texts.requested);
        dialog.close();
      },
    });
  return (
    <ConfirmDialog
      dialog={dialog}
      title={texts.requestTitle}
      confirmLabel={texts.request}
      busyLabel={texts.requesting}
      isBusy={request.isPending}
      error={request.error ? messageOf(request.error, texts.requestFailed) : undefined}
      onConfirm={confirm}
    >
      <Text>{texts.requestQuestion(customer.name)}</Text>
      <Text mt="2">{texts.requestWarning}</Text>
    </ConfirmDialog>
  );
};
