import { Text } from '@chakra-ui/react';
import type { Machine, MachineRequest } from '../../../../../src/contracts/machines.ts';
import { messageOf } from '../../../api/error.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { useDecideRequest, useRemoveMachine } from '../api/machines.ts';
import { machineDialogTexts as texts } from '../machineDialogTexts.ts';
import { machineTexts } from '../machineTexts.ts';

type RemoveMachineDialogProps = {
  dialog: DialogState;
  machine: Machine;
  /** The path of the calls on the machines. */
  root: string;
  /** Whose machine it is; null for the user of the session. */
  username: string | null;
};

/** Asks before a machine is removed, and says what that ends. */
export const RemoveMachineDialog = ({ dialog, machine, root, username }: RemoveMachineDialogProps) => {
  const remove = useRemoveMachine(root);
  const name = machine.name ?? machine.machineId;
  const confirm = () =>
    remove.mutate(machine.id, {
      onSuccess: () => {
        notify.success(texts.removed(name));
        dialog.close();
      },
    });
  return (
    <ConfirmDialog
      dialog={dialog}
      title={texts.removeTitle(name)}
      confirmLabel={texts.remove}
      busyLabel={texts.removing}
      isBusy={remove.isPending}
      error={remove.error ? messageOf(remove.error, machineTexts.decideFailed) : undefined}
      onConfirm={confirm}
    >
      <Text>{texts.sessionsEnd(name, username)}</Text>
      <Text mt="2">
        {texts.signsInAgain} {texts.offline}
      </Text>
    </ConfirmDialog>
  );
};

type RejectMachineDialogProps = {
  dialog: DialogState;
  request: MachineRequest;
  /** The path of the calls on the requests. */
  root: string;
};

/** Asks before a machine is rejected, which blocks it for a day. */
export const RejectMachineDialog = ({ dialog, request, root }: RejectMachineDialogProps) => {
  const reject = useDecideRequest(root, request.id, 'reject');
  const name = request.name ?? request.machineId;
  const confirm = () =>
    reject.mutate(undefined, {
      onSuccess: () => {
        notify.success(texts.rejected(name));
        dialog.close();
      },
    });
  return (
    <ConfirmDialog
      dialog={dialog}
      title={texts.rejectTitle(name)}
      confirmLabel={machineTexts.reject}
      busyLabel={texts.rejecting}
      isBusy={reject.isPending}
      error={reject.error ? messageOf(reject.error, machineTexts.decideFailed) : undefined}
      onConfirm={confirm}
    >
      <Text>{texts.staysOut(name, request.username)}</Text>
      <Text mt="2">{texts.blocked(request.expiresAt)}</Text>
    </ConfirmDialog>
  );
};
