import { Box, Button, Center, chakra, Flex, Text } from '@chakra-ui/react';
import { lazy, type SubmitEvent, Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router-dom';
import { messageOf } from '../../../api/error.ts';
import { type Area, loginPath } from '../../../areas.ts';
import { BackLink } from '../../../ui/BackLink.tsx';
import { useBranding } from '../../../ui/branding.ts';
import { Card } from '../../../ui/Card.tsx';
import { ColorModeButton } from '../../../ui/ColorModeButton.tsx';
import { FieldFrame, Input } from '../../../ui/controls.tsx';
import { Link } from '../../../ui/Link.tsx';
import { LogoMark } from '../../../ui/Logo.tsx';
import { useTitle } from '../../../ui/PageHead.tsx';
import { PageSpinner } from '../../../ui/PageSpinner.tsx';
import { rejectedField, signIn } from '../api/signIn.ts';
import { authTexts, signInTexts } from '../texts.ts';
import { MemberSignInForm } from './MemberSignInForm.tsx';
import { useSignedIn } from './useSignedIn.ts';

const OpenIdForm = lazy(async () => ({ default: (await import('./OpenIdForm.tsx')).OpenIdForm }));

const SignInForm = ({ area }: { area: Area }) => {
  const signedIn = useSignedIn(area);
  const { keyPrefix } = useBranding();
  const { field, missing, segment } = signInTexts[area];
  const [key, setKey] = useState('');
  const [error, setError] = useState('');
  // Null until the server asks for the password of the customer with this key.
  const [password, setPassword] = useState<string | null>(null);
  const [passwordError, setPasswordError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);

  const refuse = (text: string): void => {
    setError(text);
    input.current?.focus();
  };
  const refusePassword = (text: string): void => {
    setPasswordError(text);
    passwordInput.current?.focus();
  };
  const rejected = (failure: unknown): void => {
    const about = rejectedField(failure);
    if (about === 'missing password') {
      flushSync(() => setPassword(''));
      refusePassword('');
    } else if (about === 'password') refusePassword(messageOf(failure, authTexts.failed));
    else refuse(messageOf(failure, authTexts.failed));
  };

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (key.trim() === '') {
      refuse(missing);
      return;
    }
    if (password === '') {
      refusePassword(authTexts.passwordMissing);
      return;
    }
    setBusy(true);
    try {
      await signIn(area, key.trim(), password ?? undefined);
      await signedIn();
    } catch (failure) {
      rejected(failure);
      setBusy(false);
    }
  };

  const type = (typed: string) => {
    setKey(segment ? typed.toUpperCase() : typed);
    setError('');
    setPassword(null);
    setPasswordError('');
  };

  return (
    <form noValidate onSubmit={submit}>
      <FieldFrame label={field} error={error} hint={segment && authTexts.keyFormat(keyPrefix, segment)} saysOptional={false}>
        <Input
          ref={input}
          size="lg"
          type={segment ? 'text' : 'password'}
          name={segment ? 'licenseKey' : 'adminKey'}
          autoComplete={segment ? 'off' : 'current-password'}
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          value={key}
          onChange={(event) => type(event.target.value)}
          placeholder={segment ? authTexts.keyPlaceholder(keyPrefix, segment) : '••••••••••••••••'}
          {...(segment && { fontFamily: 'mono', letterSpacing: '0' })}
        />
      </FieldFrame>
      {password !== null && (
        <Box mt="4">
          <FieldFrame label={authTexts.password} error={passwordError} hint={authTexts.passwordHint} saysOptional={false}>
            <Input
              ref={passwordInput}
              size="lg"
              type="password"
              name="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => {
                setPassword(event.target.value);
                setPasswordError('');
              }}
            />
          </FieldFrame>
        </Box>
      )}
      <Button type="submit" size="lg" colorPalette="brand" w="full" mt="4" loading={isBusy} loadingText={authTexts.submitting}>
        {authTexts.submit}
      </Button>
    </form>
  );
};

const Anchor = chakra(Link);

/** The address of a sign-in screen with this at its end shows the sign-in of named users. */
const ACCOUNT = '#account';

/** With this at its end, or with the parameters of an identity provider, it shows the sign-in with OpenID Connect. */
const OPENID = '#openid';

type Method = 'key' | 'account' | 'openid';
const hashes: Record<Method, string> = { key: '', account: ACCOUNT, openid: OPENID };

/** The form of one method, and links to the others. */
const Methods = ({ area, method }: { area: Area; method: Method }) => {
  const labels = { key: authTexts.withKey[area], account: authTexts.withAccount, openid: authTexts.withOpenId };
  return (
    <>
      {method === 'key' && <SignInForm area={area} />}
      {method === 'account' && <MemberSignInForm area={area} />}
      {method === 'openid' && (
        <Suspense fallback={<PageSpinner />}>
          <OpenIdForm area={area} />
        </Suspense>
      )}
      <Flex direction="column" align="center" gap="1" mt="4">
        {(['account', 'openid', 'key'] as const)
          .filter((other) => other !== method)
          .map((other) => (
            <Anchor
              key={other}
              to={`${loginPath[area]}${hashes[other]}`}
              replace
              py="1"
              textStyle="sm"
              fontWeight="medium"
              color="brand.fg"
              _hover={{ textDecoration: 'underline' }}
            >
              {labels[other]}
            </Anchor>
          ))}
      </Flex>
    </>
  );
};

const methodAt = (hash: string, search: string): Method => {
  if (hash === OPENID || new URLSearchParams(search).has('state')) return 'openid';
  return hash === ACCOUNT ? 'account' : 'key';
};

const SignIn = ({ area }: { area: Area }) => {
  const { title, sub } = signInTexts[area];
  const { hash, search } = useLocation();
  const method = methodAt(hash, search);
  const subs = { key: sub, account: authTexts.accountSub, openid: authTexts.openIdSub };
  useTitle(title);
  return (
    <Center
      as="main"
      minH="100dvh"
      px="4"
      py="8"
      bg="radial-gradient(900px 420px at 50% -8%, color-mix(in oklab, var(--chakra-colors-brand-400), transparent 84%), transparent 70%)"
    >
      <Box position="absolute" top="4" insetEnd="4">
        <ColorModeButton />
      </Box>
      <Box w="full" maxW="388px">
        <Flex direction="column" align="center" textAlign="center" mb="6">
          <LogoMark size={44} />
          <Text as="h1" textStyle="2xl" fontWeight="semibold" mt="4">
            {title}
          </Text>
          <Text textStyle="md" color="fg.muted" mt="1">
            {subs[method]}
          </Text>
        </Flex>
        <Card p="6" boxShadow="md">
          <Methods key={area} area={area} method={method} />
        </Card>
        <Flex justify="center" mt="5">
          <BackLink to="/">{authTexts.back}</BackLink>
        </Flex>
      </Box>
    </Center>
  );
};

/** Sign-in by admin key. */
export const AdminSignInScreen = () => <SignIn area="admin" />;
/** Sign-in by license key, and by password if the customer has set one, or as a named user. */
export const CustomerSignInScreen = () => <SignIn area="portal" />;
/** Sign-in by master license key. */
export const IntegratorSignInScreen = () => <SignIn area="integrator" />;
