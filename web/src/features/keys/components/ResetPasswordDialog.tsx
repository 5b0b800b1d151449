import { Box, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { messageOf } from '../../../api/error.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { customerImpactQuery, Effects, effectsOnSignIns } from '../../impact/index.ts';
import { useResetPassword } from '../api/keys.ts';
import { keyTexts } from '../texts.ts';

const { password: texts } = keyTexts;

const RESET = { passwordReset: true } as const;

type ResetPasswordDialogProps = { dialog: DialogState; manager: CustomerManager; customer: Customer };

/** Asks before a customer's portal password is removed. */
export const ResetPasswordDialog = ({ dialog, manager, customer }: ResetPasswordDialogProps) => {
  const reset = useResetPassword(manager, customer.id);
  const impact = useQuery({ ...customerImpactQuery(manager, customer.id, RESET), enabled: reset.isIdle || reset.isError });
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
      <Box mt="4">
        <Effects query={impact} effectsOf={({ ended }) => effectsOnSignIns(ended)} />
      </Box>
    </ConfirmDialog>
  );
};
