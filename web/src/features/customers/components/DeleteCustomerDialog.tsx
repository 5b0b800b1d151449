import { Box, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { messageOf } from '../../../api/error.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { customerImpactQuery, Effects, effectsOfDeletion, usersOf } from '../../impact/index.ts';
import { useDeleteCustomer } from '../api/customers.ts';
import { customerDialogTexts } from '../dialogTexts.ts';
import { customerTexts } from '../texts.ts';

const DELETION = { deletion: true } as const;

type DeleteCustomerDialogProps = { dialog: DialogState; customer: Customer; onDeleted: () => void };

export const DeleteCustomerDialog = ({ dialog, customer, onDeleted }: DeleteCustomerDialogProps) => {
  const remove = useDeleteCustomer(customer.id);
  const impact = useQuery({ ...customerImpactQuery('admin', customer.id, DELETION), enabled: remove.isIdle || remove.isError });
  return (
    <ConfirmDialog
      dialog={dialog}
      title={customerDialogTexts.deleteTitle}
      confirmLabel={customerDialogTexts.deleteConfirm}
      busyLabel={customerDialogTexts.deleting}
      isBusy={remove.isPending}
      isDisabled={impact.isPending}
      typedName={customer.name}
      error={remove.error ? messageOf(remove.error, customerTexts.deleteFailed) : undefined}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onDeleted })}
    >
      <Text>{customerDialogTexts.deleteQuestion(customer.name)}</Text>
      <Text mt="2">{customerDialogTexts.deleteWarning}</Text>
      <Box mt="4" _empty={{ display: 'none' }}>
        <Effects query={impact} effectsOf={effectsOfDeletion} list={usersOf('admin', customer.id)} />
      </Box>
    </ConfirmDialog>
  );
};
