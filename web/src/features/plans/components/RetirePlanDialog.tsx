import type { Plan } from '../../../../../src/contracts/plans.ts';
import { messageOf } from '../../../api/error.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { useRetirePlan } from '../api/plans.ts';
import { planDialogTexts as texts } from '../dialogTexts.ts';
import { planTexts } from '../texts.ts';

/** Asks before a plan is retired. */
export const RetirePlanDialog = ({ dialog, plan }: { dialog: DialogState; plan: Plan }) => {
  const retire = useRetirePlan();
  return (
    <ConfirmDialog
      dialog={dialog}
      title={texts.retireTitle}
      confirmLabel={texts.retire}
      busyLabel={texts.retiring}
      isBusy={retire.isPending}
      error={retire.error ? messageOf(retire.error, planTexts.retireFailed) : undefined}
      onConfirm={() =>
        retire.mutate(plan.code, {
          onSuccess: () => {
            notify.success(texts.retired);
            dialog.close();
          },
        })
      }
    >
      {texts.retireQuestion(plan.name)}
    </ConfirmDialog>
  );
};
