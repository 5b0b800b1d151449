import { Dialog } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { enableSecondFactor, type NewSecondFactorReply, type RecoveryCodesReply } from '../../../../../src/contracts/team.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { notify } from '../../../ui/notify.ts';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { SecretSetup } from '../../secondFactor/index.ts';
import type { OwnTeam } from '../../team/index.ts';
import { newSecret, useEnableSecondFactor } from '../api/account.ts';
import type { Proof } from '../proof.ts';
import { accountTexts as texts } from '../texts.ts';
import { type Confirmation, ConfirmField, confirmationOf, unconfirmed } from './ConfirmField.tsx';
import { RecoveryCodesModal } from './RecoveryCodesModal.tsx';
import { refusalAtField } from './refusals.ts';

type TurnOnModalProps = { dialog: DialogState; team: OwnTeam; email: string; proof: Proof };

type FormProps = Omit<TurnOnModalProps, 'email'> & { factor: NewSecondFactorReply; onDone: (reply: RecoveryCodesReply) => void };

const TurnOnForm = ({ dialog, team, proof, factor, onDone }: FormProps) => {
  const enable = useEnableSecondFactor(team);
  const { control, handleSubmit, setError, setValue, refuse, banner } = useContractForm({
    schema: enableSecondFactor,
    defaults: { ...unconfirmed, code: '' },
    toBody: ({ code, ...typed }: Confirmation & { code: string }) => ({
      ...confirmationOf(proof, typed),
      code,
      secret: factor.secret,
    }),
    labels: texts.fields,
  });
  const submit = handleSubmit((body) =>
    enable.mutate(body, {
      onSuccess: (reply) => {
        notify.success(texts.turnedOn);
        onDone(reply);
      },
      onError: (error) => {
        setValue('assertion', null);
        const refusal = refusalAtField(error);
        if (refusal && refusal.field !== 'newPassword') setError(refusal.field, { message: refusal.text }, { shouldFocus: true });
        else refuse(error, texts.turnOnFailed);
      },
    }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={texts.turnOnTitle}
      submitLabel={texts.turnOn}
      busyLabel={texts.turningOn}
      isBusy={enable.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <SecretSetup secret={factor.secret} uri={factor.uri} />
      <TextField
        control={control}
        name="code"
        label={texts.fields.code}
        hint={texts.codeHint}
        inputMode="numeric"
        autoComplete="one-time-code"
        isRequired
      />
      <ConfirmField control={control} proof={proof} />
    </FormModal>
  );
};

/** Turns on the own one-time passwords with a new secret, then shows the recovery codes. */
export const TurnOnModal = ({ dialog, team, email, proof }: TurnOnModalProps) => {
  const [factor, setFactor] = useState<NewSecondFactorReply>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const [reply, setReply] = useState<RecoveryCodesReply>();
  // No query: a refetch would replace the secret that the user has scanned.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt fetches another secret
  useEffect(() => {
    let isShown = true;
    setError(undefined);
    newSecret().then(
      (created) => isShown && setFactor(created),
      (failure: unknown) => isShown && setError(failure),
    );
    return () => {
      isShown = false;
    };
  }, [attempt]);

  if (reply) return <RecoveryCodesModal dialog={dialog} codes={reply.recoveryCodes} account={email} />;
  if (factor) return <TurnOnForm dialog={dialog} team={team} proof={proof} factor={factor} onDone={setReply} />;
  return (
    <Modal dialog={dialog} title={texts.turnOnTitle}>
      <Dialog.Body>
        {error === undefined ? (
          <Loading label={texts.preparing} height="240px" />
        ) : (
          <ErrorState error={error} fallback={texts.prepareFailed} onRetry={() => setAttempt(attempt + 1)} height="240px" />
        )}
      </Dialog.Body>
    </Modal>
  );
};
