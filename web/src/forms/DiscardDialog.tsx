import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import type { DialogState } from '../ui/dialogs.tsx';

/** Asks before changes that were not saved are lost. */
export const DiscardDialog = ({ dialog, onDiscard }: { dialog: DialogState; onDiscard: () => void }) =>
  dialog.isMounted ? (
    <ConfirmDialog
      dialog={dialog}
      title="Discard changes?"
      cancelLabel="Keep editing"
      confirmLabel="Discard"
      onConfirm={() => {
        dialog.close();
        onDiscard();
      }}
    >
      Your changes have not been saved.
    </ConfirmDialog>
  ) : null;
