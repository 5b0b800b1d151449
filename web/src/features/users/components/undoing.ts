import type { User } from '../../../../../src/contracts/users.ts';
import { messageOf } from '../../../api/error.ts';
import { notify, type ToastAction } from '../../../ui/notify.ts';
import { userTexts } from '../texts.ts';

/** The Undo action of a change of a user; a toast shows its result. */
export const undoing = ({ username }: Pick<User, 'username'>, undo: () => Promise<unknown>): ToastAction => ({
  label: userTexts.undo,
  run: () =>
    void undo().then(
      () => notify.success(userTexts.undone(username)),
      (error: unknown) => notify.error(userTexts.undoFailed(messageOf(error, userTexts.updateFailed))),
    ),
});
