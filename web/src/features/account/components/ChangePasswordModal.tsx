import { changeOwnPassword } from '../../../../../src/contracts/team.ts';
import { MIN_PASSWORD } from '../../../../../src/domain/limits.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { PasswordField } from '../../../forms/PasswordField.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import type { OwnTeam } from '../../team/index.ts';
import { useChangeOwnPassword } from '../api/account.ts';
import type { Proof } from '../proof.ts';
import { accountTexts as texts } from '../texts.ts';
import { type Confirmation, ConfirmField, confirmationOf, unconfirmed } from './ConfirmField.tsx';
import { refusalAtField } from './refusals.ts';

type ChangePasswordModalProps = { dialog: DialogState; team: OwnTeam; hasPassword: boolean; proof: Proof };

/** Changes the own password, or sets the first one. */
export const ChangePasswordModal = ({ dialog, team, hasPassword, proof }: ChangePasswordModalProps) => {
  const change = useChangeOwnPassword(team);
  const { control, handleSubmit, setError, setValue, refuse, banner } = useContractForm({
    schema: changeOwnPassword,
    defaults: { ...unconfirmed, newPassword: '' },
    toBody: ({ newPassword, ...typed }: Confirmation & { newPassword: string }) => ({
      ...confirmationOf(proof, typed),
      newPassword,
    }),
    labels: texts.fields,
  });
  const submit = handleSubmit((body) =>
    change.mutate(body, {
      onSuccess: () => {
        notify.success(hasPassword ? texts.changed : texts.passwordSet);
        dialog.close();
      },
      onError: (error) => {
        setValue('assertion', null);
        const refusal = refusalAtField(error);
        if (refusal && refusal.field !== 'code') setError(refusal.field, { message: refusal.text }, { shouldFocus: true });
        else refuse(error, texts.changeFailed);
      },
    }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={hasPassword ? texts.passwordTitle : texts.setPassword}
      description={texts.passwordDescription}
      submitLabel={hasPassword ? texts.change : texts.setPassword}
      busyLabel={texts.changing}
      isBusy={change.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <ConfirmField control={control} proof={proof} />
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
