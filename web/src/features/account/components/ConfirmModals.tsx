import { useState } from 'react';
import type { OwnPasskey } from '../../../../../src/contracts/passkeys.ts';
import { type ConfirmChangeBody, confirmChange, type RecoveryCodesReply } from '../../../../../src/contracts/team.ts';
import type { Change } from '../../../api/useChange.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import type { OwnTeam } from '../../team/index.ts';
import { useDisableSecondFactor, useNewRecoveryCodes, useRemovePasskey, useUnlinkIdentity } from '../api/account.ts';
import type { Proof } from '../proof.ts';
import { accountTexts as texts } from '../texts.ts';
import { type Confirmation, ConfirmField, confirmationOf, unconfirmed } from './ConfirmField.tsx';
import { RecoveryCodesModal } from './RecoveryCodesModal.tsx';
import { refusalAtField } from './refusals.ts';

type ModalTexts = { title: string; description: string; submit: string; busy: string; failed: string };

type ConfirmProps<Reply> = {
  dialog: DialogState;
  change: Change<ConfirmChangeBody, Reply>;
  proof: Proof;
  texts: ModalTexts;
  onDone: (reply: Reply) => void;
};

/** A change of the own sign-in that needs only the confirmation. */
const ConfirmChange = <Reply,>({ dialog, change, proof, texts: own, onDone }: ConfirmProps<Reply>) => {
  const { control, handleSubmit, setError, setValue, refuse, banner } = useContractForm({
    schema: confirmChange,
    defaults: unconfirmed,
    toBody: (typed: Confirmation) => confirmationOf(proof, typed),
    labels: texts.fields,
  });
  const submit = handleSubmit((body) =>
    change.mutate(body, {
      onSuccess: onDone,
      onError: (error) => {
        setValue('assertion', null);
        const refusal = refusalAtField(error);
        if (refusal?.field === 'currentPassword' || refusal?.field === 'assertion')
          setError(refusal.field, { message: refusal.text }, { shouldFocus: true });
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
      <ConfirmField control={control} proof={proof} />
    </FormModal>
  );
};

type AccountDialogProps = { dialog: DialogState; team: OwnTeam; email: string; proof: Proof };

/** Turns off the own one-time passwords. */
export const TurnOffModal = ({ dialog, team, proof }: AccountDialogProps) => (
  <ConfirmChange
    dialog={dialog}
    proof={proof}
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

/** Unlinks the own account at the identity provider. */
export const UnlinkModal = ({ dialog, team, proof }: AccountDialogProps) => (
  <ConfirmChange
    dialog={dialog}
    proof={proof}
    change={useUnlinkIdentity(team)}
    texts={{
      title: texts.unlinkTitle,
      description: texts.unlinkDescription,
      submit: texts.unlink,
      busy: texts.unlinking,
      failed: texts.unlinkFailed,
    }}
    onDone={() => {
      notify.success(texts.unlinked);
      dialog.close();
    }}
  />
);

/** Replaces the own recovery codes, then shows them. */
export const NewCodesModal = ({ dialog, team, email, proof }: AccountDialogProps) => {
  const change = useNewRecoveryCodes(team);
  const [reply, setReply] = useState<RecoveryCodesReply>();
  if (reply) return <RecoveryCodesModal dialog={dialog} codes={reply.recoveryCodes} account={email} />;
  return (
    <ConfirmChange
      dialog={dialog}
      proof={proof}
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

type RemovePasskeyModalProps = Omit<AccountDialogProps, 'email'> & { passkey: OwnPasskey };

/** Removes an own passkey. */
export const RemovePasskeyModal = ({ dialog, team, proof, passkey: { passkeyId, name } }: RemovePasskeyModalProps) => (
  <ConfirmChange
    dialog={dialog}
    proof={proof}
    change={useRemovePasskey(team, passkeyId)}
    texts={{
      title: texts.removeTitle,
      description: texts.removeDescription(name),
      submit: texts.remove,
      busy: texts.removing,
      failed: texts.removeFailed,
    }}
    onDone={() => {
      notify.success(texts.removed);
      dialog.close();
    }}
  />
);
