import { useWatch } from 'react-hook-form';
import { type Credential, updateCredential } from '../../../../../src/contracts/credentials.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import { useCustomerSession } from '../../../session/session.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { LastChange } from '../../history/index.ts';
import { useUpdateCredential } from '../api/credentials.ts';
import { credentialTexts as texts } from '../texts.ts';
import { CredentialFields } from './CredentialFields.tsx';
import { updateBodyOf, valuesOf } from './credentialForm.ts';

/** The secrets that must be entered again when the address changes: the stored ones belong to the previous address. */
const secretsOf = ({ hasPassword, hasApiToken }: Credential): ('password' | 'apiToken')[] => [
  ...(hasPassword ? (['password'] as const) : []),
  ...(hasApiToken ? (['apiToken'] as const) : []),
];

const schemaFor = (credential: Credential) =>
  updateCredential.superRefine((body, context) => {
    if (body.instanceUrl === credential.instanceUrl) return;
    for (const secret of secretsOf(credential)) {
      if (body[secret] === undefined) context.addIssue({ code: 'custom', path: [secret], message: texts.secretNeeded });
    }
  });

type EditCredentialModalProps = { dialog: DialogState; credential: Credential };

/** Stored secrets stay unless new ones are entered; a new address requires that. */
export const EditCredentialModal = ({ dialog, credential }: EditCredentialModalProps) => {
  const { id: customerId } = useCustomerSession();
  const update = useUpdateCredential(customerId);
  const { control, handleSubmit, refuse, banner } = useContractForm({
    schema: schemaFor(credential),
    defaults: valuesOf(credential),
    toBody: (typed) => updateBodyOf(typed, credential),
    labels: texts.fields,
  });
  const instanceUrl = useWatch({ control, name: 'instanceUrl' });
  const isMoved = instanceUrl.trim() !== credential.instanceUrl;
  const submit = handleSubmit((body) =>
    update.mutate(
      { id: credential.id, body },
      {
        onSuccess: () => {
          notify.success(texts.updated);
          dialog.close();
        },
        onError: (error) => refuse(error, texts.updateFailed),
      },
    ),
  );
  return (
    <FormModal
      dialog={dialog}
      title={texts.editTitle}
      description={texts.editDescription(texts.services[credential.service])}
      submitLabel={texts.save}
      busyLabel={texts.saving}
      isBusy={update.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <LastChange
        source={{ kind: 'customer', id: customerId, path: '/api/customer' }}
        about={credential.id}
        type="CredentialStored,CredentialRevised"
      />
      <CredentialFields
        control={control}
        secretHint={isMoved ? texts.secretNeeded : texts.secretKept}
        needed={isMoved ? secretsOf(credential) : []}
        stored={credential}
      />
    </FormModal>
  );
};
