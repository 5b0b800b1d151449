import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { type SubmitEvent, useRef, useState } from 'react';
import type { OpenInvitationReply } from '../../../../../src/contracts/team.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from '../../../../../src/domain/limits.ts';
import { causeOf, isApiError } from '../../../api/error.ts';
import { format } from '../../../lib/format.ts';
import { FieldFrame, Input } from '../../../ui/controls.tsx';
import { PasswordInput } from '../../../ui/PasswordInput.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { Banner } from '../../../ui/states.tsx';
import { PasskeyButton, passkeyTexts, whyNoPasskeys } from '../../passkeys/index.ts';
import { SecretSetup } from '../../secondFactor/index.ts';
import { acceptInvitation, joinByPasskey } from '../api/join.ts';
import { joinTexts as texts } from '../texts.ts';

type Field = 'password' | 'code' | 'form';

/** The field that a rejection belongs to. */
const FIELD_OF: Readonly<Record<string, Field>> = { password_too_weak: 'password', code_not_confirmed: 'code' };

type JoinFormProps = { token: string; invitation: OpenInvitationReply; onJoined: (recoveryCodes: string[] | null) => void };

type JoinByPasskeyProps = { token: string; onJoined: () => void };

const JoinByPasskey = ({ token, onJoined }: JoinByPasskeyProps) => {
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    setError('');
    setBusy(true);
    try {
      await joinByPasskey(token);
      onJoined();
    } catch (failure) {
      setError(causeOf(failure, texts.joinFailed));
      setBusy(false);
    }
  };
  return (
    <PasskeyButton
      busyLabel={texts.submitting}
      isBusy={isBusy}
      error={error}
      hint={`${texts.passkeyHint} ${passkeyTexts.onHost(window.location.hostname)}`}
      onClick={() => void submit()}
    >
      {texts.withPasskey}
    </PasskeyButton>
  );
};

/** Asks for a password and, if wanted or required, for a code that proves that an authenticator app has the secret. */
export const JoinForm = ({ token, invitation, onJoined }: JoinFormProps) => {
  const { secondFactor, secondFactorRequired, email, expiresAt } = invitation;
  const [password, setPassword] = useState('');
  const [isOneTime, setOneTime] = useState(secondFactorRequired);
  const [code, setCode] = useState('');
  const [refusal, setRefusal] = useState<{ field: Field; text: string }>();
  const [isBusy, setBusy] = useState(false);
  const passwordInput = useRef<HTMLInputElement>(null);
  const codeInput = useRef<HTMLInputElement>(null);

  const refuse = (field: Field, text: string): void => {
    setRefusal({ field, text });
    if (field !== 'form') (field === 'code' ? codeInput : passwordInput).current?.focus();
  };
  const errorAt = (field: Field): string | undefined => (refusal?.field === field ? refusal.text : undefined);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (password.length < MIN_PASSWORD) return refuse('password', texts.passwordTooShort(MIN_PASSWORD));
    if (isOneTime && code.trim() === '') return refuse('code', texts.codeMissing);
    setBusy(true);
    try {
      const factor = isOneTime && { secondFactor: { secret: secondFactor.secret, code: code.trim() } };
      const { recoveryCodes } = await acceptInvitation({ token, password, ...factor });
      onJoined(recoveryCodes);
    } catch (failure) {
      setBusy(false);
      refuse((isApiError(failure) && FIELD_OF[failure.code]) || 'form', causeOf(failure, texts.joinFailed));
    }
  };

  return (
    <form noValidate onSubmit={submit}>
      <Flex direction="column" gap="4">
        {refusal?.field === 'form' && <Banner tone="error">{refusal.text}</Banner>}
        <FieldFrame label={texts.email} hint={texts.emailHint} saysOptional={false}>
          <Input size="lg" type="email" name="email" autoComplete="username" readOnly value={email} />
        </FieldFrame>
        <FieldFrame label={texts.password} error={errorAt('password')} hint={texts.passwordHint(MIN_PASSWORD)} saysOptional={false}>
          <PasswordInput
            ref={passwordInput}
            size="lg"
            name="password"
            autoComplete="new-password"
            maxLength={MAX_PASSWORD}
            autoFocus
            value={password}
            onChange={(event) => {
              setPassword(event.target.value);
              setRefusal(undefined);
            }}
          />
        </FieldFrame>
        {secondFactorRequired ? (
          <Text textStyle="sm" fontWeight="medium">
            {texts.oneTimeRequired}
          </Text>
        ) : (
          <Switch
            label={texts.oneTime}
            hint={texts.oneTimeHint}
            checked={isOneTime}
            onChange={({ target }) => setOneTime(target.checked)}
          />
        )}
        {isOneTime && (
          <>
            <SecretSetup {...secondFactor} />
            <FieldFrame label={texts.code} error={errorAt('code')} hint={texts.codeHint} saysOptional={false}>
              <Input
                ref={codeInput}
                size="lg"
                name="code"
                inputMode="numeric"
                autoComplete="one-time-code"
                spellCheck={false}
                value={code}
                onChange={(event) => {
                  setCode(event.target.value);
                  setRefusal(undefined);
                }}
              />
            </FieldFrame>
          </>
        )}
      </Flex>
      <Text textStyle="xs" color="fg.subtle" mt="4">
        {texts.expires(format.dateTime(expiresAt))}
      </Text>
      <Box mt="4">
        <Button type="submit" size="lg" colorPalette="brand" w="full" loading={isBusy} loadingText={texts.submitting}>
          {texts.submit}
        </Button>
      </Box>
      {whyNoPasskeys() === null && <JoinByPasskey token={token} onJoined={() => onJoined(null)} />}
    </form>
  );
};
