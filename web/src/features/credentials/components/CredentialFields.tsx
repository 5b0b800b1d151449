import { SimpleGrid } from '@chakra-ui/react';
import { type Control, useWatch } from 'react-hook-form';
import type { Credential } from '../../../../../src/contracts/credentials.ts';
import { CheckboxField, TextField } from '../../../forms/fields.tsx';
import { credentialTexts } from '../texts.ts';
import type { CredentialFormValues } from './credentialForm.ts';

const { fields, placeholders } = credentialTexts;

type CredentialFieldsProps<Output> = {
  control: Control<CredentialFormValues, unknown, Output>;
  /** The hint of stored secrets. */
  secretHint?: string;
  /** The secrets that must be entered. */
  needed: readonly ('password' | 'apiToken')[];
  /** The stored credential; none while one is added. */
  stored?: Credential;
};

/** The fields of a credential, without the service. */
export const CredentialFields = <Output,>({ control, secretHint, needed, stored }: CredentialFieldsProps<Output>) => {
  const [service, password, apiToken, removesPassword, removesApiToken] = useWatch({
    control,
    name: ['service', 'password', 'apiToken', 'removesPassword', 'removesApiToken'],
  });
  const isTokenEnough = service === 'jira' && apiToken !== '';
  // The last secret cannot be removed.
  const canRemovePassword = stored?.hasPassword && (stored.hasApiToken || isTokenEnough);
  const canRemoveApiToken = stored?.hasApiToken && (stored.hasPassword || password !== '');
  return (
    <>
      <TextField
        control={control}
        name="instanceUrl"
        type="url"
        label={fields.instanceUrl}
        placeholder={placeholders[service]}
        isRequired
      />
      <TextField control={control} name="username" label={fields.username} isRequired />
      <TextField
        control={control}
        name="password"
        type="password"
        label={fields.password}
        hint={secretHint ?? (service === 'jira' ? credentialTexts.tokenIsEnough : undefined)}
        autoComplete="new-password"
        disabled={removesPassword}
        isRequired={needed.includes('password') && !removesPassword && (stored !== undefined || !isTokenEnough)}
      />
      {canRemovePassword && <CheckboxField control={control} name="removesPassword" label={credentialTexts.removePassword} />}
      <SimpleGrid columns={{ base: 1, md: service === 'jira' ? 2 : 1 }} gap="4">
        {service === 'jira' && (
          <TextField
            control={control}
            name="apiToken"
            type="password"
            label={fields.apiToken}
            hint={secretHint}
            autoComplete="new-password"
            disabled={removesApiToken}
            isRequired={needed.includes('apiToken') && !removesApiToken}
          />
        )}
        <TextField control={control} name="expiresAt" type="date" label={fields.expiresAt} hint={credentialTexts.expiresHint} />
      </SimpleGrid>
      {canRemoveApiToken && <CheckboxField control={control} name="removesApiToken" label={credentialTexts.removeApiToken} />}
    </>
  );
};
