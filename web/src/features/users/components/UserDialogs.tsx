import { Box, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Seat } from '../../../../../src/contracts/seats.ts';
import type { User } from '../../../../../src/contracts/users.ts';
import type { UserStatus } from '../../../../../src/domain/enumerations.ts';
import { messageOf } from '../../../api/error.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { Effects, effectsOnUser, userImpactQuery } from '../../impact/index.ts';
import { useReleaseFloatingSeat, useRemoveUser, useUsersRoot } from '../api/users.ts';
import { seatTexts } from '../seatTexts.ts';
import { releaseTexts, statusTexts } from '../statusTexts.ts';
import { userTexts } from '../texts.ts';
import { useStatusChange } from './useStatusChange.ts';

type ConfirmStatusDialogProps = {
  dialog: DialogState;
  user: User;
  to: UserStatus;
  /** Whether the user is deactivated to release the seat. */
  isRelease?: boolean;
};

/** Asks before a user is deactivated or suspended, and says what that ends. */
export const ConfirmStatusDialog = ({ dialog, user, isRelease = false, ...props }: ConfirmStatusDialogProps) => {
  // The button that opened the dialog offers another status as soon as this one is set.
  const [to] = useState(props.to);
  const { run, isBusy } = useStatusChange(user);
  const [error, setError] = useState<string>();
  const impact = useQuery({ ...userImpactQuery(useUsersRoot(), user.id, { status: to }), enabled: dialog.isOpen && !isBusy });
  const confirm = () =>
    void run({ status: to }).then(dialog.close, (failure: unknown) => setError(messageOf(failure, userTexts.statusFailed)));
  return (
    <ConfirmDialog
      dialog={dialog}
      title={isRelease ? releaseTexts.title(user.username) : statusTexts.title(userTexts.actions[to], user.username)}
      confirmLabel={isRelease ? seatTexts.release : userTexts.actions[to]}
      busyLabel={isRelease ? seatTexts.releasing : userTexts.changing[to]}
      isBusy={isBusy}
      isDisabled={impact.isPending}
      error={error}
      onConfirm={confirm}
    >
      <Text>{isRelease ? releaseTexts.deactivates(user.username) : statusTexts.question(user.username)}</Text>
      <Box mt="4" _empty={{ display: 'none' }}>
        <Effects query={impact} effectsOf={effectsOnUser} />
      </Box>
    </ConfirmDialog>
  );
};

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
        notify.success(userTexts.removed);
        dialog.close();
      },
    });
  const seat = user.status === 'active' ? SEATS[user.role] : null;
  return (
    <ConfirmDialog
      dialog={dialog}
      title={userTexts.removeTitle}
      confirmLabel={userTexts.remove}
      busyLabel={userTexts.removing}
      isBusy={remove.isPending}
      error={remove.error ? messageOf(remove.error, userTexts.removeFailed) : undefined}
      typedName={user.username}
      onConfirm={confirm}
    >
      {userTexts.removeQuestion(user.username, seat)}
      <Text mt="2">{userTexts.removeHint}</Text>
      <Box mt="4" _empty={{ display: 'none' }}>
        <Effects query={impact} effectsOf={effectsOnUser} />
      </Box>
    </ConfirmDialog>
  );
};

/** Asks before a floating seat is given back, which disconnects the tool that holds it. */
export const FreeSeatDialog = ({ dialog, seat }: { dialog: DialogState; seat: Seat }) => {
  const release = useReleaseFloatingSeat(seat.id);
  const confirm = () =>
    release.mutate(undefined, {
      onSuccess: () => {
        notify.success(seatTexts.released(seat.username));
        dialog.close();
      },
    });
  return (
    <ConfirmDialog
      dialog={dialog}
      title={releaseTexts.title(seat.username)}
      confirmLabel={seatTexts.release}
      busyLabel={seatTexts.releasing}
      isBusy={release.isPending}
      error={release.error ? messageOf(release.error, seatTexts.releaseFailed) : undefined}
      onConfirm={confirm}
    >
      <Text>{releaseTexts.stays(seat.username)}</Text>
      {seat.idleSince === null && <Text mt="2">{releaseTexts.disconnects}</Text>}
    </ConfirmDialog>
  );
};
