import { Flex } from '@chakra-ui/react';
import type { User } from '../../../../../src/contracts/users.ts';
import type { UserStatus } from '../../../../../src/domain/enumerations.ts';
import { messageOf } from '../../../api/error.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { ItemAction } from '../../../ui/ItemAction.tsx';
import { History, Pencil, Server, Trash2, UserPlus } from '../../../ui/icons.ts';
import { notify } from '../../../ui/notify.ts';
import { LinkModal } from '../../team/index.ts';
import { useArea, useChangeUserStatus, useInviteUser } from '../api/users.ts';
import { userTexts } from '../texts.ts';
import { statusIcons } from './statusIcons.ts';

const EditUserModal = lazyDialog(async () => (await import('./EditUserModal.tsx')).EditUserModal);

const UserStatusModal = lazyDialog(async () => (await import('./UserStatusModal.tsx')).UserStatusModal);

const MachinesModal = lazyDialog(async () => (await import('./MachinesModal.tsx')).MachinesModal);

const confirmations = () => import('./UserDialogs.tsx');
const ConfirmStatusDialog = lazyDialog(async () => (await confirmations()).ConfirmStatusDialog);
const RemoveUserDialog = lazyDialog(async () => (await confirmations()).RemoveUserDialog);

/** The status changes of a user: an active user can be deactivated, any other activated, and any but a suspended one suspended. */
const offersFor = (status: UserStatus): readonly UserStatus[] => {
  const first = status === 'active' ? 'inactive' : 'active';
  return status === 'suspended' ? [first] : [first, 'suspended'];
};

/** Activates a user, or asks before the user is deactivated or suspended. It stays the same button, which keeps the focus. */
const StatusButton = ({ user, to }: { user: User; to: UserStatus }) => {
  const change = useChangeUserStatus(user.id);
  const dialog = useDialog();
  const activate = () =>
    change.mutate(
      { status: to },
      {
        onSuccess: () => notify.success(userTexts.changed[to](user.username)),
        onError: (error) => notify.error(messageOf(error, userTexts.statusFailed)),
      },
    );
  return (
    <>
      <ItemAction
        label={userTexts.actions[to]}
        name={userTexts.actionsOf(userTexts.actions[to], user.username)}
        icon={statusIcons[to]}
        onPress={to === 'active' ? activate : dialog.open}
        {...(to !== 'active' && { opens: ConfirmStatusDialog })}
        isDestructive={to === 'suspended'}
        isBusy={change.isPending}
        busyLabel={userTexts.changing[to]}
      />
      <ConfirmStatusDialog dialog={dialog} user={user} to={to} />
    </>
  );
};

/** Creates the invitation by which the user joins the portal's named users, and shows its link. */
const InviteButton = ({ user }: { user: User }) => {
  const dialog = useDialog();
  const invite = useInviteUser(user);
  const press = () =>
    invite.mutate(undefined, {
      onSuccess: dialog.open,
      onError: (error) => notify.error(messageOf(error, userTexts.inviteFailed)),
    });
  return (
    <>
      <ItemAction
        label={userTexts.invite}
        name={userTexts.actionsOf(userTexts.invite, user.username)}
        icon={UserPlus}
        onPress={press}
        opens={LinkModal}
        isBusy={invite.isPending}
        busyLabel={userTexts.inviting}
      />
      {invite.data && <LinkModal dialog={dialog} invitation={invite.data} />}
    </>
  );
};

export const UserActions = ({ user }: { user: User }) => {
  const edit = useDialog();
  const status = useDialog();
  const machines = useDialog();
  const removal = useDialog();
  const isAdministrators = useArea() === 'admin';
  return (
    <Flex gap="2" wrap="wrap">
      <Allowed to="users:write">
        <ItemAction
          label={userTexts.edit}
          name={userTexts.actionsOf(userTexts.edit, user.username)}
          icon={Pencil}
          onPress={edit.open}
          opens={EditUserModal}
        />
        {offersFor(user.status).map((to) => (
          <StatusButton key={to === 'suspended' ? to : 'activity'} user={user} to={to} />
        ))}
        <ItemAction
          label={userTexts.withReason}
          name={userTexts.actionsOf(userTexts.withReason, user.username)}
          icon={History}
          onPress={status.open}
          opens={UserStatusModal}
        />
      </Allowed>
      {!isAdministrators && user.status === 'active' && (
        <Allowed to="members:write">
          <InviteButton user={user} />
        </Allowed>
      )}
      <Allowed to="machines:read">
        <ItemAction
          label={userTexts.machines}
          name={userTexts.actionsOf(userTexts.machines, user.username)}
          icon={Server}
          onPress={machines.open}
          opens={MachinesModal}
        />
      </Allowed>
      <Allowed to="users:delete">
        <ItemAction
          label={userTexts.remove}
          name={userTexts.actionsOf(userTexts.remove, user.username)}
          icon={Trash2}
          onPress={removal.open}
          opens={RemoveUserDialog}
          isDestructive
        />
      </Allowed>
      <EditUserModal dialog={edit} user={user} />
      <UserStatusModal dialog={status} user={user} />
      <MachinesModal dialog={machines} user={user} />
      <RemoveUserDialog dialog={removal} user={user} />
    </Flex>
  );
};
