import type { User } from '../../../../../src/contracts/users.ts';
import { messageOf } from '../../../api/error.ts';
import { notify, type ToastAction } from '../../../ui/notify.ts';
import { userTexts } from '../texts.ts';

/** Offers to take a change of a user back; what came of that is a toast too. */
export const undoing = ({ username }: Pick<User, 'username'>, undo: () => Promise<unknown>): ToastAction => ({
  label: userTexts.undo,
  run: () =>
    void undo().then(
      () => notify.success(userTexts.undone(username)),
      (error: unknown) => notify.error(userTexts.undoFailed(messageOf(error, userTexts.updateFailed))),
    ),
});
