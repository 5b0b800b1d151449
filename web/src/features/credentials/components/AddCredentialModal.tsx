import { storeCredential } from '../../../../../src/contracts/credentials.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { SelectField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import { useCustomerSession } from '../../../session/session.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { useStoreCredential } from '../api/credentials.ts';
import { credentialTexts as texts } from '../texts.ts';
import { CredentialFields } from './CredentialFields.tsx';
import { newCredential, storeBodyOf } from './credentialForm.ts';

export const AddCredentialModal = ({ dialog }: { dialog: DialogState }) => {
  const store = useStoreCredential(useCustomerSession().id);
  const { control, handleSubmit, refuse, banner } = useContractForm({
    schema: storeCredential,
    defaults: newCredential,
    toBody: storeBodyOf,
    labels: texts.fields,
  });
  const submit = handleSubmit((body) =>
    store.mutate(body, {
      onSuccess: () => {
        notify.success(texts.added);
        dialog.close();
      },
      onError: (error) => refuse(error, texts.addFailed),
    }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={texts.addTitle}
      description={texts.addDescription}
      submitLabel={texts.add}
      busyLabel={texts.adding}
      isBusy={store.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <SelectField control={control} name="service" label={texts.fields.service} isRequired>
        {Object.entries(texts.services).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <CredentialFields control={control} needed={['password']} />
    </FormModal>
  );
};
