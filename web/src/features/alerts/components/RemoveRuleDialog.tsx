import type { AlertRule } from '../../../../../src/contracts/alerts.ts';
import { messageOf } from '../../../api/error.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { useRemoveRule } from '../api/alerts.ts';
import { alertTexts as texts } from '../texts.ts';

/** Asks before an alert rule is removed. */
export const RemoveRuleDialog = ({ dialog, rule }: { dialog: DialogState; rule: AlertRule }) => {
  const remove = useRemoveRule();
  return (
    <ConfirmDialog
      dialog={dialog}
      title={texts.removeTitle}
      confirmLabel={texts.remove}
      busyLabel={texts.removing}
      isBusy={remove.isPending}
      error={remove.error ? messageOf(remove.error, texts.removeFailed) : undefined}
      onConfirm={() =>
        remove.mutate(rule.ruleId, {
          onSuccess: () => {
            notify.success(texts.removed);
            dialog.close();
          },
        })
      }
    >
      {texts.removeQuestion(rule.name)}
    </ConfirmDialog>
  );
};
