import { Text } from '@chakra-ui/react';
import { z } from 'zod';
import { newPasskey } from '../../../../../src/contracts/passkeys.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { nameOfThisDevice, passkeyTexts } from '../../passkeys/index.ts';
import type { OwnTeam } from '../../team/index.ts';
import { useAddPasskey } from '../api/account.ts';
import type { Proof } from '../proof.ts';
import { accountTexts as texts } from '../texts.ts';
import { type Confirmation, ConfirmField, confirmationOf, unconfirmed } from './ConfirmField.tsx';
import { refusalAtField } from './refusals.ts';

/** The part of the contract that the user fills in: the browser creates the rest. */
const schema = z.object({
  name: newPasskey.shape.name,
  currentPassword: z.string().min(1).optional(),
  assertion: z.custom<NonNullable<Confirmation['assertion']>>().optional(),
  recentAuthentication: z.literal(true).optional(),
});

type AddPasskeyModalProps = { dialog: DialogState; team: OwnTeam; proof: Proof };

/** Adds a passkey to the own account. */
export const AddPasskeyModal = ({ dialog, team, proof }: AddPasskeyModalProps) => {
  const add = useAddPasskey(team);
  const { control, handleSubmit, setError, setValue, refuse, banner } = useContractForm({
    schema,
    defaults: { ...unconfirmed, name: nameOfThisDevice() },
    toBody: ({ name, ...typed }: Confirmation & { name: string }) => ({ ...confirmationOf(proof, typed), name }),
    labels: texts.fields,
  });
  const submit = handleSubmit((body) =>
    add.mutate(body, {
      onSuccess: () => {
        notify.success(texts.added);
        dialog.close();
      },
      onError: (error) => {
        const refusal = refusalAtField(error);
        if (refusal) setValue('assertion', null);
        if (refusal?.field === 'currentPassword' || refusal?.field === 'assertion')
          setError(refusal.field, { message: refusal.text }, { shouldFocus: true });
        else refuse(error, texts.addFailed);
      },
    }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={texts.addPasskey}
      description={texts.addDescription}
      size="sm"
      submitLabel={texts.addPasskey}
      busyLabel={texts.adding}
      isBusy={add.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <TextField control={control} name="name" label={texts.fields.name} hint={texts.passkeyNameHint} isRequired />
      <ConfirmField control={control} proof={proof} />
      <Text textStyle="xs" color="fg.subtle">
        {passkeyTexts.onHost(window.location.hostname)}
      </Text>
    </FormModal>
  );
};
