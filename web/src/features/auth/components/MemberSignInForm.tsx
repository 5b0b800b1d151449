import { Box, Button, Flex } from '@chakra-ui/react';
import { type SubmitEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { messageOf } from '../../../api/error.ts';
import type { Area } from '../../../areas.ts';
import { FieldFrame, Input, Select } from '../../../ui/controls.tsx';
import { PasskeyButton, whyNoPasskeys } from '../../passkeys/index.ts';
import { rejectedMemberField, signInByPasskey, signInMember, tenantsOf } from '../api/signIn.ts';
import { authTexts } from '../texts.ts';
import { useSignedIn } from './useSignedIn.ts';

type Field = 'email' | 'password' | 'tenant' | 'code';

/** Sign-in of a named user by a passkey, which needs no email address. */
const PasskeySignIn = ({ area }: { area: Area }) => {
  const signedIn = useSignedIn(area);
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    setError('');
    setBusy(true);
    try {
      await signInByPasskey(area);
      await signedIn();
    } catch (failure) {
      setError(messageOf(failure, authTexts.failed));
      setBusy(false);
    }
  };
  return (
    <PasskeyButton busyLabel={authTexts.submitting} isBusy={isBusy} error={error} onClick={() => void submit()}>
      {authTexts.withPasskey}
    </PasskeyButton>
  );
};

/** Sign-in of a named user by email address and password, and by a code once the server asks for it. */
export const MemberSignInForm = ({ area }: { area: Area }) => {
  const signedIn = useSignedIn(area);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  // Null until the server asks for the code of the named user with this password.
  const [code, setCode] = useState<string | null>(null);
  // Empty until the server asks which of several accounts with this password is meant.
  const [tenants, setTenants] = useState<ReturnType<typeof tenantsOf>>([]);
  const [tenantId, setTenantId] = useState('');
  const [refusal, setRefusal] = useState<{ field: Field; text: string }>();
  const [isBusy, setBusy] = useState(false);
  const inputs = {
    email: useRef<HTMLInputElement>(null),
    password: useRef<HTMLInputElement>(null),
    tenant: useRef<HTMLSelectElement>(null),
    code: useRef<HTMLInputElement>(null),
  };

  const refuse = (field: Field, text: string): void => {
    setRefusal({ field, text });
    inputs[field].current?.focus();
  };
  const errorAt = (field: Field): string | undefined => (refusal?.field === field ? refusal.text : undefined);
  const rejected = (failure: unknown): void => {
    const about = rejectedMemberField(failure);
    if (about === 'missing code') {
      flushSync(() => setCode(''));
      refuse('code', '');
    } else if (about === 'missing tenant') {
      const choices = tenantsOf(failure);
      flushSync(() => {
        setTenants(choices);
        setTenantId(choices[0]?.id ?? '');
      });
      refuse('tenant', '');
    } else refuse(about, messageOf(failure, authTexts.failed));
  };

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (email.trim() === '') return refuse('email', authTexts.emailMissing);
    if (password === '') return refuse('password', authTexts.accountPasswordMissing);
    if (code?.trim() === '') return refuse('code', authTexts.codeMissing);
    setBusy(true);
    try {
      await signInMember(area, {
        email: email.trim(),
        password,
        ...(tenantId !== '' && { tenantId }),
        ...(code !== null && { code: code.trim() }),
      });
      await signedIn();
    } catch (failure) {
      rejected(failure);
      setBusy(false);
    }
  };

  /** Another account may need no choice and no code. */
  const restart = () => {
    setRefusal(undefined);
    setTenants([]);
    setTenantId('');
    setCode(null);
  };

  return (
    <form noValidate onSubmit={submit}>
      <Flex direction="column" gap="4">
        <FieldFrame label={authTexts.email} error={errorAt('email')} saysOptional={false}>
          <Input
            ref={inputs.email}
            size="lg"
            type="email"
            name="email"
            autoComplete="username"
            autoFocus
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
              restart();
            }}
          />
        </FieldFrame>
        <FieldFrame label={authTexts.password} error={errorAt('password')} saysOptional={false}>
          <Input
            ref={inputs.password}
            size="lg"
            type="password"
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => {
              setPassword(event.target.value);
              restart();
            }}
          />
        </FieldFrame>
        {tenants.length > 0 && (
          <FieldFrame label={authTexts.tenant} error={errorAt('tenant')} hint={authTexts.tenantHint} saysOptional={false}>
            <Select
              ref={inputs.tenant}
              h="11"
              name="tenant"
              value={tenantId}
              onChange={(event) => {
                setTenantId(event.target.value);
                setRefusal(undefined);
                setCode(null);
              }}
            >
              {tenants.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </FieldFrame>
        )}
        {code !== null && (
          <FieldFrame label={authTexts.code} error={errorAt('code')} hint={authTexts.codeHint} saysOptional={false}>
            <Input
              ref={inputs.code}
              size="lg"
              name="code"
              autoComplete="one-time-code"
              autoCapitalize="characters"
              spellCheck={false}
              value={code}
              onChange={(event) => {
                setCode(event.target.value);
                setRefusal(undefined);
              }}
            />
          </FieldFrame>
        )}
      </Flex>
      <Box mt="4">
        <Button type="submit" size="lg" colorPalette="brand" w="full" loading={isBusy} loadingText={authTexts.submitting}>
          {authTexts.submit}
        </Button>
      </Box>
      {whyNoPasskeys() === null && <PasskeySignIn area={area} />}
    </form>
  );
};
