import { Text } from '@chakra-ui/react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { messageOf } from '../../../api/error.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { useResetPassword } from '../api/keys.ts';
import { keyTexts } from '../texts.ts';

const { password: texts } = keyTexts;

type ResetPasswordDialogProps = { dialog: DialogState; manager: CustomerManager; customer: Customer };

/** Asks before a customer's portal password is removed. */
export const ResetPasswordDialog = ({ dialog, manager, customer }: ResetPasswordDialogProps) => {
  const reset = useResetPassword(manager, customer.id);
  const confirm = () =>
    reset.mutate(undefined, {
      onSuccess: () => {
        notify.success(texts.done);
        dialog.close();
      },
    });
  return (
    <ConfirmDialog
      dialog={dialog}
      title={texts.title}
      confirmLabel={texts.reset}
      busyLabel={texts.resetting}
      isBusy={reset.isPending}
      error={reset.error ? messageOf(reset.error, texts.failed) : undefined}
      onConfirm={confirm}
    >
      <Text>{texts.question(customer.name)}</Text>
      <Text mt="2">{texts.consequence}</Text>
    </ConfirmDialog>
  );
};
