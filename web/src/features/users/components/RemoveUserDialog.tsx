import { Text } from '@chakra-ui/react';
import type { User } from '../../../../../src/contracts/users.ts';
import { messageOf } from '../../../api/error.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { useRemoveUser } from '../api/users.ts';
import { userTexts as texts } from '../texts.ts';

/** The seat that an active user of a role holds. */
const SEATS = { developer: 'developer', admin: 'developer', stakeholder: 'stakeholder' } as const;

/** Asks before a user is removed, and says what that ends. */
export const RemoveUserDialog = ({ dialog, user }: { dialog: DialogState; user: User }) => {
  const remove = useRemoveUser(user.id);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        notify.success(texts.removed);
        dialog.close();
      },
    });
  const seat = user.status === 'active' ? SEATS[user.role] : null;
  return (
    <ConfirmDialog
      dialog={dialog}
      title={texts.removeTitle}
      confirmLabel={texts.remove}
      busyLabel={texts.removing}
      isBusy={remove.isPending}
      error={remove.error ? messageOf(remove.error, texts.removeFailed) : undefined}
      typedName={user.username}
      onConfirm={confirm}
    >
      {texts.removeQuestion(user.username, seat)}
      <Text mt="2">{texts.removeHint}</Text>
    </ConfirmDialog>
  );
};
