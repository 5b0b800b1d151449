import type { ChangeUserStatus, User } from '../../../../../src/contracts/users.ts';
import type { UserStatus } from '../../../../../src/domain/enumerations.ts';
import { notify } from '../../../ui/notify.ts';
import { useChangeUserStatus } from '../api/users.ts';
import { userTexts } from '../texts.ts';
import { undoing } from './undoing.ts';

/** The change that undoes a change of the status, unless the user was changed since. */
const before = ({ username, email, role, status }: User, to: UserStatus): ChangeUserStatus => ({
  status,
  expected: { username, email, role, status: to },
});

/** Changes a user's status without a confirmation; a change to fewer rights can be undone. Rejects when it fails. */
export const useStatusChange = (user: User) => {
  const change = useChangeUserStatus(user.id);
  const run = async (body: ChangeUserStatus): Promise<void> => {
    const { status } = body;
    await change.mutateAsync(body);
    const undo = undoing(user, () => change.mutateAsync(before(user, status)));
    notify.success(userTexts.changed[status](user.username), status === 'active' ? undefined : undo);
  };
  return { run, isBusy: change.isPending };
};
