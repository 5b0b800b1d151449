import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import type { PasskeyAssertion } from '../../../../../src/contracts/passkeys.ts';
import { causeOf } from '../../../api/error.ts';
import { PasswordField } from '../../../forms/PasswordField.tsx';
import { KeyRound, ShieldCheck } from '../../../ui/icons.ts';
import { signWithPasskey } from '../../passkeys/index.ts';
import { confirmationOptions } from '../api/account.ts';
import type { Proof } from '../proof.ts';
import { accountTexts as texts } from '../texts.ts';

/** The values of the form that confirm a change. */
export type Confirmation = { currentPassword: string; assertion: PasskeyAssertion | null };
export const unconfirmed: Confirmation = { currentPassword: '', assertion: null };

/** The fields of a request that confirm it. */
export const confirmationOf = (proof: Proof, { currentPassword, assertion }: Confirmation) => {
  if (proof === 'recent') return { recentAuthentication: true as const };
  return assertion ? { assertion } : { currentPassword };
};

type PasskeyFieldProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>;
  name: FieldPath<Values>;
  passwordName: FieldPath<Values>;
};

/** Confirms with a passkey. A rejected form takes the confirmation back, since each one is accepted once. */
const PasskeyField = <Values extends FieldValues, Output>({ control, name, passwordName }: PasskeyFieldProps<Values, Output>) => {
  const { field, fieldState } = useController({ control, name });
  const missing = useController({ control, name: passwordName }).fieldState.error && texts.confirmFirst;
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setFailure('');
    setBusy(true);
    try {
      field.onChange(await signWithPasskey(await confirmationOptions()));
    } catch (error) {
      setFailure(causeOf(error, texts.confirmFailed));
    }
    setBusy(false);
  };
  if (field.value) {
    return (
      <Flex role="status" align="center" gap="2" textStyle="sm" color="fg.success">
        <ShieldCheck size={16} aria-hidden />
        {texts.confirmed}
      </Flex>
    );
  }
  const error = failure || fieldState.error?.message || missing;
  return (
    <Box>
      <Button
        type="button"
        ref={field.ref}
        variant="outline"
        loading={isBusy}
        loadingText={texts.confirming}
        onClick={() => void confirm()}
      >
        <KeyRound aria-hidden />
        {texts.confirm}
      </Button>
      <Text textStyle="xs" color={error ? 'fg.error' : 'fg.subtle'} mt="1.5" {...(error && { role: 'alert' })}>
        {error ?? texts.confirmHint}
      </Text>
    </Box>
  );
};

type ConfirmFieldProps<Values extends Confirmation, Output> = {
  control: Control<Values, unknown, Output>;
  proof: Proof;
};

/** Confirms a change of the own sign-in. A recent authentication is asked for when the change is sent, if it is needed. */
export const ConfirmField = <Values extends Confirmation, Output>({ control, proof }: ConfirmFieldProps<Values, Output>) => {
  const passwordName = 'currentPassword' as FieldPath<Values>;
  if (proof === 'recent') return null;
  if (proof === 'passkey')
    return <PasskeyField control={control} name={'assertion' as FieldPath<Values>} passwordName={passwordName} />;
  return (
    <PasswordField control={control} name={passwordName} label={texts.fields.currentPassword} autoComplete="current-password" />
  );
};
