import { useState } from 'react';
import { type CreateApiTokenReply, createApiToken } from '../../../../../src/contracts/apiTokens.ts';
import type { TeamId } from '../../../../../src/domain/ids.ts';
import type { Permission } from '../../../../../src/domain/permissions.ts';
import { DAY_MS } from '../../../../../src/domain/time.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { SelectField, TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { useCreateApiToken } from '../api/apiTokens.ts';
import { apiTokenTexts as texts } from '../texts.ts';
import { ScopeFields, type TokenValues } from './ScopeFields.tsx';
import { SecretModal } from './SecretModal.tsx';

type CreateTokenModalProps = { dialog: DialogState; teamId: TeamId; scopes: readonly Permission[] };

const toBody = ({ name, scopes, lifetime, networks }: TokenValues) => ({
  name,
  scopes,
  expiresAt: new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString(),
  networks: networks.split(/[\s,]+/).filter((text) => text !== ''),
});

const CreateForm = ({
  dialog,
  teamId,
  scopes,
  onCreated,
}: CreateTokenModalProps & { onCreated: (reply: CreateApiTokenReply) => void }) => {
  const create = useCreateApiToken(teamId);
  const defaults: TokenValues = { name: '', scopes: [], lifetime: '90', networks: '' };
  const { control, handleSubmit, refuse, banner } = useContractForm({
    schema: createApiToken,
    defaults,
    toBody,
    labels: texts.fields,
  });
  const submit = handleSubmit((body) =>
    create.mutate(body, { onSuccess: onCreated, onError: (error) => refuse(error, texts.createFailed) }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={texts.createTitle}
      description={texts.createDescription}
      submitLabel={texts.create}
      busyLabel={texts.creating}
      isBusy={create.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <TextField control={control} name="name" label={texts.fields.name} isRequired />
      <SelectField control={control} name="lifetime" label={texts.fields.lifetime} isRequired>
        {Object.entries(texts.lifetimes).map(([days, label]) => (
          <option key={days} value={days}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextField control={control} name="networks" label={texts.fields.networks} hint={texts.networksHint} />
      <ScopeFields control={control} scopes={scopes} />
    </FormModal>
  );
};

/** Creates an API token, then shows it. */
export const CreateTokenModal = (props: CreateTokenModalProps) => {
  const [created, setCreated] = useState<CreateApiTokenReply>();
  return created ? <SecretModal dialog={props.dialog} created={created} /> : <CreateForm {...props} onCreated={setCreated} />;
};
