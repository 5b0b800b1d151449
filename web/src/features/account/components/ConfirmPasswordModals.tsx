import { useState } from 'react';
import { confirmPassword, type RecoveryCodesReply } from '../../../../../src/contracts/team.ts';
import type { Change } from '../../../api/useChange.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { PasswordField } from '../../../forms/PasswordField.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import type { OwnTeam } from '../../team/index.ts';
import { useDisableSecondFactor, useNewRecoveryCodes } from '../api/account.ts';
import { accountTexts as texts } from '../texts.ts';
import { RecoveryCodesModal } from './RecoveryCodesModal.tsx';
import { refusalAtField } from './refusals.ts';

type ModalTexts = { title: string; description: string; submit: string; busy: string; failed: string };

type ConfirmProps<Reply> = {
  dialog: DialogState;
  change: Change<{ currentPassword: string }, Reply>;
  texts: ModalTexts;
  onDone: (reply: Reply) => void;
};

/** A change of the own sign-in that needs only the password. */
const ConfirmPassword = <Reply,>({ dialog, change, texts: own, onDone }: ConfirmProps<Reply>) => {
  const { control, handleSubmit, setError, refuse, banner } = useContractForm({
    schema: confirmPassword,
    defaults: { currentPassword: '' },
    toBody: (typed: { currentPassword: string }) => typed,
    labels: texts.fields,
  });
  const submit = handleSubmit((body) =>
    change.mutate(body, {
      onSuccess: onDone,
      onError: (error) => {
        const refusal = refusalAtField(error);
        if (refusal?.field === 'currentPassword') setError(refusal.field, { message: refusal.text }, { shouldFocus: true });
        else refuse(error, own.failed);
      },
    }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={own.title}
      description={own.description}
      size="sm"
      submitLabel={own.submit}
      busyLabel={own.busy}
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
    </FormModal>
  );
};

type AccountDialogProps = { dialog: DialogState; team: OwnTeam; email: string };

/** Turns off the own one-time passwords. */
export const TurnOffModal = ({ dialog, team }: AccountDialogProps) => (
  <ConfirmPassword
    dialog={dialog}
    change={useDisableSecondFactor(team)}
    texts={{
      title: texts.turnOffTitle,
      description: texts.turnOffDescription,
      submit: texts.turnOff,
      busy: texts.turningOff,
      failed: texts.turnOffFailed,
    }}
    onDone={() => {
      notify.success(texts.turnedOff);
      dialog.close();
    }}
  />
);

/** Replaces the own recovery codes, then shows them. */
export const NewCodesModal = ({ dialog, team, email }: AccountDialogProps) => {
  const change = useNewRecoveryCodes(team);
  const [reply, setReply] = useState<RecoveryCodesReply>();
  if (reply) return <RecoveryCodesModal dialog={dialog} codes={reply.recoveryCodes} account={email} />;
  return (
    <ConfirmPassword
      dialog={dialog}
      change={change}
      texts={{
        title: texts.newCodesTitle,
        description: texts.newCodesDescription,
        submit: texts.create,
        busy: texts.creating,
        failed: texts.createFailed,
      }}
      onDone={setReply}
    />
  );
};
