import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { configureIdentityProvider, type IdentityProviderReply } from '../../../../../src/contracts/identityProvider.ts';
import { causeOf } from '../../../api/error.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField, SelectField, TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { notify } from '../../../ui/notify.ts';
import { Banner } from '../../../ui/states.tsx';
import { useConfigureProvider, useTestProvider } from '../api/identityProvider.ts';
import { openIdTexts as texts } from '../openIdTexts.ts';
import type { OwnTeam } from '../ownTeam.ts';
import { teamTexts } from '../texts.ts';
import { bodyOf, type ProviderValues, rolesOf, valuesOf } from './providerForm.ts';

type ProviderModalProps = { dialog: DialogState; team: OwnTeam; reply: IdentityProviderReply };

/** Sets up the identity provider. The server fetches its configuration before anything is saved. */
export const ProviderModal = ({ dialog, team, reply: { provider, redirectUri } }: ProviderModalProps) => {
  const configure = useConfigureProvider(team);
  const test = useTestProvider();
  const [result, setResult] = useState<{ tone: 'info' | 'error'; text: string }>();
  const { control, handleSubmit, refuse, banner } = useContractForm({
    schema: configureIdentityProvider,
    defaults: valuesOf(team.kind, provider),
    toBody: (typed: ProviderValues) => bodyOf(typed),
    labels: texts.fields,
  });
  const submit = handleSubmit((body) =>
    configure.mutate(body, {
      onSuccess: () => {
        notify.success(texts.saved);
        dialog.close();
      },
      onError: (error) => refuse(error, texts.saveFailed),
    }),
  );
  const tryOut = handleSubmit((body) =>
    test.mutate(body, {
      onSuccess: ({ connected, detail }) => setResult({ tone: connected ? 'info' : 'error', text: detail }),
      onError: (error) => setResult({ tone: 'error', text: causeOf(error, texts.testFailed) }),
    }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={texts.dialogTitle}
      description={texts.dialogDescription}
      size="lg"
      submitLabel={texts.save}
      busyLabel={texts.saving}
      isBusy={configure.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <Facts>
        <Fact label={texts.redirectUri}>
          {redirectUri}
          <CopyButton text={redirectUri} label={texts.copyRedirectUri} />
        </Fact>
      </Facts>
      <TextField control={control} name="issuer" label={texts.fields.issuer} hint={texts.issuerHint} isRequired />
      <TextField control={control} name="clientId" label={texts.fields.clientId} isRequired />
      <TextField
        control={control}
        name="clientSecret"
        type="password"
        label={texts.fields.clientSecret}
        hint={provider ? texts.secretKept : undefined}
        isRequired={!provider}
      />
      <TextField control={control} name="domains" label={texts.fields.domains} hint={texts.domainsHint} isRequired />
      <TextField control={control} name="roleClaim" label={texts.fields.roleClaim} hint={texts.roleClaimHint} />
      {rolesOf(team.kind).map((role) => (
        <TextField
          key={role}
          control={control}
          name={`values.${role}`}
          label={texts.valuesOf(teamTexts.roles[role])}
          hint={texts.valuesHint}
        />
      ))}
      <SelectField control={control} name="defaultRole" label={texts.fields.defaultRole} hint={texts.defaultRoleHint}>
        <option value="">{texts.refuse}</option>
        {rolesOf(team.kind).map((role) => (
          <option key={role} value={role}>
            {teamTexts.roles[role]}
          </option>
        ))}
      </SelectField>
      <CheckboxField control={control} name="newUsersJoin" label={texts.fields.newUsersJoin} hint={texts.newUsersJoinHint} />
      <SelectField control={control} name="secondFactor" label={texts.fields.secondFactor}>
        {Object.entries(texts.secondFactors).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {result && <Banner tone={result.tone}>{result.text}</Banner>}
      <Flex>
        <BusyButton variant="outline" isBusy={test.isPending} busyLabel={texts.testing} onClick={() => void tryOut()}>
          {texts.test}
        </BusyButton>
      </Flex>
    </FormModal>
  );
};
