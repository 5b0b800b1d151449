import { Box, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { User } from '../../../../../src/contracts/users.ts';
import { messageOf } from '../../../api/error.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { Effects, effectsOnUser, userImpactQuery } from '../../impact/index.ts';
import { useRemoveUser, useUsersRoot } from '../api/users.ts';
import { userTexts as texts } from '../texts.ts';

const REMOVAL = { removal: true } as const;

/** The seat that an active user of a role holds. */
const SEATS = { developer: 'developer', admin: 'developer', stakeholder: 'stakeholder' } as const;

/** Asks before a user is removed, and says what that ends. */
export const RemoveUserDialog = ({ dialog, user }: { dialog: DialogState; user: User }) => {
  const remove = useRemoveUser(user.id);
  const root = useUsersRoot();
  const impact = useQuery({ ...userImpactQuery(root, user.id, REMOVAL), enabled: remove.isIdle || remove.isError });
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
      <Box mt="4" _empty={{ display: 'none' }}>
        <Effects query={impact} effectsOf={effectsOnUser} />
      </Box>
    </ConfirmDialog>
  );
};
