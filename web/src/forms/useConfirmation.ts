import { useRef, useState } from 'react';
import { type DialogState, useDialog } from '../ui/dialogs.tsx';

/** A question between pressing Save and saving. `body` is what would be saved. */
export type Confirmation<Body> = {
  dialog: DialogState;
  body: Body | undefined;
  confirm: () => void;
  /** Resolves to whether the change is to be saved. */
  ask: (body: Body) => Promise<boolean>;
};

/** Asks before a change that ends something. Asking again answers the previous question with no. */
export const useConfirmation = <Body>(): Confirmation<Body> => {
  const dialog = useDialog();
  const [body, setBody] = useState<Body>();
  const pending = useRef<(isConfirmed: boolean) => void>(undefined);
  const answer = (isConfirmed: boolean): void => {
    pending.current?.(isConfirmed);
    pending.current = undefined;
    dialog.close();
  };
  return {
    dialog: { ...dialog, close: () => answer(false) },
    body,
    confirm: () => answer(true),
    ask: (asked) =>
      new Promise((resolve) => {
        pending.current?.(false);
        pending.current = resolve;
        setBody(asked);
        dialog.open();
      }),
  };
};
