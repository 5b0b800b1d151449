import { SimpleGrid } from '@chakra-ui/react';
import { type Control, useWatch } from 'react-hook-form';
import { TextField } from '../../../forms/fields.tsx';
import { credentialTexts } from '../texts.ts';
import type { CredentialFormValues } from './credentialForm.ts';

const { fields, placeholders } = credentialTexts;

type CredentialFieldsProps<Output> = {
  control: Control<CredentialFormValues, unknown, Output>;
  /** What is said of secrets that are stored already. */
  secretHint?: string;
  /** The secrets without which it is of no use. */
  needed: readonly ('password' | 'apiToken')[];
};

/** All of a credential but its service. */
export const CredentialFields = <Output,>({ control, secretHint, needed }: CredentialFieldsProps<Output>) => {
  const service = useWatch({ control, name: 'service' });
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
        hint={secretHint}
        autoComplete="new-password"
        isRequired={needed.includes('password')}
      />
      <SimpleGrid columns={{ base: 1, md: service === 'jira' ? 2 : 1 }} gap="4">
        {service === 'jira' && (
          <TextField
            control={control}
            name="apiToken"
            type="password"
            label={fields.apiToken}
            hint={secretHint}
            autoComplete="new-password"
            isRequired={needed.includes('apiToken')}
          />
        )}
        <TextField control={control} name="expiresAt" type="date" label={fields.expiresAt} hint={credentialTexts.expiresHint} />
      </SimpleGrid>
    </>
  );
};
