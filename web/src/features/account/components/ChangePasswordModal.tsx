import { changeOwnPassword } from '../../../../../src/contracts/team.ts';
import { MIN_PASSWORD } from '../../../../../src/domain/limits.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { PasswordField } from '../../../forms/PasswordField.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import type { OwnTeam } from '../../team/index.ts';
import { useChangeOwnPassword } from '../api/account.ts';
import { accountTexts as texts } from '../texts.ts';
import { refusalAtField } from './refusals.ts';

/** Changes the own password. */
export const ChangePasswordModal = ({ dialog, team }: { dialog: DialogState; team: OwnTeam }) => {
  const change = useChangeOwnPassword(team);
  const { control, handleSubmit, setError, refuse, banner } = useContractForm({
    schema: changeOwnPassword,
    defaults: { currentPassword: '', newPassword: '' },
    toBody: (typed: { currentPassword: string; newPassword: string }) => typed,
    labels: texts.fields,
  });
  const submit = handleSubmit((body) =>
    change.mutate(body, {
      onSuccess: () => {
        notify.success(texts.changed);
        dialog.close();
      },
      onError: (error) => {
        const refusal = refusalAtField(error);
        if (refusal && refusal.field !== 'code') setError(refusal.field, { message: refusal.text }, { shouldFocus: true });
        else refuse(error, texts.changeFailed);
      },
    }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={texts.passwordTitle}
      description={texts.passwordDescription}
      submitLabel={texts.change}
      busyLabel={texts.changing}
      isBusy={change.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <PasswordField
        control={control}
        name="currentPassword"
        label={texts.fields.currentPassword}
        autoComplete="current-password"
      />
      <PasswordField
        control={control}
        name="newPassword"
        label={texts.fields.newPassword}
        hint={texts.newPasswordHint(MIN_PASSWORD)}
        autoComplete="new-password"
      />
    </FormModal>
  );
};
