import { Text } from '@chakra-ui/react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { messageOf } from '../../../api/error.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { useDeleteCustomer } from '../api/customers.ts';
import { customerDialogTexts } from '../dialogTexts.ts';
import { customerTexts } from '../texts.ts';

type DeleteCustomerDialogProps = { dialog: DialogState; customer: Customer; onDeleted: () => void };

export const DeleteCustomerDialog = ({ dialog, customer, onDeleted }: DeleteCustomerDialogProps) => {
  const remove = useDeleteCustomer(customer.id);
  return (
    <ConfirmDialog
      dialog={dialog}
      title={customerDialogTexts.deleteTitle}
      confirmLabel={customerDialogTexts.deleteConfirm}
      busyLabel={customerDialogTexts.deleting}
      isBusy={remove.isPending}
      error={remove.error ? messageOf(remove.error, customerTexts.deleteFailed) : undefined}
      onConfirm={() => void remove.mutateAsync().then(onDeleted, () => undefined)}
    >
      <Text>{customerDialogTexts.deleteQuestion(customer.name)}</Text>
      <Text mt="2">{customerDialogTexts.deleteWarning}</Text>
    </ConfirmDialog>
  );
};
